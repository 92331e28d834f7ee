//===- IndexTest.cpp - Tests of the index of shards -----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/Safetensors/Index.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace lane::safetensors;

namespace {

/// The error for this text, or an empty one.
std::string getError(StringRef text) {
  Expected<Index> index = Index::parse(MemoryBufferRef(text, "i"));
  return index ? "" : toString(index.takeError());
}

/// The error for an index with this map.
std::string getMapError(StringRef map) {
  return getError(("{\"weight_map\":" + map + "}").str());
}

TEST(SafetensorsIndex, SortsShardsAndTensors) {
  StringRef text =
      "{\"weight_map\": {\"c\": \"2\", \"b\": \"1\", \"a\": \"2\"}}";
  Index index = cantFail(Index::parse(MemoryBufferRef(text, "i")));
  EXPECT_EQ(index.shards,
            (decltype(index.shards){{"1", {"b"}}, {"2", {"a", "c"}}}));
}

TEST(SafetensorsIndex, IgnoresOtherKeys) {
  EXPECT_EQ(getError("{\"metadata\":{\"total_size\":1.5e9,\"x\":[null,true]},"
                     "\"weight_map\":{},\"more\":-1}\n"),
            "");
}

TEST(SafetensorsIndex, RefusesAnIndexWithoutAMap) {
  EXPECT_EQ(getError(""), "i: index at offset 0: expected an object");
  EXPECT_EQ(getError("[]"), "i: index at offset 0: expected an object");
  EXPECT_EQ(getError("{}"), "i: index at offset 0: has no weight_map");
  EXPECT_EQ(getMapError("[]"), "i: index at offset 14: expected an object");
  EXPECT_EQ(getMapError("{\"a\":1}"),
            "i: index at offset 19: expected a string");
  EXPECT_EQ(getError("{\"weight_map\":{}} x"),
            "i: index at offset 18: expected the end of the text");
}

TEST(SafetensorsIndex, RefusesKeysTwice) {
  EXPECT_EQ(getMapError("{\"a\":\"1\",\"a\":\"2\"}"),
            "i: index at offset 23: key 'a' is there twice");
  EXPECT_EQ(getError("{\"weight_map\":{},\"weight_map\":{}}"),
            "i: index at offset 17: key 'weight_map' is there twice");
}

TEST(SafetensorsIndex, RefusesShardsInOtherFolders) {
  for (StringRef shard :
       {"", ".", "..", "../a", "/a", "a/b", "a/", "..\\\\a", "C:a", "a\\u0000"})
    EXPECT_TRUE(StringRef(getMapError("{\"t\":\"" + shard.str() + "\"}"))
                    .starts_with("i: index at offset 19: tensor 't' is in '"))
        << shard.str();
  EXPECT_EQ(getMapError("{\"t\":\"../a\"}"),
            "i: index at offset 19: tensor 't' is in '../a', expected a file "
            "name");
  EXPECT_EQ(getMapError("{\"t\":\"..a\"}"), "");
}

} // namespace

//===- HeaderJsonTest.cpp - Tests of GGUF headers as JSON -----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/GGUF/HeaderJson.h"
#include "GGUFWriter.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <limits>

using namespace llvm;
using namespace lane;
using namespace lane::gguf;

namespace {

std::string print(const GGUFWriter &writer) {
  std::string bytes = writer.write();
  Header header = cantFail(Header::parse(MemoryBufferRef(bytes, "test.gguf")));
  std::string text;
  raw_string_ostream os(text);
  printHeaderJson(header, os);
  return text;
}

/// The metadata of what is printed, which must be JSON.
json::Object getMetadata(const GGUFWriter &writer) {
  json::Value value = cantFail(json::parse(print(writer)));
  return *value.getAsObject()->getObject("metadata");
}

TEST(GGUFHeaderJson, WholeHeader) {
  GGUFWriter writer;
  writer.setAlignment(64);
  writer.addString("name", "tiny");
  writer.addTensor("a", {32, 2}, NumberFormat::Q8_0);
  writer.addTensor("b", {}, NumberFormat::F32);
  EXPECT_EQ(print(writer), R"({
  "version": 3,
  "alignment": 64,
  "data_offset": 192,
  "metadata": {
    "general.alignment": 64,
    "name": "tiny"
  },
  "tensors": [
    {
      "name": "a",
      "shape": [
        32,
        2
      ],
      "format": "q8_0",
      "offset": 192,
      "bytes": 68
    },
    {
      "name": "b",
      "shape": [],
      "format": "f32",
      "offset": 320,
      "bytes": 4
    }
  ]
}
)");
}

TEST(GGUFHeaderJson, IntegersAreExact) {
  GGUFWriter writer;
  writer.addScalar<uint64_t>("u64", ValueType::UInt64, ~uint64_t(0));
  writer.addScalar<int64_t>("i64", ValueType::Int64,
                            std::numeric_limits<int64_t>::min());
  writer.addScalar<uint8_t>("bool", ValueType::Bool, 2);
  json::Object metadata = getMetadata(writer);
  EXPECT_EQ(metadata.get("u64")->getAsUINT64(), ~uint64_t(0));
  EXPECT_EQ(metadata.getInteger("i64"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(metadata.getBoolean("bool"), true);
}

TEST(GGUFHeaderJson, NumbersHaveTheFewestDigits) {
  GGUFWriter writer;
  writer.addScalar<float>("epsilon", ValueType::Float32, 1e-5f);
  writer.addScalar<float>("third", ValueType::Float32, 1.0f / 3);
  writer.addScalar<double>("tenth", ValueType::Float64, 0.1);
  writer.addScalar<float>("zero", ValueType::Float32, -0.0f);
  std::string text = print(writer);
  for (StringRef line : {"\"epsilon\": 1e-05,", "\"third\": 0.33333334,",
                         "\"tenth\": 0.1,", "\"zero\": -0\n"})
    EXPECT_TRUE(StringRef(text).contains(line)) << text;
}

TEST(GGUFHeaderJson, NumbersThatJsonLacks) {
  GGUFWriter writer;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  writer.addArray<float>("f", ValueType::Float32,
                         {kInfinity, -kInfinity,
                          std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::max()});
  EXPECT_EQ(*getMetadata(writer).getArray("f"),
            (json::Array{"inf", "-inf", "nan", 3.4028235e38}));
}

TEST(GGUFHeaderJson, LongArraysAreNamed) {
  GGUFWriter writer;
  writer.addArray<int32_t>("eight", ValueType::Int32, {1, 2, 3, 4, 5, 6, 7, 8});
  writer.addArray<int32_t>("nine", ValueType::Int32,
                           {1, 2, 3, 4, 5, 6, 7, 8, 9});
  writer.addArray<int32_t>("none", ValueType::Int32, {});
  writer.addStringArray("strings", {"a", "b"});
  json::Object metadata = getMetadata(writer);
  EXPECT_EQ(*metadata.getArray("eight"), (json::Array{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(*metadata.getObject("nine"),
            (json::Object{{"type", "i32"}, {"length", 9}}));
  EXPECT_EQ(*metadata.getArray("none"), json::Array{});
  EXPECT_EQ(*metadata.getArray("strings"), (json::Array{"a", "b"}));
}

TEST(GGUFHeaderJson, WildBytesAreFixed) {
  GGUFWriter writer;
  writer.addString("k\xff", "v\xfe\n\"");
  writer.addStringArray("s", {"\xc0"});
  writer.addTensor("t\x80", {1}, NumberFormat::F32);
  json::Object metadata = getMetadata(writer);
  EXPECT_EQ(metadata.getString("k\xef\xbf\xbd"),
            StringRef("v\xef\xbf\xbd\n\""));
  EXPECT_EQ(*metadata.getArray("s"), json::Array{"\xef\xbf\xbd"});
}

} // namespace

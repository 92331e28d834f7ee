//===- Index.cpp - The index of a checkpoint's shards ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/Safetensors/Index.h"
#include "lane/Support/JsonReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace lane;
using namespace lane::safetensors;

/// Whether `name` is that of a file in a folder, on any system.
static bool isFileName(StringRef name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(StringRef("/\\:\0", 4)) == StringRef::npos;
}

static bool parseWeightMap(JsonReader &json, Index &index) {
  return json.readObject([&](const std::string &tensor) {
    std::string shard;
    size_t position = json.getValuePosition();
    if (!json.readString(shard))
      return false;
    if (!isFileName(shard))
      return json.failAt(position, "tensor " + quoteText(tensor) + " is in " +
                                       quoteText(shard) +
                                       ", expected a file name");
    index.shards[shard].push_back(tensor);
    return true;
  });
}

static bool parseIndex(JsonReader &json, Index &index) {
  bool hasMap = false;
  bool isRead = json.readObject([&](const std::string &key) {
    if (key != "weight_map")
      return json.skipValue();
    hasMap = true;
    return parseWeightMap(json, index);
  });
  if (!isRead || !json.readEnd())
    return false;
  return hasMap || json.failAt(0, "has no weight_map");
}

Expected<Index> Index::parse(MemoryBufferRef buffer) {
  JsonReader json(buffer.getBufferStart(), buffer.getBufferSize());
  Index index;
  if (!parseIndex(json, index))
    return createStringError(buffer.getBufferIdentifier() +
                             ": index at offset " + Twine(json.getPosition()) +
                             ": " + json.getError());
  for (auto &[shard, tensors] : index.shards)
    llvm::sort(tensors);
  return index;
}

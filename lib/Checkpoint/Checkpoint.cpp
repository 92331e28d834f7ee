//===- Checkpoint.cpp - The files of a GGUF checkpoint --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/Checkpoint.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace lane;
using namespace lane::gguf;

static constexpr StringLiteral kNumberKey = "split.no";
static constexpr StringLiteral kCountKey = "split.count";
static constexpr StringLiteral kTensorsKey = "split.tensors.count";
/// As many as five digits number.
static constexpr int64_t kMaxShards = 99999;

static Error refuse(const formatv_object_base &why) {
  return createStringError(why.str());
}

/// What a shard's name ends in; `index` counts from 0.
static std::string getSuffix(int64_t index, int64_t count) {
  return formatv("-{0:05}-of-{1:05}.gguf", index + 1, count).str();
}

static Error checkKey(const Header &header, StringRef key, int64_t wanted) {
  Expected<int64_t> value = header.getInteger(key);
  if (!value)
    return value.takeError();
  if (*value == wanted)
    return Error::success();
  return refuse(formatv("{0}: key '{1}' is {2}, expected {3}", header.getName(),
                        key, *value, wanted));
}

/// No tensor stands in two shards, and there are as many as the key says.
static Error checkTensors(ArrayRef<Header> shards) {
  DenseMap<StringRef, StringRef> seen;
  size_t count = 0;
  for (const Header &shard : shards) {
    count += shard.getTensors().size();
    for (const Tensor &tensor : shard.getTensors()) {
      auto [it, isNew] = seen.try_emplace(tensor.name, shard.getName());
      if (isNew)
        continue;
      // A name may hold anything, and a message is one line.
      std::string name;
      raw_string_ostream os(name);
      printEscapedString(tensor.name, os);
      return refuse(formatv("{0}: tensor '{1}' stands in '{2}' too",
                            shard.getName(), name, it->second));
    }
  }
  return checkKey(shards.front(), kTensorsKey, count);
}

Expected<Checkpoint> Checkpoint::open(Header given) {
  Checkpoint checkpoint;
  StringRef path = given.getName();
  Expected<int64_t> count = given.getIntegerOr(kCountKey, 1);
  if (!count)
    return count.takeError();
  if (*count <= 1) {
    checkpoint.stem = path.str();
    checkpoint.stem.resize(path.size() - (path.ends_with(".gguf")
                                              ? StringRef(".gguf").size()
                                              : 0));
    checkpoint.shards.push_back(std::move(given));
    return std::move(checkpoint);
  }
  if (*count > kMaxShards)
    return refuse(formatv("{0}: key '{1}' is {2}, expected at most {3}", path,
                          kCountKey, *count, kMaxShards));
  Expected<int64_t> number = given.getInteger(kNumberKey);
  if (!number)
    return number.takeError();
  if (*number < 0 || *number >= *count)
    return refuse(formatv("{0}: key '{1}' is {2}, expected 0 to {3}", path,
                          kNumberKey, *number, *count - 1));
  std::string suffix = getSuffix(*number, *count);
  if (!path.ends_with(suffix))
    return refuse(formatv("{0}: is shard {1} of {2}, so its name must end in "
                          "'{3}' for the others to be found",
                          path, *number + 1, *count, suffix));
  checkpoint.stem = path.drop_back(suffix.size()).str();

  for (int64_t index = 0; index < *count; ++index) {
    if (index == *number) {
      checkpoint.shards.push_back(std::move(given));
      continue;
    }
    std::string shardPath = checkpoint.stem + getSuffix(index, *count);
    Expected<std::unique_ptr<MemoryBuffer>> buffer = openFile(shardPath);
    if (!buffer)
      return refuse(formatv("shard {0} of {1}: {2}", index + 1, *count,
                            toString(buffer.takeError())));
    Expected<Header> shard = Header::parse(**buffer);
    if (!shard)
      return shard.takeError();
    if (Error error = checkKey(*shard, kNumberKey, index))
      return std::move(error);
    if (Error error = checkKey(*shard, kCountKey, *count))
      return std::move(error);
    checkpoint.buffers.push_back(std::move(*buffer));
    checkpoint.shards.push_back(std::move(*shard));
  }
  if (Error error = checkTensors(checkpoint.shards))
    return std::move(error);
  return std::move(checkpoint);
}

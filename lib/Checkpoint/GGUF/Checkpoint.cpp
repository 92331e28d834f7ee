//===- Checkpoint.cpp - GGUF checkpoints ----------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/GGUF/Checkpoint.h"
#include "Format.h"
#include "lane/Checkpoint/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace lane::gguf;

static constexpr StringLiteral kNumberKey = "split.no";
static constexpr StringLiteral kCountKey = "split.count";
static constexpr StringLiteral kTensorsKey = "split.tensors.count";
static constexpr StringLiteral kExtension = ".gguf";
/// The most that the five digits of a shard's name can number.
static constexpr int64_t kMaxShards = 99999;

static Error refuse(const formatv_object_base &why) {
  return createStringError(why.str());
}

/// The end of a shard's name; `index` counts from 0.
static std::string getSuffix(int64_t index, int64_t count) {
  return formatv("-{0:05}-of-{1:05}{2}", index + 1, count, kExtension).str();
}

static Error checkKey(const Header &header, StringRef key, int64_t expected) {
  Expected<int64_t> value = header.getInteger(key);
  if (!value)
    return value.takeError();
  if (*value == expected)
    return Error::success();
  return refuse(formatv("{0}: key '{1}' is {2}, expected {3}", header.getName(),
                        key, *value, expected));
}

/// The number of the shard, once it is consistent with the count and the
/// file's name.
static Expected<int64_t> getShardNumber(const Header &header, int64_t count) {
  StringRef path = header.getName();
  if (count > kMaxShards)
    return refuse(formatv("{0}: key '{1}' is {2}, expected at most {3}", path,
                          kCountKey, count, kMaxShards));
  Expected<int64_t> number = header.getInteger(kNumberKey);
  if (!number)
    return number.takeError();
  if (*number < 0 || *number >= count)
    return refuse(formatv("{0}: key '{1}' is {2}, expected 0 to {3}", path,
                          kNumberKey, *number, count - 1));
  std::string suffix = getSuffix(*number, count);
  if (!path.ends_with(suffix))
    return refuse(formatv("{0}: is shard {1} of {2}, so its name must end in "
                          "'{3}' for the others to be found",
                          path, *number + 1, count, suffix));
  return *number;
}

/// Opens the shard of that index beside the others.
Error Checkpoint::openShard(int64_t index, int64_t count) {
  std::string path = stem + getSuffix(index, count);
  Expected<std::unique_ptr<MemoryBuffer>> buffer = openFile(path);
  if (!buffer)
    return refuse(formatv("shard {0} of {1}: {2}", index + 1, count,
                          toString(buffer.takeError())));
  Expected<Header> shard = Header::parse(**buffer);
  if (!shard)
    return shard.takeError();
  if (Error error = checkKey(*shard, kNumberKey, index))
    return error;
  if (Error error = checkKey(*shard, kCountKey, count))
    return error;
  buffers.push_back(std::move(*buffer));
  shards.push_back(std::move(*shard));
  return Error::success();
}

/// Adds all shards in order: the given one, and the others beside it.
Error Checkpoint::addShards(Header given, int64_t count) {
  Expected<int64_t> number = getShardNumber(given, count);
  if (!number)
    return number.takeError();
  stem = given.getName().drop_back(getSuffix(*number, count).size()).str();
  for (int64_t index = 0; index < count; ++index) {
    if (index == *number)
      // This runs once.
      shards.push_back(std::move(given)); // NOLINT(bugprone-use-after-move)
    else if (Error error = openShard(index, count))
      return error;
  }
  return Error::success();
}

/// Makes the neutral list of all shards' tensors.
Error Checkpoint::listTensors() {
  std::vector<CheckpointFile> files;
  std::vector<CheckpointTensor> tensors;
  for (const Header &shard : shards) {
    for (const Tensor &tensor : shard.getTensors())
      tensors.push_back({tensor.name.str(), tensor.format,
                         stringifyNumberFormat(tensor.format).str(),
                         SmallVector<int64_t, 4>(reverse(tensor.shape)),
                         files.size(), tensor.offset, tensor.sizeBytes});
    files.push_back({shard.getName().str(), shard.getFileBytes()});
  }
  Expected<lane::Checkpoint> list =
      lane::Checkpoint::create(std::move(files), std::move(tensors));
  if (!list)
    return list.takeError();
  tensorList = std::move(*list);
  return Error::success();
}

Expected<Checkpoint> Checkpoint::open(Header header) {
  Expected<int64_t> count = header.getIntegerOr(kCountKey, 1);
  if (!count)
    return count.takeError();
  Checkpoint checkpoint;
  bool isSplit = *count > 1;
  if (isSplit) {
    if (Error error = checkpoint.addShards(std::move(header), *count))
      return std::move(error);
  } else {
    StringRef path = header.getName();
    path.consume_back(kExtension);
    checkpoint.stem = path.str();
    checkpoint.shards.push_back(std::move(header));
  }
  if (Error error = checkpoint.listTensors())
    return std::move(error);
  if (isSplit)
    if (Error error = checkKey(checkpoint.getMetadata(), kTensorsKey,
                               checkpoint.getTensorList().getTensors().size()))
      return std::move(error);
  return std::move(checkpoint);
}

Expected<Checkpoint> Checkpoint::open(std::unique_ptr<MemoryBuffer> file) {
  Expected<Header> header = Header::parse(*file);
  if (!header)
    return header.takeError();
  Expected<Checkpoint> checkpoint = open(std::move(*header));
  if (checkpoint)
    checkpoint->buffers.push_back(std::move(file));
  return checkpoint;
}

//===----------------------------------------------------------------------===//
// The entry in the table of formats
//===----------------------------------------------------------------------===//

bool lane::gguf::recognizes(StringRef bytes, StringRef path) {
  return bytes.starts_with("GGUF") || path.ends_with(kExtension);
}

Expected<lane::Checkpoint>
lane::gguf::openCheckpoint(std::unique_ptr<MemoryBuffer> file) {
  Expected<gguf::Checkpoint> checkpoint =
      gguf::Checkpoint::open(std::move(file));
  if (!checkpoint)
    return checkpoint.takeError();
  return checkpoint->getTensorList();
}

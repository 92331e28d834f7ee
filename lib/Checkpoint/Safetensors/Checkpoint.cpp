//===- Checkpoint.cpp - Safetensors checkpoints ---------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/Safetensors/Checkpoint.h"
#include "Format.h"
#include "lane/Checkpoint/File.h"
#include "lane/Checkpoint/Safetensors/Index.h"
#include "lane/Support/Quote.h"
#include "lane/Support/SafetensorsHeader.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <limits>

using namespace llvm;
using namespace lane;
using namespace lane::safetensors;

static constexpr StringLiteral kExtension = ".safetensors";
static constexpr StringLiteral kIndexExtension = ".safetensors.index.json";

static Error refuse(const Twine &path, const Twine &why) {
  return createStringError(path + ": " + why);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The neutral description of a tensor whose data starts `dataOffset` bytes
/// into file number `file`.
static Expected<CheckpointTensor> describe(const Tensor &tensor, StringRef path,
                                           size_t file, int64_t dataOffset) {
  CheckpointTensor result;
  result.name = tensor.name;
  result.format = numberFormatFromGgmlType(tensor.dtype->ggmlType);
  result.formatName = tensor.dtype->name;
  for (uint64_t size : tensor.shape) {
    // Only a tensor without elements can have such a dimension.
    if (size > uint64_t(std::numeric_limits<int64_t>::max()))
      return refuse(path, "tensor " + quote(tensor.name) + " at offset " +
                              Twine(tensor.headerOffset) + ": dimension " +
                              Twine(size) + " overflows int64");
    result.shape.push_back(static_cast<int64_t>(size));
  }
  result.file = file;
  // Both are within the file, whose size is an int64_t.
  result.offset = dataOffset + static_cast<int64_t>(tensor.begin);
  result.sizeBytes = static_cast<int64_t>(tensor.end - tensor.begin);
  return result;
}

/// Adds a file and those of its tensors that `isListed` accepts.
static Error addFile(MemoryBufferRef buffer, std::vector<CheckpointFile> &files,
                     std::vector<CheckpointTensor> &tensors,
                     function_ref<bool(StringRef)> isListed) {
  StringRef path = buffer.getBufferIdentifier();
  uint64_t fileBytes = buffer.getBufferSize();
  if (fileBytes < kLengthBytes)
    return refuse(path, "header length at offset 0: the file ends (" +
                            Twine(kLengthBytes) + " bytes needed, " +
                            Twine(fileBytes) + " left)");
  uint64_t headerBytes = getHeaderBytes(buffer.getBufferStart());
  uint64_t mostBytes = std::min(kMaxHeaderBytes, fileBytes - kLengthBytes);
  if (headerBytes > mostBytes)
    return refuse(path, "header length at offset 0: expected at most " +
                            Twine(mostBytes) + ", found " + Twine(headerBytes));
  std::vector<Tensor> parsed;
  std::string why = HeaderParser(buffer.getBufferStart() + kLengthBytes,
                                 headerBytes, fileBytes)
                        .parse(parsed);
  if (!why.empty())
    return refuse(path, why);
  for (const Tensor &tensor : parsed) {
    if (!isListed(tensor.name))
      continue;
    Expected<CheckpointTensor> described =
        describe(tensor, path, files.size(), kLengthBytes + headerBytes);
    if (!described)
      return described.takeError();
    tensors.push_back(std::move(*described));
  }
  files.push_back({path.str(), fileBytes});
  return Error::success();
}

Expected<lane::Checkpoint> safetensors::readFile(MemoryBufferRef file) {
  std::vector<CheckpointFile> files;
  std::vector<CheckpointTensor> tensors;
  if (Error error =
          addFile(file, files, tensors, [](StringRef) { return true; }))
    return std::move(error);
  return lane::Checkpoint::create(std::move(files), std::move(tensors));
}

//===----------------------------------------------------------------------===//
// Shards
//===----------------------------------------------------------------------===//

Expected<lane::Checkpoint> safetensors::openIndex(MemoryBufferRef buffer) {
  StringRef path = buffer.getBufferIdentifier();
  Expected<Index> index = Index::parse(buffer);
  if (!index)
    return index.takeError();
  std::vector<CheckpointFile> files;
  std::vector<CheckpointTensor> tensors;
  for (const auto &[shard, names] : index->shards) {
    SmallString<128> shardPath = sys::path::parent_path(path);
    sys::path::append(shardPath, shard);
    Expected<std::unique_ptr<MemoryBuffer>> file = openFile(shardPath);
    if (!file)
      return refuse(path, "shard " + quote(shard) + ": " +
                              toString(file.takeError()));
    StringSet<> missing;
    missing.insert_range(names);
    if (Error error = addFile(**file, files, tensors, [&](StringRef name) {
          return missing.erase(name);
        }))
      return std::move(error);
    for (const std::string &name : names)
      if (missing.contains(name))
        return refuse(path, "tensor " + quote(name) + " is not in shard " +
                                quote(shard));
  }
  return lane::Checkpoint::create(std::move(files), std::move(tensors));
}

//===----------------------------------------------------------------------===//
// The entry in the table of formats
//===----------------------------------------------------------------------===//

bool safetensors::recognizes(StringRef bytes, StringRef path) {
  return path.ends_with(kExtension) || path.ends_with(kIndexExtension) ||
         (bytes.size() > kLengthBytes &&
          isHeaderStart(bytes.data(), bytes.size()));
}

Expected<lane::Checkpoint>
safetensors::openCheckpoint(std::unique_ptr<MemoryBuffer> file) {
  return file->getBufferIdentifier().ends_with(kIndexExtension)
             ? openIndex(*file)
             : readFile(*file);
}

//===- Checkpoint.h - GGUF checkpoints --------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GGUF checkpoint is one file, or is split into shards named
// `NAME-00001-of-0000N.gguf` in one folder. The first shard has the metadata;
// each states its number, the number of shards, and the number of all tensors.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CHECKPOINT_GGUF_CHECKPOINT_H
#define LANE_CHECKPOINT_GGUF_CHECKPOINT_H

#include "lane/Checkpoint/Checkpoint.h"
#include "lane/Checkpoint/GGUF/Header.h"

namespace lane::gguf {

/// The headers of a checkpoint's files, and their tensors as the neutral list.
/// The headers view the files' bytes; see each `open` for who owns those.
class Checkpoint {
public:
  /// Reads the header of `file`, which may be any shard, finds the other shards
  /// beside it, and owns the bytes of all. The error is one line that names the
  /// missing file, or the key that disagrees with the other shards.
  static llvm::Expected<Checkpoint>
  open(std::unique_ptr<llvm::MemoryBuffer> file);

  /// The same for a header that is already read. Its buffer must outlive the
  /// checkpoint.
  static llvm::Expected<Checkpoint> open(Header header);

  /// The header with the metadata of the whole checkpoint.
  const Header &getMetadata() const { return shards.front(); }
  llvm::ArrayRef<Header> getShards() const { return shards; }

  /// The shards as files, and the tensors of all of them.
  const lane::Checkpoint &getTensorList() const { return tensorList; }

  /// The path without the extension, and without the suffix that numbers a
  /// shard.
  llvm::StringRef getStem() const { return stem; }

private:
  Checkpoint() = default;

  llvm::Error addShards(Header given, int64_t count);
  llvm::Error openShard(int64_t index, int64_t count);
  llvm::Error listTensors();

  std::string stem;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
  std::vector<Header> shards;
  lane::Checkpoint tensorList;
};

} // namespace lane::gguf

#endif // LANE_CHECKPOINT_GGUF_CHECKPOINT_H

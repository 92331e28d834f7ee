//===- Checkpoint.h - The files of a GGUF checkpoint ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GGUF checkpoint is one file, or is split into shards that are named
// `NAME-00001-of-0000N.gguf` and lie side by side. The first shard has the
// metadata; each says which it is, of how many, and how many tensors all have.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CHECKPOINT_CHECKPOINT_H
#define LANE_CHECKPOINT_CHECKPOINT_H

#include "lane/Checkpoint/GGUF.h"

namespace lane::gguf {

/// The headers of a checkpoint's files, in their order. They view the files'
/// bytes, which this owns but for those of the file it was made of.
class Checkpoint {
public:
  /// Takes the header of one file, of any shard where it is one, and finds the
  /// other shards beside it. An error of one line names the file which is
  /// missing, or the key that does not agree with the others.
  static llvm::Expected<Checkpoint> open(Header given);

  /// The header with the metadata of all.
  const Header &getMetadata() const { return shards.front(); }
  llvm::ArrayRef<Header> getShards() const { return shards; }

  /// Path of the checkpoint without what numbers a shard; it has no shard's
  /// name where the checkpoint is split.
  llvm::StringRef getStem() const { return stem; }

private:
  Checkpoint() = default;

  std::string stem;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
  std::vector<Header> shards;
};

} // namespace lane::gguf

#endif // LANE_CHECKPOINT_CHECKPOINT_H

//===- Index.h - The index of a checkpoint's shards -------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the index that Hugging Face's libraries write beside the shards of a
// model:
//
//   {"metadata": {"total_size": 1024}, "weight_map": {"TENSOR": "SHARD", ...}}
//
// Only the map is read: `total_size` counts tied tensors once or twice, and
// their loader does not check it.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CHECKPOINT_SAFETENSORS_INDEX_H
#define LANE_CHECKPOINT_SAFETENSORS_INDEX_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <map>
#include <string>
#include <vector>

namespace lane::safetensors {

struct Index {
  /// The names of each shard's tensors, sorted, by the name of the shard, which
  /// is that of a file in the index's folder.
  std::map<std::string, std::vector<std::string>> shards;

  /// Reads the index in `buffer`. The error is one line, "NAME: index at offset
  /// N: what is wrong".
  static llvm::Expected<Index> parse(llvm::MemoryBufferRef buffer);
};

} // namespace lane::safetensors

#endif // LANE_CHECKPOINT_SAFETENSORS_INDEX_H

//===- Checkpoint.h - Safetensors checkpoints -------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A safetensors checkpoint is one `NAME.safetensors`, or shards in one folder
// and an index of them, `NAME.safetensors.index.json`. Support's
// SafetensorsHeader.h has the rules of a file.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CHECKPOINT_SAFETENSORS_CHECKPOINT_H
#define LANE_CHECKPOINT_SAFETENSORS_CHECKPOINT_H

#include "lane/Checkpoint/Checkpoint.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace lane::safetensors {

/// Reads the header of one file, whose buffer is all of it and is named by its
/// path. The error is one line, "PATH: FIELD at offset N: what is wrong".
llvm::Expected<lane::Checkpoint> readFile(llvm::MemoryBufferRef file);

/// Reads an index, named by its path, and the headers of the shards beside it.
/// The checkpoint has the shards as files, sorted by name, and the tensors of
/// the index only. The error is one line that names the file or the tensor.
llvm::Expected<lane::Checkpoint> openIndex(llvm::MemoryBufferRef index);

} // namespace lane::safetensors

#endif // LANE_CHECKPOINT_SAFETENSORS_CHECKPOINT_H

//===- Writer.h - Writes safetensors files ----------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes tensors to a safetensors file. Their data is not all in memory at
// once: each tensor writes its own.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CHECKPOINT_SAFETENSORS_WRITER_H
#define LANE_CHECKPOINT_SAFETENSORS_WRITER_H

#include "lane/Support/NumberFormat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lane::safetensors {

struct TensorSource {
  std::string name;
  /// A format whose blocks are one element.
  NumberFormat format;
  /// Outermost dimension first.
  llvm::SmallVector<int64_t, 4> shape;
  int64_t sizeBytes;
  /// Writes the data: `sizeBytes` bytes, little endian.
  std::function<void(llvm::raw_ostream &)> writeData;
};

/// Fails if a tensor cannot have that name. The error states why, without the
/// name.
llvm::Error checkName(llvm::StringRef name);

/// Writes a file of the tensors, whose names are valid and differ. Those of
/// larger elements come first, so that all are aligned in the file.
void writeFile(std::vector<TensorSource> tensors, llvm::raw_ostream &os);

} // namespace lane::safetensors

#endif // LANE_CHECKPOINT_SAFETENSORS_WRITER_H

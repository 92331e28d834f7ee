//===- Checkpoint.h - The tensors of a checkpoint ---------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A checkpoint of any format as one list of tensors in one or more files. The
// formats' readers make it (see CheckpointFormat.h). A caller that needs a
// format's own metadata, as the import of GGUF does, uses that reader.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CHECKPOINT_CHECKPOINT_H
#define LANE_CHECKPOINT_CHECKPOINT_H

#include "lane/Support/NumberFormat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lane {

struct CheckpointFile {
  std::string path;
  uint64_t sizeBytes;
};

struct CheckpointTensor {
  std::string name;
  /// None if Lane has no such number format: then the tensor is listed, but
  /// cannot be a matrix.
  std::optional<NumberFormat> format;
  /// The name of the format in the file's own terms: "q8_0", "F8_E4M3".
  std::string formatName;
  /// Outermost dimension first, so that the last one is contiguous; none is
  /// negative. A scalar has no dimensions.
  llvm::SmallVector<int64_t, 4> shape;
  /// Index of the file with the data.
  size_t file;
  /// Bytes from the file's start to the data.
  int64_t offset;
  /// Bytes of the data. The file may be shorter, if only its header is there.
  int64_t sizeBytes;
};

/// The files and tensors of a checkpoint. It owns what it refers to; no file
/// stays open.
class Checkpoint {
public:
  /// Opens the checkpoint that `path` is a file of, and reads the headers of
  /// all of its files. The format is recognized by the file's content or name.
  /// The error is one line that names the path.
  static llvm::Expected<Checkpoint> open(llvm::StringRef path);

  /// The same for a file that is open, named by its path.
  static llvm::Expected<Checkpoint>
  open(std::unique_ptr<llvm::MemoryBuffer> file);

  /// For the readers of formats. Fails if two tensors have the same name.
  static llvm::Expected<Checkpoint>
  create(std::vector<CheckpointFile> files,
         std::vector<CheckpointTensor> tensors);

  /// The files, in the checkpoint's order.
  llvm::ArrayRef<CheckpointFile> getFiles() const { return files; }
  /// The tensors, file by file, in the order of their data.
  llvm::ArrayRef<CheckpointTensor> getTensors() const { return tensors; }

  /// The tensor of that name, in constant time; null if there is none.
  const CheckpointTensor *lookup(llvm::StringRef name) const;

private:
  std::vector<CheckpointFile> files;
  std::vector<CheckpointTensor> tensors;
  llvm::StringMap<size_t> indices;
};

} // namespace lane

#endif // LANE_CHECKPOINT_CHECKPOINT_H

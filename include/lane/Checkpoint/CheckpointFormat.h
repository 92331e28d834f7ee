//===- CheckpointFormat.h - Formats of checkpoints --------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of checkpoint formats. A new format is a folder with its reader and
// an entry in the table of CheckpointFormat.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CHECKPOINT_CHECKPOINTFORMAT_H
#define LANE_CHECKPOINT_CHECKPOINTFORMAT_H

#include "lane/Checkpoint/Checkpoint.h"

namespace lane {

struct CheckpointFormat {
  /// The name in messages.
  llvm::StringLiteral name;
  /// Whether a file with these bytes and this path has the format. A file may
  /// be recognized by its name only: then `open` reports what is wrong in it.
  bool (*recognizes)(llvm::StringRef bytes, llvm::StringRef path);
  /// Reads the checkpoint that `file`, named by its path, is a file of.
  llvm::Expected<Checkpoint> (*open)(std::unique_ptr<llvm::MemoryBuffer> file);
};

/// All formats, in the order in which they are tried.
llvm::ArrayRef<CheckpointFormat> getCheckpointFormats();

/// The first format that recognizes the file; null if none does.
const CheckpointFormat *lookupCheckpointFormat(llvm::StringRef bytes,
                                               llvm::StringRef path);

} // namespace lane

#endif // LANE_CHECKPOINT_CHECKPOINTFORMAT_H

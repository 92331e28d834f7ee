//===- File.h - Files of checkpoints ----------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens a checkpoint's file by mapping it.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CHECKPOINT_FILE_H
#define LANE_CHECKPOINT_FILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace lane {

/// Opens the regular file `path` without reading all of it: a large file is
/// mapped. The error is one line that names the path, if it is missing, is not
/// a regular file, or cannot be read.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openFile(llvm::StringRef path);

} // namespace lane

#endif // LANE_CHECKPOINT_FILE_H

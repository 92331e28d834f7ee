//===- OutputFile.h - Files that are written whole or not -------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes files beside their place and renames them, so that a full disk leaves
// the previous file as it was. Errors are one line that names the file.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_OUTPUTFILE_H
#define LANE_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace lane {

/// Writes `text` to the file `path`. What is there and not a regular file, such
/// as a device or a pipe, is written in place. "-" is the standard output.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef text);

/// Writes what the standard output buffers. Fails if not all of it could be
/// written since the start of the process.
llvm::Error flushStandardOutput();

/// Calls `run`, the main function of a tool of MLIR, with the file of the
/// option `-o` replaced by one beside it, which is renamed when `run` returns
/// 0. Prints a write that fails as an error of the tool `argv[0]`.
int runWithOutputFile(int argc, char **argv,
                      llvm::function_ref<int(int, char **)> run);

} // namespace lane

#endif // LANE_SUPPORT_OUTPUTFILE_H

//===- File.cpp - Files of checkpoints ------------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

Expected<std::unique_ptr<MemoryBuffer>> lane::openFile(StringRef path) {
  auto refuse = [&](std::string why) {
    why.front() = toLower(why.front());
    return createStringError(path + ": cannot be opened: " + why);
  };
  // Check before opening: opening a pipe waits for its writer.
  sys::fs::file_status status;
  if (std::error_code code = sys::fs::status(path, status))
    return refuse(code.message());
  if (!sys::fs::is_regular_file(status))
    return refuse("not a regular file");
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return refuse(buffer.getError().message());
  return std::move(*buffer);
}

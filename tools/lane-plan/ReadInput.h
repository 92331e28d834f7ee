//===- ReadInput.h - The bytes of the input of lane-plan --------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_PLAN_READINPUT_H
#define LANE_TOOLS_LANE_PLAN_READINPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace lane {

/// Opens the file `path`, or reads the standard input if it is "-". Of a GGUF
/// file on the standard input, no more than the first 256 MiB are read, which
/// have the header; any other input must be smaller than that.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInput(llvm::StringRef path);

/// Fails if `bytes` are those of a known format that no tool of Lane reads:
/// states what the file is, and what to do. `name` is that of the file.
llvm::Error refuseForeignFormat(llvm::StringRef bytes, llvm::StringRef name);

} // namespace lane

#endif // LANE_TOOLS_LANE_PLAN_READINPUT_H

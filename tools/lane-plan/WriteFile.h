//===- WriteFile.h - Files that are whole or not there ----------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_PLAN_WRITEFILE_H
#define LANE_TOOLS_LANE_PLAN_WRITEFILE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace lane {

/// Writes `text` to `path`: to a file beside it first, which then takes its
/// place. Prints a diagnostic where that fails.
inline llvm::LogicalResult writeWholeFile(mlir::MLIRContext *context,
                                          llvm::StringRef path,
                                          llvm::StringRef text) {
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &out) {
    out << text;
    return llvm::Error::success();
  });
  if (!error)
    return llvm::success();
  return mlir::emitError(mlir::UnknownLoc::get(context))
         << "cannot write " << llvm::toString(std::move(error));
}

} // namespace lane

#endif // LANE_TOOLS_LANE_PLAN_WRITEFILE_H

//===- WriteFile.h - Writes files atomically --------------------*- C++ -*-===//
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

/// Writes `text` to a temporary file in the folder of `path`, then renames it
/// to `path`. Fails after a diagnostic.
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

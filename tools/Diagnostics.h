//===- Diagnostics.h - Errors of command-line tools -------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errors of the tools for people: each is one line.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_DIAGNOSTICS_H
#define LANE_TOOLS_DIAGNOSTICS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/WithColor.h"

namespace lane {

/// Prints the error of a tool as one line, and returns the exit status.
inline int fail(llvm::StringRef tool, llvm::Error error) {
  llvm::WithColor::error(llvm::errs(), tool)
      << llvm::toString(std::move(error)) << '\n';
  return 1;
}

/// Prints a diagnostic as one line, without source excerpts of binary files.
inline llvm::LogicalResult printDiagnostic(llvm::StringRef tool,
                                           mlir::Diagnostic &diagnostic) {
  auto &os = llvm::errs();
  if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
    llvm::WithColor::error(os, tool);
  else if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning)
    llvm::WithColor::warning(os, tool);
  else
    llvm::WithColor::remark(os, tool);
  if (auto loc =
          llvm::dyn_cast<mlir::FileLineColLoc>(diagnostic.getLocation())) {
    os << loc.getFilename().getValue() << ':';
    if (loc.getLine() != 0)
      os << loc.getLine() << ':' << loc.getColumn() << ':';
    os << ' ';
  }
  os << diagnostic << '\n';
  return llvm::success();
}

} // namespace lane

#endif // LANE_TOOLS_DIAGNOSTICS_H

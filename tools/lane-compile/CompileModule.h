//===- CompileModule.h - Plans and compiles a module ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_COMPILE_COMPILEMODULE_H
#define LANE_TOOLS_LANE_COMPILE_COMPILEMODULE_H

#include "Options.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace lane {

/// A compiled module, in memory.
struct CompiledModule {
  /// The plan as text, for people.
  std::string report;
  /// The C header.
  std::string header;
  llvm::SmallVector<char, 0> object;
};

/// Plans and compiles `module`, which is over memrefs or has a program. Fails
/// after a diagnostic.
llvm::FailureOr<CompiledModule> compileModule(mlir::ModuleOp module,
                                              const Options &options);

} // namespace lane

#endif // LANE_TOOLS_LANE_COMPILE_COMPILEMODULE_H

//===- LoadModule.h - Reads the input of lane-compile -----------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_COMPILE_LOADMODULE_H
#define LANE_TOOLS_LANE_COMPILE_LOADMODULE_H

#include "Options.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace lane {

/// Registers the dialects that a module may be in before it has a program, and
/// what makes memrefs of its tensors.
void registerInputDialects(mlir::DialectRegistry &registry);

/// Reads a module as text or bytecode. One with a program stays as it is; for
/// others, makes memrefs of tensors with upstream's `one-shot-bufferize`. Null
/// after a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> loadModule(const Options &options,
                                             mlir::MLIRContext *context);

} // namespace lane

#endif // LANE_TOOLS_LANE_COMPILE_LOADMODULE_H

//===- LoadProgram.h - Reads what lane-plan plans ---------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_PLAN_LOADPROGRAM_H
#define LANE_TOOLS_LANE_PLAN_LOADPROGRAM_H

#include "Options.h"
#include "mlir/IR/OwningOpRef.h"

namespace lane {

/// What lane-plan was given.
struct Input {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The one program of the module.
  ProgramOp program;
  /// The file and the model, for a person.
  std::string title;
};

/// Reads a checkpoint, a program in JSON, or MLIR as text or bytecode. Fails
/// after a diagnostic, also where the module does not have one program.
llvm::FailureOr<Input> loadProgram(const Options &options,
                                   mlir::MLIRContext *context);

} // namespace lane

#endif // LANE_TOOLS_LANE_PLAN_LOADPROGRAM_H

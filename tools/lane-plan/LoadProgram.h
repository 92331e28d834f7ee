//===- LoadProgram.h - Reads the input of lane-plan -------------*- C++ -*-===//
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

/// The input of lane-plan.
struct Input {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The only program of the module.
  ProgramOp program;
  /// Describes the file and the model, for reports.
  std::string title;
};

/// Reads a checkpoint, a program in JSON, or MLIR as text or bytecode. Emits a
/// diagnostic and fails if that is not possible, or if the module does not have
/// exactly one program.
llvm::FailureOr<Input> loadProgram(const Options &options,
                                   mlir::MLIRContext *context);

} // namespace lane

#endif // LANE_TOOLS_LANE_PLAN_LOADPROGRAM_H

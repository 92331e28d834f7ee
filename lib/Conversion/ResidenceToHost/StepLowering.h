//===- StepLowering.h - Steps as functions of a program ---------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_RESIDENCETOHOST_STEPLOWERING_H
#define LANE_LIB_CONVERSION_RESIDENCETOHOST_STEPLOWERING_H

#include "HostDescription.h"
#include "lane/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace lane {

/// The functions of `module` that are steps of `program`, in order.
llvm::SmallVector<mlir::func::FuncOp> findSteps(mlir::ModuleOp module,
                                                ProgramOp program);

/// Adds an entry point "lane_NAME_FORM(program, stream)" for each step, whose
/// body the step becomes: buffers are loads from the program's pointers. Fails,
/// with a diagnostic, where a step has arguments, or two have one form.
llvm::LogicalResult lowerSteps(mlir::ModuleOp module, ProgramOp program,
                               const PoolLayout &layout,
                               const HostDescription &description,
                               HostSteps kind);

} // namespace lane

#endif // LANE_LIB_CONVERSION_RESIDENCETOHOST_STEPLOWERING_H

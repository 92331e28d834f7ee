//===- StepStream.h - The stream of a step ----------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_RESIDENCETOHOST_STEPSTREAM_H
#define LANE_LIB_CONVERSION_RESIDENCETOHOST_STEPSTREAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace lane {

/// Puts all launches, copies and fills of `step` on `stream`, in order. The
/// host waits for none of them, so that a CUDA graph can capture the step.
/// Fails, with a diagnostic, at an operation that cannot run on a stream.
llvm::LogicalResult putOnStream(mlir::func::FuncOp step, mlir::Value stream);

} // namespace lane

#endif // LANE_LIB_CONVERSION_RESIDENCETOHOST_STEPSTREAM_H

//===- StepMaker.h - Functions as steps of forms ----------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_LINALGTOLANE_STEPMAKER_H
#define LANE_LIB_CONVERSION_LINALGTOLANE_STEPMAKER_H

#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace lane::linalgtolane {

/// The buffer of each memref of a function that is not a view.
using BufferMap = llvm::DenseMap<mlir::Value, mlir::Value>;

/// Makes a function that was raised to `form` its step: arguments, globals and
/// allocations become `lane.get_memref`, deallocations go, and the function
/// returns nothing. Launches, views and kernels stay. It gets the name of the
/// form with the suffix "_step".
void makeStep(mlir::func::FuncOp function, FormOp form,
              const BufferMap &buffers);

} // namespace lane::linalgtolane

#endif // LANE_LIB_CONVERSION_LINALGTOLANE_STEPMAKER_H

//===- FormRaiser.h - Raises a function to a form ---------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raises a function over memrefs to a form: its memrefs become buffers, and its
// operations with LaunchOpInterface launches.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_LINALGTOLANE_FORMRAISER_H
#define LANE_LIB_CONVERSION_LINALGTOLANE_FORMRAISER_H

#include "ProgramRaiser.h"
#include "StepMaker.h"
#include "lane/Dialect/Lane/IR/LaneInterfaces.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace lane::linalgtolane {

/// Raises one function to a form.
class FormRaiser {
public:
  FormRaiser(ProgramRaiser &program, mlir::func::FuncOp function)
      : program(program), function(function), builder(function.getContext()) {}

  llvm::LogicalResult raise();
  /// Makes the function, which was raised, the step of its form.
  void makeStep() { linalgtolane::makeStep(function, form, buffers); }

private:
  llvm::LogicalResult makeForm();
  void findReturned();
  llvm::LogicalResult raiseOperation(mlir::Operation &op);
  llvm::LogicalResult raiseLaunch(LaunchOpInterface launch);
  mlir::Value getBuffer(mlir::Operation *user, mlir::Value memref);
  mlir::Value makeBuffer(mlir::Operation *user, mlir::Value memref);
  mlir::Value makeGlobal(mlir::memref::GetGlobalOp get);
  mlir::Value makeArgument(mlir::BlockArgument argument);
  mlir::Value makeAlloc(mlir::Operation *op, mlir::Value memref,
                        llvm::StringRef name, bool isCarried);
  mlir::Value makeParam(mlir::Operation *op, mlir::Value memref,
                        llvm::StringRef name, bool isPosition);
  mlir::Value makeRef(mlir::Operation *op, mlir::Operation *symbol);

  ProgramRaiser &program;
  mlir::func::FuncOp function;
  mlir::OpBuilder builder;
  FormOp form;
  /// The buffer of each memref that is not a view.
  BufferMap buffers;
  /// The reference to each symbol.
  llvm::DenseMap<mlir::Operation *, mlir::Value> refs;
  /// The memrefs that the function returns.
  llvm::DenseSet<mlir::Value> returned;
  int64_t numAllocs = 0;
};

} // namespace lane::linalgtolane

#endif // LANE_LIB_CONVERSION_LINALGTOLANE_FORMRAISER_H

//===- LaneInterfaces.h - Interfaces of the lane dialect --------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The launches and buffers of any dialect, as analyses see them.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_IR_LANEINTERFACES_H
#define LANE_DIALECT_LANE_IR_LANEINTERFACES_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "mlir/IR/OpDefinition.h"

namespace lane {

/// How a launch reads an operand. Of a stack of `experts`, it reads `active`.
struct ReadAccess {
  AccessKind kind = AccessKind::Dense;
  int64_t active = 0;
  int64_t experts = 0;
};

class LaunchOpInterface;

namespace detail {
/// Collects the operands on which `op` has a read effect, or a write effect, in
/// the order of MemoryEffectOpInterface.
template <bool Write>
void getOperandsWithEffect(mlir::Operation *op,
                           llvm::SmallVectorImpl<mlir::OpOperand *> &operands);

/// Verifies a launch: scratch tags are unique, parts are launches without
/// scratch, and no matrix is written.
llvm::LogicalResult verifyLaunch(mlir::Operation *op);
} // namespace detail

/// The operation that defines the storage of `buffer`: its defining operation,
/// or that of the base if it is a view. Null for a block argument.
mlir::Operation *getBaseBuffer(mlir::Value buffer);

} // namespace lane

#include "lane/Dialect/Lane/IR/LaneInterfaces.h.inc"

#endif // LANE_DIALECT_LANE_IR_LANEINTERFACES_H

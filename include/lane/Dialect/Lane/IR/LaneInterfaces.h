//===- LaneInterfaces.h - Interfaces of the lane dialect --------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What analyses see of launches and buffers, whatever dialect they are of.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_IR_LANEINTERFACES_H
#define LANE_DIALECT_LANE_IR_LANEINTERFACES_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "mlir/IR/OpDefinition.h"

namespace lane {

/// How a launch reads an operand; of a stack of `experts`, `chosen` are read.
struct ReadAccess {
  AccessKind kind = AccessKind::Dense;
  int64_t chosen = 0;
  int64_t experts = 0;
};

class LaunchOpInterface;

namespace detail {
/// Collects the operands of `op` on which it has a read effect, or a write
/// effect, in the order in which MemoryEffectOpInterface gives them.
template <bool Write>
void getOperandsWithEffect(mlir::Operation *op,
                           llvm::SmallVectorImpl<mlir::OpOperand *> &operands);

/// What every launch must hold: scratch told apart by its tag, parts that are
/// launches without scratch of their own, and no write to a matrix.
llvm::LogicalResult verifyLaunch(mlir::Operation *op);
} // namespace detail

/// The operation that defines the storage which `buffer` lies in: its own, or
/// through views the base's. Null for a block argument.
mlir::Operation *getBaseBuffer(mlir::Value buffer);

} // namespace lane

#include "lane/Dialect/Lane/IR/LaneInterfaces.h.inc"

#endif // LANE_DIALECT_LANE_IR_LANEINTERFACES_H

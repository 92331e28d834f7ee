//===- LaneOps.h - Operations of the lane dialect ---------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs, forms, buffers and launches.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_IR_LANEOPS_H
#define LANE_DIALECT_LANE_IR_LANEOPS_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Dialect/Lane/IR/LaneInterfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace lane {
class FormOp;
} // namespace lane

#define GET_OP_CLASSES
#include "lane/Dialect/Lane/IR/LaneOps.h.inc"

namespace lane {

/// Emits an error at the location of `op` that starts with its name, like
/// emitOpError, but does not print the operation, which may have thousands of
/// lines.
mlir::InFlightDiagnostic emitBriefOpError(mlir::Operation *op);

} // namespace lane

#endif // LANE_DIALECT_LANE_IR_LANEOPS_H

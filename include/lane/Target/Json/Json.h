//===- Json.h - Programs from JSON, plans to JSON ---------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON form of a program, for compilers that do not link MLIR, and of its
// plan. docs/Json.md describes both.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TARGET_JSON_JSON_H
#define LANE_TARGET_JSON_JSON_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace lane {

/// Builds a module with the one program that `buffer` describes. Null, after a
/// diagnostic at the buffer's name, where it does not describe one.
mlir::OwningOpRef<mlir::ModuleOp> importJson(llvm::MemoryBufferRef buffer,
                                             mlir::MLIRContext *context);

/// Prints the plan of the one program in `module`, and its placement where it
/// has one. Fails, after a diagnostic, when there is no program or more than
/// one, no plan, or a stale one.
llvm::LogicalResult exportPlanJson(mlir::ModuleOp module,
                                   llvm::raw_ostream &os);

} // namespace lane

#endif // LANE_TARGET_JSON_JSON_H

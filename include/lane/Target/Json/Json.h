//===- Json.h - Programs from JSON, plans to JSON ---------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Imports programs from JSON, for compilers that do not link MLIR, and exports
// their plans. docs/Json.md describes both.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TARGET_JSON_JSON_H
#define LANE_TARGET_JSON_JSON_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace lane {

class Checkpoint;
struct DeviceSpec;

/// Builds a module with the program in `buffer`. Emits a diagnostic with the
/// buffer's name and returns null if it is not a program.
mlir::OwningOpRef<mlir::ModuleOp> importJson(llvm::MemoryBufferRef buffer,
                                             mlir::MLIRContext *context);

/// Prints the plan of the program in `module`, and its placement if there is
/// one; with `device`, whose free memory was estimated for the placement, also
/// its memory and reserve. Emits a diagnostic and fails if the module does not
/// have exactly one program, or if its plan is missing or stale.
llvm::LogicalResult exportPlanJson(mlir::ModuleOp module, llvm::raw_ostream &os,
                                   const DeviceSpec *device = nullptr);

/// Prints the files of a checkpoint, by name without folder, and its tensors:
/// `name`, `format`, `shape` (the contiguous dimension last), the index of its
/// `file`, and `offset` and `bytes` in that file. Bytes of a name that are not
/// UTF-8 become U+FFFD.
void printCheckpointJson(const Checkpoint &checkpoint, llvm::raw_ostream &os);

} // namespace lane

#endif // LANE_TARGET_JSON_JSON_H

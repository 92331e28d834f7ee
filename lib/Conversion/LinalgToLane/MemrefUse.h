//===- MemrefUse.h - How code uses a memref ---------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds whether code reads or writes a memref, and whether it indexes the
// memref by data, as a gather does.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_LINALGTOLANE_MEMREFUSE_H
#define LANE_LIB_CONVERSION_LINALGTOLANE_MEMREFUSE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace lane::linalgtolane {

/// The values that an index is computed from.
struct IndexSources {
  /// Elements of a linalg operation's operands.
  llvm::SmallVector<mlir::BlockArgument> elements;
  bool hasLoad = false;
  /// It has many values for one datum: it is a loop index or a thread number.
  bool hasLoop = false;

  /// Each datum gives one index, not all of them as a loop does.
  bool isData() const { return (hasLoad || !elements.empty()) && !hasLoop; }
};
/// Finds the sources of `index`.
IndexSources findSources(mlir::Value index);

/// How code uses a memref.
struct MemrefUse {
  bool reads = false;
  bool writes = false;
  /// The first index of every read comes from data.
  bool isIndexed = true;

  void add(const MemrefUse &other) {
    reads |= other.reads;
    writes |= other.writes;
    // Only reads have indices.
    isIndexed &= other.isIndexed || !other.reads;
  }
};
/// How the operation with `operand` uses that memref.
MemrefUse getUse(mlir::OpOperand &operand);

} // namespace lane::linalgtolane

#endif // LANE_LIB_CONVERSION_LINALGTOLANE_MEMREFUSE_H

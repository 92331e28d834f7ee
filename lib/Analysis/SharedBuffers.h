//===- SharedBuffers.h - What the forms share, by name ----------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The matrices, values and state of a program as the planner finds them by
// name. A form mostly takes them in the order of the program, so a look-up
// first tries the neighbours of the last one. Only a program that does not
// needs a table, which at a million names does not fit a cache:
// residence-plan-bench takes 288 ns a launch with the neighbours and 342 ns
// without, and 6% against 7% of the module's memory (100,000 launches, best of
// four runs).
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_ANALYSIS_SHAREDBUFFERS_H
#define LANE_LIB_ANALYSIS_SHAREDBUFFERS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include <limits>

namespace lane {

/// Index of a matrix, or none.
using MatrixIndex = uint32_t;
constexpr MatrixIndex kNoMatrix = std::numeric_limits<MatrixIndex>::max();

/// What the forms share. Each storage has its place from the first form that
/// needs it in the pool.
struct SharedBuffer {
  /// Of a matrix.
  MatrixIndex index = kNoMatrix;
  bool isValues = false;
  bool placedPlain = false;
  bool placedQuantized = false;
};

class SharedBuffers {
public:
  void reserve(size_t count) { entries.reserve(count); }

  /// Adds a buffer. All are added before the first look-up.
  void add(mlir::StringAttr name, const SharedBuffer &buffer) {
    entries.push_back({name, buffer});
  }

  /// Starts at the first again, as each form does.
  void rewind() { last = 0; }

  /// The buffer of this name, or null.
  SharedBuffer *lookup(mlir::StringAttr name);

private:
  /// The one of index `position`, if it has the name.
  SharedBuffer *tryAt(size_t position, mlir::StringAttr name) {
    // One before the first wraps to past the last.
    if (position >= entries.size() || entries[position].first != name)
      return nullptr;
    last = position;
    return &entries[position].second;
  }

  llvm::SmallVector<std::pair<mlir::StringAttr, SharedBuffer>, 0> entries;
  size_t last = 0;
  /// Positions by name, made when first needed.
  llvm::DenseMap<mlir::StringAttr, uint32_t> positions;
};

} // namespace lane

#endif // LANE_LIB_ANALYSIS_SHAREDBUFFERS_H

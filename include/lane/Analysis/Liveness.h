//===- Liveness.h - Lifetimes of buffers in a form's arena ------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the arena problem of a form: the storages and scratch that may be in
// its arena, and the lifetime of each.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_LIVENESS_H
#define LANE_ANALYSIS_LIVENESS_H

#include "lane/Analysis/ArenaPacking.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"

namespace lane {

/// The storage or scratch of an arena item.
struct ArenaSlot {
  enum class Kind { Plain, Quantized, Scratch };

  Kind kind = Kind::Plain;
  /// The buffer of the storage, or the launch of the scratch.
  mlir::Operation *op = nullptr;
  /// For scratch: its index in the launch's array.
  unsigned scratchIndex = 0;
};

/// The arena problem of a form: `problem.items[i]` is the lifetime of
/// `slots[i]`.
struct FormLiveness {
  llvm::SmallVector<ArenaSlot> slots;
  ArenaProblem problem;
  int64_t numLaunches = 0;
};

/// Collects the storages and scratch that may be in the arena of `form`, in
/// form order:
///
/// - the storages of each `lane.alloc` that a launch uses, unless the buffer is
///   carried;
/// - the quantized storage of each view of such a buffer, if a launch uses it
///   and it has its own bytes: see `getQuantizedBuffer`;
/// - the scratch of each launch, except counters.
///
/// A storage is live from its first write to its last read, in indices of
/// top-level launches. Uses of a view count as uses of its base. A storage that
/// is read before it is written is live from the start of the form, and, if it
/// is also written, to the end, for the next step. A storage whose last use is
/// a write is live to the end, since the host may read it. Both storages of a
/// buffer have the same lifetime, since launches do not state which of them
/// they use. Scratch is live during its launch. Linear in the size of the form.
FormLiveness computeLiveness(FormOp form);

/// The operation that has the quants and scales of `buffer`: its defining
/// operation or, for a view at a multiple of the quantization block, that of
/// its base. Null for a block argument.
mlir::Operation *getQuantizedBuffer(mlir::Value buffer);

} // namespace lane

#endif // LANE_ANALYSIS_LIVENESS_H

//===- Liveness.h - What lies in a form's arena, and when -------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes an arena problem of a form: the storages and scratch that can lie in
// its arena, and from which launch to which each is needed.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_LIVENESS_H
#define LANE_ANALYSIS_LIVENESS_H

#include "lane/Analysis/ArenaPacking.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"

namespace lane {

/// Where the slot of an arena item is written.
struct ArenaSlot {
  enum class Kind { Plain, Quantized, Scratch };

  Kind kind = Kind::Plain;
  /// The buffer whose storage it is, or the launch whose scratch it is.
  mlir::Operation *op = nullptr;
  /// Of scratch: its place in the launch's array.
  unsigned scratchIndex = 0;
};

/// A form's arena: `problem.items[i]` is the life of `slots[i]`.
struct FormLiveness {
  llvm::SmallVector<ArenaSlot> slots;
  ArenaProblem problem;
  int64_t numLaunches = 0;
};

/// Collects what can lie in the arena of `form`, in the form's order:
///
/// - of each `lane.alloc` that is not carried and that a launch uses, the plain
///   and the quantized storage where they are touched;
/// - of each view of such a buffer the quantized storage, where it has bytes of
///   its own: see `getQuantizedBuffer`;
/// - of each launch the scratch that is no counter.
///
/// A storage lives from its first write to its last read, in indices of
/// top-level launches; a use through a view is one of the base. One that is
/// read before it is written lives from the start of the form, and if it is
/// written as well until the end, as for the step to come; one that is written
/// last lives until the end, where the host may read it. Both storages of a
/// buffer have one life: which of the two a launch touches is not said. Scratch
/// lives for its launch. Linear in the form.
FormLiveness computeLiveness(FormOp form);

/// The operation whose quantized storage the levels and scales of `buffer` lie
/// in: its own, or through views at whole quantization blocks the base's. Null
/// for a block argument.
mlir::Operation *getQuantizedBuffer(mlir::Value buffer);

} // namespace lane

#endif // LANE_ANALYSIS_LIVENESS_H

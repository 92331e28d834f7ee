//===- PoolLayout.h - Offsets of every array of a program -------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan counts bytes; a layout has the offset of each array. An array is in
// the arena, in the fixed part of the device pool, or in an upload, which is
// placed on the device or on the host. Plan and layout come from one walk of
// the program, so they have the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_POOLLAYOUT_H
#define LANE_ANALYSIS_POOLLAYOUT_H

#include "lane/Analysis/Residence.h"

namespace lane {

/// An array that a kernel reads or writes through a pointer.
struct LaidOutArray {
  enum class Place { Arena, Fixed, Upload };

  /// Unique in the program. A buffer of a form has the form's name before its
  /// own: "decode.x"; a second array of a buffer a suffix: "w.scales".
  std::string name;
  Place place = Place::Fixed;
  /// Of an upload: its rank in the plan's order.
  int64_t rank = 0;
  /// Bytes from the start of the arena, the fixed part or the upload.
  int64_t offset = 0;
  int64_t bytes = 0;
  /// What fills it; null for what the loop keeps, and for scratch.
  mlir::Operation *op = nullptr;
};

/// The layout of a program: its arrays, and the bytes of the fixed part.
struct PoolLayout {
  llvm::SmallVector<LaidOutArray, 0> arrays;
  int64_t fixedBytes = 0;
};

/// Bytes from the start of an upload in q8_0 to its fp16 scales, which follow
/// the quants.
int64_t getScalesOffset(MatrixType type);

/// Lays out `program`, whose plan is `plan`: first the arrays of the uploads,
/// in the plan's order, and of their aliases, then those of the fixed part and
/// of the arenas. Fails, with a diagnostic, where a slot of an arena has no
/// offset yet.
llvm::FailureOr<PoolLayout> computePoolLayout(ProgramOp program,
                                              const ResidencePlan &plan);

} // namespace lane

#endif // LANE_ANALYSIS_POOLLAYOUT_H

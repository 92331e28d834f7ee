//===- PoolLayout.h - Offsets of every array of a program -------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of a program: the offset of each array in the arena, in the fixed
// part of the device pool, or in its upload. Plan and layout come from the same
// walk over the program, so they have the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_POOLLAYOUT_H
#define LANE_ANALYSIS_POOLLAYOUT_H

#include "lane/Analysis/Residence.h"

namespace lane {

/// An array that a kernel reads or writes through a pointer.
struct LaidOutArray {
  enum class Place { Arena, Fixed, Upload };

  /// Unique in the program. The name of a form's buffer starts with that of the
  /// form, as in "decode.x". Further arrays of a buffer have a suffix, as in
  /// "w.scales".
  std::string name;
  Place place = Place::Fixed;
  /// For an array in an upload: the upload's rank in the plan's order.
  int64_t rank = 0;
  /// Bytes from the start of the arena, the fixed part or the upload.
  int64_t offset = 0;
  int64_t bytes = 0;
  /// The buffer, constant or launch that it belongs to; null for an array of
  /// the generation loop.
  mlir::Operation *op = nullptr;
  /// Which array of the buffer it is.
  ArrayKind kind = ArrayKind::Plain;
  /// The tag of scratch.
  int64_t tag = 0;
};

/// The layout of a program: its arrays, and the bytes of the fixed part.
struct PoolLayout {
  llvm::SmallVector<LaidOutArray, 0> arrays;
  int64_t fixedBytes = 0;
};

/// Bytes from the start of a q8_0 upload to its fp16 scales, which follow the
/// quants.
int64_t getScalesOffset(MatrixType type);

/// Lays out `program`, whose plan is `plan`. The arrays of the uploads come
/// first, in the plan's order, then those of aliases, of the fixed part and of
/// the arenas. Fails, with a diagnostic, if a slot in an arena has no offset.
llvm::FailureOr<PoolLayout> computePoolLayout(ProgramOp program,
                                              const ResidencePlan &plan);

} // namespace lane

#endif // LANE_ANALYSIS_POOLLAYOUT_H

//===- Segment.h - What is copied from where to where -----------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order in which the compiler writes the figures of a segment, and in which
// the runtime reads them.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_SEGMENT_H
#define LANE_LIB_RUNTIME_SEGMENT_H

#include <cstdint>

/// Bytes that are filled at the start. One line of the table of segments, which
/// is sorted by file and offset, what comes of no file first.
struct LaneSegment {
  /// Of the checkpoint's files; or kZeros, or kValues.
  int64_t file;
  /// Bytes from the file's start; of values, the first of the table.
  int64_t offset;
  int64_t bytes;
  /// Of what comes from a file: ggml's id of the type, the elements of a row,
  /// and its bytes.
  int64_t type;
  int64_t columns;
  int64_t rowBytes;
  /// The upload it belongs to, or kArena, or kFixed.
  int64_t upload;
  /// Bytes from the start of the upload, the arena or the fixed part.
  int64_t destination;
  /// Of q8_0 in an upload, whose levels and half scales are two arrays: the
  /// scales' bytes from the start of the upload. 0 for what is copied whole.
  int64_t scalesDestination;
  /// Bytes from the start of the names to the tensor's.
  int64_t name;

  static constexpr int64_t kNumFigures = 10;
  static constexpr int64_t kZeros = -2;
  static constexpr int64_t kValues = -1;
  static constexpr int64_t kArena = -2;
  static constexpr int64_t kFixed = -1;
};

#endif // LANE_LIB_RUNTIME_SEGMENT_H

//===- HostTables.h - The tables of a generated program ---------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that differs from one generated program to the next: names and figures.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_HOSTTABLES_H
#define LANE_LIB_CONVERSION_HOSTTABLES_H

#include "lane/Analysis/PoolLayout.h"
#include <string>
#include <vector>

namespace lane {

struct HostTables {
  /// What the program's functions start with: "lane_tiny".
  std::string prefix;
  /// For each pointer: its C identifier, a comment, its base (-2 the arena, -1
  /// the pool, or the rank of an upload) and its offset from there in bytes.
  std::vector<std::string> identifiers;
  std::vector<std::string> comments;
  std::vector<int64_t> bases;
  std::vector<int64_t> offsets;
  /// Bytes of each upload, in the plan's order.
  std::vector<int64_t> uploadBytes;
  /// The figures of each segment, as lib/Runtime/Segment.h orders them, and the
  /// names of the tensors they are of.
  std::vector<int64_t> segments;
  std::string segmentNames;
  /// Values that are known at compile time.
  std::vector<float> values;
  /// Names of the checkpoint's files, each with its zero byte.
  std::string fileNames;
  int64_t numFiles = 0;

  int64_t getNumSegments() const;
};

/// Makes the tables of `program`, which is laid out as `layout`. Fails, with a
/// diagnostic, where a name of a file has a zero byte in it.
llvm::FailureOr<HostTables> makeHostTables(ProgramOp program,
                                           const ResidencePlan &plan,
                                           const PoolLayout &layout);

} // namespace lane

#endif // LANE_LIB_CONVERSION_HOSTTABLES_H

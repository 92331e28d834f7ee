//===- Placement.h - How far down the order to go ---------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The placement problem, its solution and a verifier of solutions. It knows
// nothing of the IR, so that a policy can be tested, or run by a program at its
// start, without one.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_PLACEMENT_H
#define LANE_ANALYSIS_PLACEMENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace lane {

/// What is to be placed. The components are:
///
/// - bytes that stay on the device whatever the budget: arena and fixed;
/// - the uploads, in the order in which they leave the device, in bytes.
///
/// Every figure is at least 0, and their sum is at most INT64_MAX; `check`
/// says so.
struct PlacementProblem {
  int64_t arenaBytes = 0;
  int64_t fixedBytes = 0;
  llvm::SmallVector<int64_t> uploadBytes;

  /// Fails, naming the first figure that is negative or passes INT64_MAX.
  llvm::Error check() const;
  /// Bytes that cannot leave the device. Requires a problem that checks.
  int64_t getPinnedBytes() const { return arenaBytes + fixedBytes; }
  /// All bytes, wherever they live. Requires a problem that checks.
  int64_t getWholeBytes() const;
};

/// A solution: the first `moved` uploads of the order live on the host.
struct Placement {
  int64_t budgetBytes = 0;
  int64_t moved = 0;
  int64_t deviceBytes = 0;
  int64_t hostBytes = 0;
};

/// The specified policy: uploads leave in order, the first first, until the
/// rest fits the budget or none is left. Fails when arena and fixed exceed the
/// budget, naming both figures. Linear in the uploads.
llvm::Expected<Placement> placeInOrder(const PlacementProblem &problem,
                                       int64_t budgetBytes);

/// Checks a solution against its problem from the definitions alone: the bytes
/// on each side are those of the uploads there, the device keeps to the
/// budget, and with one upload fewer on the host it would not.
llvm::Error verifyPlacement(const PlacementProblem &problem,
                            const Placement &placement);

} // namespace lane

#endif // LANE_ANALYSIS_PLACEMENT_H

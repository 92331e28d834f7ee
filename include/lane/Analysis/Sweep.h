//===- Sweep.h - The cost of a step at every budget -------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_SWEEP_H
#define LANE_ANALYSIS_SWEEP_H

#include "lane/Analysis/Placement.h"

namespace lane {

/// Default number of budgets of a sweep.
constexpr int64_t kSweepPoints = 33;

/// The placements of both policies at one budget.
struct SweepPoint {
  Placement lastRead;
  Placement leastTraffic;
};

/// Bandwidths of a device in bytes per second.
struct DeviceSpeed {
  int64_t memoryBytesPerSecond;
  /// For mapped host memory.
  int64_t linkBytesPerSecond;
};

/// Places at a budget that passes checkBudget. A placement may exceed the limit
/// of host bytes, which reports print as refused. Requires step bytes.
SweepPoint computeSweepPoint(const PlacementProblem &problem,
                             int64_t budgetBytes);

/// Places as above at `numPoints` budgets, at least 2 and evenly spaced, from
/// the least of the problem to the least at which nothing moves.
llvm::SmallVector<SweepPoint> computeSweep(const PlacementProblem &problem,
                                           int64_t numPoints = kSweepPoints);

/// Estimates the time of the reads of a step: first those from device memory,
/// then those from the host over the link.
double estimateStepSeconds(const PlacementProblem &problem,
                           const Placement &placement,
                           const DeviceSpeed &speed);

} // namespace lane

#endif // LANE_ANALYSIS_SWEEP_H

//===- Sweep.h - What a step costs at every budget --------------*- C++ -*-===//
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

/// Budgets of a sweep where nothing else is asked for.
constexpr int64_t kSweepPoints = 33;

/// Both policies at one budget, with the bound.
struct SweepPoint {
  Placement lastRead;
  Placement leastTraffic;
};

/// How fast a card reads, in bytes a second.
struct DeviceSpeed {
  int64_t memoryBytesPerSecond;
  /// Of mapped host memory, over the link.
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

/// An estimate of a step that is bound by reading its weights: those on the
/// device at the speed of its memory, those on the host at that of the link,
/// one after the other.
double estimateStepSeconds(const PlacementProblem &problem,
                           const Placement &placement,
                           const DeviceSpeed &speed);

} // namespace lane

#endif // LANE_ANALYSIS_SWEEP_H

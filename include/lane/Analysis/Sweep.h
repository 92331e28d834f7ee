//===- Sweep.h - What a step costs at every budget --------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_SWEEP_H
#define LANE_ANALYSIS_SWEEP_H

#include "lane/Analysis/LeastTraffic.h"

namespace lane {

/// Budgets of a sweep where nothing else is asked for.
constexpr int64_t kSweepPoints = 33;

/// Both policies at one budget, with the bound.
struct SweepPoint {
  TrafficPlacement lastRead;
  TrafficPlacement leastTraffic;
};

/// How fast a card reads, in bytes a second.
struct DeviceSpeed {
  int64_t memoryBytesPerSecond;
  /// Of mapped host memory, over the link.
  int64_t linkBytesPerSecond;
};

/// Places at a budget that runs. Requires a problem that checks.
SweepPoint computeSweepPoint(const TrafficProblem &problem,
                             int64_t budgetBytes);

/// Places at `numPoints` budgets, at least 2 and evenly spaced, from the least
/// that runs at all to the least at which nothing moves. Requires a problem
/// that checks.
llvm::SmallVector<SweepPoint> computeSweep(const TrafficProblem &problem,
                                           int64_t numPoints = kSweepPoints);

/// An estimate of a step that is bound by reading its weights: those on the
/// device at the speed of its memory, those on the host at that of the link,
/// one after the other.
double estimateStepSeconds(const TrafficProblem &problem,
                           const TrafficPlacement &placement,
                           const DeviceSpeed &speed);

} // namespace lane

#endif // LANE_ANALYSIS_SWEEP_H

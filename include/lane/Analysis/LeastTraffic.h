//===- LeastTraffic.h - The uploads that cost a step least ------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The specified order is right in kind, and can overshoot: for a deficit of
// 50 MB it may move an output head of 1 GB. The policy of least traffic moves
// those uploads, whatever their place in the order, of which a step reads the
// fewest bytes from the host. That is a covering knapsack; models have few
// kinds of matrices, so it is solved exactly.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_LEASTTRAFFIC_H
#define LANE_ANALYSIS_LEASTTRAFFIC_H

#include "lane/Analysis/Placement.h"

namespace lane {

/// What is to be placed, and what a step reads of it.
struct TrafficProblem {
  PlacementProblem placement;
  /// Bytes that a step reads of each upload, in the uploads' order.
  llvm::SmallVector<int64_t> stepBytes;

  /// Fails, naming the first figure that is negative or passes INT64_MAX, or
  /// when there is not one for each upload.
  llvm::Error check() const;
};

/// A solution: any of the uploads live on the host.
struct TrafficPlacement {
  int64_t budgetBytes = 0;
  /// Ranks of the uploads on the host, ascending.
  llvm::SmallVector<int64_t> moved;
  int64_t deviceBytes = 0;
  int64_t hostBytes = 0;
  /// Bytes that a step reads from the host.
  int64_t hostStepBytes = 0;
  /// No placement that keeps the budget reads less from the host: what it
  /// would read if one upload could be parted, rounded up to what uploads can
  /// have together.
  int64_t boundHostStepBytes = 0;
  /// Whether it is proved that no placement reads less from the host; false
  /// where the work passed its limit before.
  bool isExact = true;
};

/// Steps of the search after which it gives up on exactness. The generated
/// program has the same limit: so many take less than a millisecond.
constexpr int64_t kTrafficWorkLimit = int64_t(1) << 14;

/// Moves the uploads whose traffic is least: of those that leave the rest
/// within the budget the ones of which a step reads the fewest bytes; of
/// these, the ones with the fewest bytes; of these, the ones that come first in
/// the order. Past `workLimit` the best that was found is returned, which is
/// never worse than the specified order. Fails as placeInOrder does. Requires a
/// problem that checks.
llvm::Expected<TrafficPlacement>
placeLeastTraffic(const TrafficProblem &problem, int64_t budgetBytes,
                  int64_t workLimit = kTrafficWorkLimit);

/// The placement of the specified order, with its traffic and the bound.
llvm::Expected<TrafficPlacement>
placeInOrderWithTraffic(const TrafficProblem &problem, int64_t budgetBytes);

/// Checks a solution from the definitions alone: figures are sums over the
/// uploads moved, the device keeps to the budget, and the traffic is no less
/// than the bound.
llvm::Error verifyTrafficPlacement(const TrafficProblem &problem,
                                   const TrafficPlacement &placement);

} // namespace lane

#endif // LANE_ANALYSIS_LEASTTRAFFIC_H

//===- LeastTraffic.cpp - The uploads that cost a step least --------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/LeastTraffic.h"
#include "lane/Support/Bytes.h"
#include "lane/Support/TrafficSearch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace lane;

Error TrafficProblem::check() const {
  if (Error error = placement.check())
    return error;
  if (stepBytes.size() != placement.uploadBytes.size())
    return createStringError(formatv("{0} uploads have the traffic of {1}",
                                     placement.uploadBytes.size(),
                                     stepBytes.size())
                                 .str());
  int64_t sum = 0;
  for (auto [rank, bytes] : enumerate(stepBytes)) {
    std::optional<int64_t> next =
        bytes < 0 ? std::nullopt : checkedAddBytes(sum, bytes);
    if (!next)
      return createStringError(
          formatv("the traffic of {0} bytes of upload {1} is negative or "
                  "brings the sum past 2^63",
                  bytes, rank)
              .str());
    sum = *next;
  }
  return Error::success();
}

/// Bytes that must leave the device; none where not positive.
static int64_t getDeficit(const TrafficProblem &problem, int64_t budgetBytes) {
  return problem.placement.getWholeBytes() - budgetBytes;
}

static_assert(kTrafficWorkLimit == kLaneTrafficWorkLimit,
              "the planner and the program would differ");

static LaneTrafficSearch makeSearch(const TrafficProblem &problem,
                                    int64_t deficit, int64_t workLimit) {
  return LaneTrafficSearch(problem.placement.uploadBytes.data(),
                           problem.stepBytes.data(), problem.stepBytes.size(),
                           deficit, workLimit);
}

static TrafficPlacement makePlacement(const TrafficProblem &problem,
                                      int64_t budgetBytes,
                                      LaneTrafficCover cover) {
  TrafficPlacement placement;
  placement.budgetBytes = budgetBytes;
  placement.moved.assign(cover.ranks.begin(), cover.ranks.end());
  placement.deviceBytes = problem.placement.getWholeBytes() - cover.bytes;
  placement.hostBytes = cover.bytes;
  placement.hostStepBytes = cover.traffic;
  return placement;
}

Expected<TrafficPlacement>
lane::placeLeastTraffic(const TrafficProblem &problem, int64_t budgetBytes,
                        int64_t workLimit) {
  Expected<Placement> placed = placeInOrder(problem.placement, budgetBytes);
  if (!placed)
    return placed.takeError();
  int64_t deficit = getDeficit(problem, budgetBytes);
  if (deficit <= 0)
    return makePlacement(problem, budgetBytes, LaneTrafficCover{0, 0, {}});
  LaneTrafficSearch search = makeSearch(problem, deficit, workLimit);
  TrafficPlacement placement =
      makePlacement(problem, budgetBytes, search.run());
  placement.boundHostStepBytes = search.getBound();
  placement.isExact = search.isLeast();
  return placement;
}

Expected<TrafficPlacement>
lane::placeInOrderWithTraffic(const TrafficProblem &problem,
                              int64_t budgetBytes) {
  Expected<Placement> placed = placeInOrder(problem.placement, budgetBytes);
  if (!placed)
    return placed.takeError();
  LaneTrafficCover cover{0, placed->hostBytes, {}};
  for (int64_t rank = 0; rank < placed->moved; ++rank) {
    cover.traffic += problem.stepBytes[rank];
    cover.ranks.push_back(rank);
  }
  TrafficPlacement placement =
      makePlacement(problem, budgetBytes, std::move(cover));
  int64_t deficit = getDeficit(problem, budgetBytes);
  if (deficit > 0)
    placement.boundHostStepBytes =
        makeSearch(problem, deficit, /*workLimit=*/0).getBound();
  // Another order may be better.
  placement.isExact = placement.hostStepBytes == placement.boundHostStepBytes;
  return placement;
}

Error lane::verifyTrafficPlacement(const TrafficProblem &problem,
                                   const TrafficPlacement &placement) {
  auto refuse = [](const formatv_object_base &why) {
    return createStringError(why.str());
  };
  int64_t hostBytes = 0, stepBytes = 0, last = -1;
  for (int64_t rank : placement.moved) {
    if (rank <= last || rank >= static_cast<int64_t>(problem.stepBytes.size()))
      return refuse(formatv("rank {0} of {1} after {2}", rank,
                            problem.stepBytes.size(), last));
    last = rank;
    hostBytes += problem.placement.uploadBytes[rank];
    stepBytes += problem.stepBytes[rank];
  }
  if (hostBytes != placement.hostBytes || stepBytes != placement.hostStepBytes)
    return refuse(formatv("{0} bytes with a traffic of {1} are moved, but the "
                          "uploads have {2} and {3}",
                          placement.hostBytes, placement.hostStepBytes,
                          hostBytes, stepBytes));
  int64_t deviceBytes = problem.placement.getWholeBytes() - hostBytes;
  if (deviceBytes != placement.deviceBytes ||
      deviceBytes > placement.budgetBytes)
    return refuse(formatv("device bytes are {0} on a budget of {1}, but what "
                          "stays has {2}",
                          placement.deviceBytes, placement.budgetBytes,
                          deviceBytes));
  if (stepBytes < placement.boundHostStepBytes)
    return refuse(formatv("the traffic of {0} is less than the bound of {1}",
                          stepBytes, placement.boundHostStepBytes));
  return Error::success();
}

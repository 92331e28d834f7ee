//===- PlaceLastRead.cpp - The policy last_read ---------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Placement.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"

using namespace llvm;
using namespace lane;

Expected<Placement> lane::placeLastRead(const PlacementProblem &problem,
                                        int64_t budgetBytes) {
  if (Error error = problem.checkBudget(budgetBytes))
    return std::move(error);
  SmallVector<int64_t> moved;
  int64_t missingBytes = problem.getDeficitBytes(budgetBytes);
  while (missingBytes > 0) {
    int64_t rank = moved.size();
    missingBytes -= problem.uploadBytes[rank];
    moved.push_back(rank);
  }
  Placement placement =
      makePlacement(problem, PlacementPolicy::LastRead, budgetBytes, moved);
  if (!problem.hasTraffic())
    return placement;
  placement.boundHostStepBytes = computeTrafficBound(problem, budgetBytes);
  // Above the bound, another order may be better.
  placement.isProvenOptimal =
      placement.hostStepBytes == placement.boundHostStepBytes;
  return placement;
}

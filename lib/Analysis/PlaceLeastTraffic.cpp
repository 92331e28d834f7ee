//===- PlaceLeastTraffic.cpp - The policy least_traffic -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search is in TrafficSearch.h, which generated programs use too.
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Placement.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Support/TrafficSearch.h"

using namespace llvm;
using namespace lane;

static_assert(kTrafficWorkLimit == kLaneTrafficWorkLimit,
              "the planner and the program would place differently");

static LaneTrafficSearch makeSearch(const PlacementProblem &problem,
                                    int64_t deficit, int64_t workLimit) {
  return LaneTrafficSearch(problem.uploadBytes.data(), problem.stepBytes.data(),
                           problem.stepBytes.size(), deficit, workLimit);
}

int64_t lane::computeTrafficBound(const PlacementProblem &problem,
                                  int64_t budgetBytes) {
  int64_t deficit = problem.getDeficitBytes(budgetBytes);
  return deficit == 0
             ? 0
             : makeSearch(problem, deficit, /*workLimit=*/0).getBound();
}

Expected<Placement> lane::placeLeastTraffic(const PlacementProblem &problem,
                                            int64_t budgetBytes,
                                            int64_t workLimit) {
  if (Error error = problem.checkBudget(budgetBytes))
    return std::move(error);
  int64_t deficit = problem.getDeficitBytes(budgetBytes);
  if (deficit == 0) {
    Placement placement = makePlacement(problem, PlacementPolicy::LeastTraffic,
                                        budgetBytes, /*movedUploads=*/{});
    placement.isProvenOptimal = true;
    return placement;
  }
  LaneTrafficSearch search = makeSearch(problem, deficit, workLimit);
  Placement placement = makePlacement(problem, PlacementPolicy::LeastTraffic,
                                      budgetBytes, search.run().ranks);
  placement.boundHostStepBytes = search.getBound();
  placement.isProvenOptimal = search.isLeast();
  return placement;
}

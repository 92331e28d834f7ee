//===- Sweep.cpp - The cost of a step at every budget ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Sweep.h"

using namespace llvm;
using namespace lane;

SweepPoint lane::computeSweepPoint(const PlacementProblem &problem,
                                   int64_t budgetBytes) {
  return {cantFail(placeLastRead(problem, budgetBytes)),
          cantFail(placeLeastTraffic(problem, budgetBytes))};
}

SmallVector<SweepPoint> lane::computeSweep(const PlacementProblem &problem,
                                           int64_t numPoints) {
  int64_t least = problem.getLeastBudgetBytes();
  int64_t range = problem.getWholeBytes() - least;
  SmallVector<SweepPoint> points;
  for (int64_t index = 0; index < numPoints; ++index) {
    // Multiply quotient and remainder separately to avoid an overflow.
    int64_t steps = numPoints - 1;
    int64_t budget =
        least + range / steps * index + range % steps * index / steps;
    points.push_back(computeSweepPoint(problem, budget));
  }
  return points;
}

double lane::estimateStepSeconds(const PlacementProblem &problem,
                                 const Placement &placement,
                                 const DeviceSpeed &speed) {
  int64_t stepBytes = 0;
  for (int64_t bytes : problem.stepBytes)
    stepBytes += bytes;
  return double(stepBytes - placement.hostStepBytes) /
             double(speed.memoryBytesPerSecond) +
         double(placement.hostStepBytes) / double(speed.linkBytesPerSecond);
}

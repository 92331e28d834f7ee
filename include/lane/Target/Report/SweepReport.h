//===- SweepReport.h - Prints a sweep of budgets ----------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TARGET_REPORT_SWEEPREPORT_H
#define LANE_TARGET_REPORT_SWEEPREPORT_H

#include "lane/Analysis/Sweep.h"
#include "llvm/Support/raw_ostream.h"

namespace lane {

/// A sweep, and the device whose bandwidths its times use. A placement that
/// exceeds the problem's limit of host bytes is printed as refused.
struct SweepReport {
  std::string title;
  std::string deviceName;
  DeviceSpeed speed;
  const PlacementProblem &problem;
  llvm::ArrayRef<SweepPoint> points;
};

/// Prints an aligned table.
void printSweep(const SweepReport &report, llvm::raw_ostream &os);
/// Prints a JSON object with `device` and `sweep`, a list of points with
/// `budget`, `bound_host_step_bytes` and the values of each policy: see
/// docs/Json.md.
void printSweepJson(const SweepReport &report, llvm::raw_ostream &os);
/// A line of names, then one for each point, with the fields of the JSON. Those
/// of a refused placement are empty.
void printSweepCsv(const SweepReport &report, llvm::raw_ostream &os);

} // namespace lane

#endif // LANE_TARGET_REPORT_SWEEPREPORT_H

//===- HtmlReport.h - HTML page of a plan -----------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One self-contained HTML page: device and host memory to scale, a slider over
// budgets, the cost of each budget by both policies, the terms and the order.
// The page contains every placement that it shows, so it computes none and
// needs no network.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TARGET_HTML_HTMLREPORT_H
#define LANE_TARGET_HTML_HTMLREPORT_H

#include "lane/Analysis/Residence.h"
#include "lane/Target/Report/SweepReport.h"

namespace lane {

/// Budgets of the slider, in addition to the requested one.
constexpr int64_t kHtmlReportPoints = 129;

struct HtmlReport {
  /// The points of the slider, by ascending budget; at least one. A speed of 0
  /// is unknown; then no times are shown.
  SweepReport sweep;
  /// The initial point and policy.
  int64_t startPoint;
  PlacementPolicy startPolicy;
};

/// Prints the page for `plan`, the plan of `program`.
void printHtmlReport(ProgramOp program, const ResidencePlan &plan,
                     const HtmlReport &report, llvm::raw_ostream &os);

} // namespace lane

#endif // LANE_TARGET_HTML_HTMLREPORT_H

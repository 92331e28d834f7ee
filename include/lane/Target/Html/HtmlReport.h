//===- HtmlReport.h - A plan as a page to look at ---------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One self-contained page of HTML: the memory of both sides drawn to scale, a
// slider over budgets, what each costs by both policies, the terms and the
// order. The page holds every placement that it shows, so that a browser places
// nothing and needs no network.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TARGET_HTML_HTMLREPORT_H
#define LANE_TARGET_HTML_HTMLREPORT_H

#include "lane/Analysis/Residence.h"
#include "lane/Target/Report/SweepReport.h"

namespace lane {

/// Budgets of the slider, beside the one that was asked for.
constexpr int64_t kHtmlReportPoints = 129;

struct HtmlReport {
  /// Its points are those of the slider, by ascending budgets, at least one. A
  /// speed of 0 is one that is not known; then no times are shown.
  SweepReport sweep;
  /// The point and the policy that are shown first.
  int64_t startPoint;
  PlacementPolicy startPolicy;
};

/// Prints the page for `plan`, the plan of `program`.
void printHtmlReport(ProgramOp program, const ResidencePlan &plan,
                     const HtmlReport &report, llvm::raw_ostream &os);

} // namespace lane

#endif // LANE_TARGET_HTML_HTMLREPORT_H

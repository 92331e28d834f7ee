//===- Report.h - A plan for people -----------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints a program's residence plan, and its placement, as a person reads them:
// the bytes of each term, what moves and what stays, and the order. Coloured
// on a terminal, plain elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TARGET_REPORT_REPORT_H
#define LANE_TARGET_REPORT_REPORT_H

#include "lane/Analysis/DeviceSpec.h"
#include "llvm/Support/raw_ostream.h"

namespace lane {

struct ReportOptions {
  /// A line about the model, before everything else.
  std::string title;
  /// Rows of the order to print; 0 prints all.
  int64_t orderRows = 0;
  /// The device whose memory, less its reserve and the spare, is the budget;
  /// null where exact bytes less the spare are.
  const DeviceSpec *device = nullptr;
  /// The most host memory that the placement may take, if it was limited.
  std::optional<int64_t> hostLimitBytes;
};

/// Prints `plan`, the plan of `program`, and where `placement` is given what
/// moves, what stays, and what a step reads from the host.
void printReport(ProgramOp program, const ResidencePlan &plan,
                 const std::optional<Placement> &placement,
                 const ReportOptions &options, llvm::raw_ostream &os);

} // namespace lane

#endif // LANE_TARGET_REPORT_REPORT_H

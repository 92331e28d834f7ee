//===- Report.h - Prints a plan as text -------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints a program's residence plan and its placement as text: the bytes of
// each term, the bytes on the device and on the host, and the order. Coloured
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

/// Prints `plan`, the plan of `program`. If `placement` is not null, also
/// prints the bytes on the device and on the host, and the bytes that a step
/// reads from the host.
void printReport(ProgramOp program, const ResidencePlan &plan,
                 const std::optional<Placement> &placement,
                 const ReportOptions &options, llvm::raw_ostream &os);

} // namespace lane

#endif // LANE_TARGET_REPORT_REPORT_H

//===- PlanTerms.h - The terms of a plan, for reports -----------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_REPORT_PLANTERMS_H
#define LANE_LIB_TARGET_REPORT_PLANTERMS_H

#include "lane/Analysis/Residence.h"

namespace lane {

/// A term of a plan as a line of a report.
struct PlanTerm {
  llvm::StringLiteral name;
  int64_t bytes;
  /// What it counts.
  std::string content;
  /// Whether it is a part of the previous term that is not a part itself.
  bool isPart = false;
  /// Whether its bytes never move and are not a sum of other terms.
  bool isResident = false;
};

/// The terms of `plan`, in the order of reports.
llvm::SmallVector<PlanTerm> getPlanTerms(const ResidencePlan &plan);

/// "1 upload", "2 uploads".
std::string countUploads(int64_t count);

} // namespace lane

#endif // LANE_LIB_TARGET_REPORT_PLANTERMS_H

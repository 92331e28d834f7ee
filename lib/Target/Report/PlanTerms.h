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

/// One line of a plan's arithmetic, in words.
struct PlanTerm {
  llvm::StringLiteral name;
  int64_t bytes;
  /// What it counts.
  std::string of;
  /// A part of the last term before it that is not a part.
  bool isPart = false;
  /// Bytes that never move, and are not a sum of other terms.
  bool isResident = false;
};

/// The terms of `plan`, in the order in which reports have them.
llvm::SmallVector<PlanTerm> getPlanTerms(const ResidencePlan &plan);

/// "1 upload", "2 uploads".
std::string countUploads(int64_t count);

} // namespace lane

#endif // LANE_LIB_TARGET_REPORT_PLANTERMS_H

//===- WriteHtml.h - Writes the HTML report ---------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_PLAN_WRITEHTML_H
#define LANE_TOOLS_LANE_PLAN_WRITEHTML_H

#include "GivenMemory.h"

namespace lane {

/// What the page shows in addition to the plan.
struct HtmlOptions {
  llvm::StringRef path;
  llvm::StringRef title;
  /// Times use its bandwidths.
  const DeviceSpec &device;
  const GivenMemory &memory;
  /// The budget and the policy that are shown first; the whole where there is
  /// no budget.
  std::optional<int64_t> budgetBytes;
  PlacementPolicy policy;
};

/// Writes the page of `plan`, the plan of `program`. Fails after a diagnostic.
llvm::LogicalResult writeHtml(ProgramOp program, const ResidencePlan &plan,
                              const HtmlOptions &options);

} // namespace lane

#endif // LANE_TOOLS_LANE_PLAN_WRITEHTML_H

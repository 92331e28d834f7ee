//===- PlanProgram.h - Plans and places a program ---------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_PLAN_PLANPROGRAM_H
#define LANE_TOOLS_LANE_PLAN_PLANPROGRAM_H

#include "LoadProgram.h"

namespace lane {

/// The plan of a program, and where memory was given its placement, as the
/// passes have written them.
struct PlannedProgram {
  ResidencePlan plan;
  std::optional<Placement> placement;
};

/// Runs the passes on the program of `input`, and reads what they wrote. Fails
/// after a diagnostic.
llvm::FailureOr<PlannedProgram>
planProgram(Input &input, PlacementPolicy policy, const GivenMemory &memory);

} // namespace lane

#endif // LANE_TOOLS_LANE_PLAN_PLANPROGRAM_H

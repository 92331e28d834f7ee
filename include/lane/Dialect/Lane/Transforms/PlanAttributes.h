//===- PlanAttributes.h - A plan as attributes of a program -----*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a plan and a placement on a program, reads a placement back, and
// removes both. The passes use this, and so can compilers that plan without
// them.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_TRANSFORMS_PLANATTRIBUTES_H
#define LANE_DIALECT_LANE_TRANSFORMS_PLANATTRIBUTES_H

#include "lane/Analysis/Placement.h"
#include "lane/Analysis/Residence.h"

namespace lane {

/// Writes `plan`, which must be the plan of `program`, on it. Removes an
/// earlier plan and placement.
void writePlan(ProgramOp program, const ResidencePlan &plan);

/// Writes `placement` on a program that has `plan`: the budget, the policy and
/// the bytes on the program, the extents on each matrix.
void writePlacement(ProgramOp program, const ResidencePlan &plan,
                    const Placement &placement);

/// The placement that `program`, whose plan is `plan`, has as attributes; none
/// where it has none. What a step reads is computed. A limit of host bytes is
/// not part of it. Fails, with a diagnostic, where the placement is not one of
/// this plan.
llvm::FailureOr<std::optional<Placement>>
readPlacement(ProgramOp program, const ResidencePlan &plan);

/// The policy of the placement on `program`; none if it is not placed.
std::optional<PlacementPolicy> readPlacementPolicy(ProgramOp program);

/// Removes plan and placement. A pass that changes what a plan counts must call
/// this, so that no stale plan remains.
void dropPlan(ProgramOp program);

} // namespace lane

#endif // LANE_DIALECT_LANE_TRANSFORMS_PLANATTRIBUTES_H

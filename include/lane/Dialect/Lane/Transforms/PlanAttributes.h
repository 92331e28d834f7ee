//===- PlanAttributes.h - A plan as attributes of a program -----*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a plan and a placement on a program, and takes them off again: for
// the passes, and for compilers that plan without them.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_TRANSFORMS_PLANATTRIBUTES_H
#define LANE_DIALECT_LANE_TRANSFORMS_PLANATTRIBUTES_H

#include "lane/Analysis/LeastTraffic.h"
#include "lane/Analysis/Residence.h"

namespace lane {

/// Writes `plan` on `program`, whose plan it must be, in place of any plan
/// and placement that were there.
void writePlan(ProgramOp program, const ResidencePlan &plan);

/// Writes `placement`, which `policy` made, on a program that carries `plan`:
/// the figures on the program, and on each matrix the side on which it lives.
void writePlacement(ProgramOp program, const ResidencePlan &plan,
                    const TrafficPlacement &placement, PlacementPolicy policy);

/// The same for a placement in the plan's order.
void writePlacement(ProgramOp program, const ResidencePlan &plan,
                    const Placement &placement);

/// Takes plan and placement off. A pass that changes what a plan counts calls
/// this, so that no stale plan is left behind.
void dropPlan(ProgramOp program);

} // namespace lane

#endif // LANE_DIALECT_LANE_TRANSFORMS_PLANATTRIBUTES_H

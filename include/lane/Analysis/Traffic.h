//===- Traffic.h - Bytes that a step reads of each upload -------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_TRAFFIC_H
#define LANE_ANALYSIS_TRAFFIC_H

#include "lane/Analysis/Placement.h"
#include "lane/Analysis/Residence.h"

namespace lane {

/// How often each kind of form runs, against the others: by default, only
/// decode steps.
struct FormWeights {
  int64_t decode = 1;
  int64_t prefill = 0;
  int64_t batch = 0;
};

/// Bytes that a step reads of each upload of `plan`, in the plan's order,
/// summed over the forms by their weights.
///
/// - A dense read is all the matrix's bytes in the checkpoint.
/// - A read of a stack of E experts with k active a row is, for R independent
///   rows, E * (1 - (1 - k/E)^R) experts, rounded up to a byte; all of the
///   stack where the launch does not give k.
/// - A gather reads a row for each row of the form.
///
/// A matrix that is read twice counts twice, and an upload has the reads of its
/// owner and of every alias. Fails, with a diagnostic, where the sum overflows
/// int64.
llvm::FailureOr<llvm::SmallVector<int64_t>>
computeTraffic(ProgramOp program, const ResidencePlan &plan,
               const FormWeights &weights = {});

/// The placement problem of `plan` with the bytes that a decode step reads of
/// each upload. Fails as computeTraffic does.
llvm::FailureOr<PlacementProblem>
computePlacementProblem(ProgramOp program, const ResidencePlan &plan);

} // namespace lane

#endif // LANE_ANALYSIS_TRAFFIC_H

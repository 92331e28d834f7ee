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

/// Relative frequency of steps of each kind of form. By default, only decode
/// steps run.
struct FormWeights {
  int64_t decode = 1;
  int64_t prefill = 0;
  int64_t batch = 0;
};

/// Bytes that a step reads of each upload of `plan`, in the plan's order,
/// summed over the forms by their weights.
///
/// - A dense read reads all bytes of the matrix in the checkpoint.
/// - A read of a stack of E experts, with k active per row, reads for R
///   independent rows E * (1 - (1 - k/E)^R) experts, rounded up to a byte; it
///   reads the whole stack if the launch does not give k.
/// - A gather reads one row for each row of the form.
///
/// A matrix that is read twice counts twice. The reads of an upload are those
/// of its owner and of every alias. Fails, with a diagnostic, if the sum
/// overflows int64.
llvm::FailureOr<llvm::SmallVector<int64_t>>
computeTraffic(ProgramOp program, const ResidencePlan &plan,
               const FormWeights &weights = {});

/// The placement problem of `plan` with the bytes that a decode step reads of
/// each upload. Fails as computeTraffic does.
llvm::FailureOr<PlacementProblem>
computePlacementProblem(ProgramOp program, const ResidencePlan &plan);

} // namespace lane

#endif // LANE_ANALYSIS_TRAFFIC_H

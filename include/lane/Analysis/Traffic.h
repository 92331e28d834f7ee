//===- Traffic.h - Bytes that a step reads of each upload -------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_TRAFFIC_H
#define LANE_ANALYSIS_TRAFFIC_H

#include "lane/Analysis/LeastTraffic.h"
#include "lane/Analysis/Residence.h"

namespace lane {

/// How often each kind of form runs, against the others: by default, decode
/// steps alone.
struct FormWeights {
  int64_t decode = 1;
  int64_t prefill = 0;
  int64_t batch = 0;
};

/// Bytes that a step reads of each upload of `plan`, in the plan's order,
/// summed over the forms by their weights.
///
/// A dense read is all the matrix's bytes in the checkpoint; of a stack of E
/// experts of which each row chooses k, the experts that R rows choose together
/// if each does so alike: E * (1 - (1 - k/E)^R) of E, rounded up to a byte, and
/// all of it where the launch does not say how many; of a table that is
/// gathered from, a row for each row of the form. A matrix that is read twice
/// counts twice, and what matrices that share an upload read is summed. Fails,
/// with a diagnostic, when the sum passes 2^63.
llvm::FailureOr<llvm::SmallVector<int64_t>>
computeTraffic(ProgramOp program, const ResidencePlan &plan,
               const FormWeights &weights = {});

} // namespace lane

#endif // LANE_ANALYSIS_TRAFFIC_H

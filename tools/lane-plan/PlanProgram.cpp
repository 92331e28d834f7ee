//===- PlanProgram.cpp - Plans and places a program -----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanProgram.h"
#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "lane/Dialect/Lane/Transforms/PlanAttributes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace lane;

/// Plans without placing, and refuses memory that is below the resident bytes:
/// here it is known where the memory comes from.
static FailureOr<ResidencePlan> planOnly(Input &input,
                                         const GivenMemory &memory) {
  PassManager passes(input.module->getContext());
  ResidencePipelineOptions options;
  options.isPlaced = false;
  buildResidencePipeline(passes, options);
  if (failed(passes.run(*input.module)))
    return failure();
  FailureOr<ResidencePlan> plan = computeResidencePlan(input.program);
  if (failed(plan) || !memory.bytes)
    return plan;
  if (llvm::Error error = plan->getPlacementProblem().checkBudget(
          *memory.bytes - plan->spareBytes))
    return emitError(UnknownLoc::get(input.module->getContext()))
           << llvm::toString(std::move(error)) << " (" << memory.origin << ")";
  return plan;
}

FailureOr<PlannedProgram> lane::planProgram(Input &input,
                                            PlacementPolicy policy,
                                            const GivenMemory &memory) {
  FailureOr<ResidencePlan> plan = planOnly(input, memory);
  if (failed(plan))
    return failure();
  if (!memory.bytes)
    return PlannedProgram{std::move(*plan), std::nullopt};
  PassManager passes(input.module->getContext());
  ResidencePipelineOptions options;
  options.policy = policy;
  // Else residence-place reads the device of the module, as memory.device is.
  if (!memory.device)
    options.deviceBytes = std::to_string(*memory.bytes);
  buildResidencePipeline(passes, options);
  if (failed(passes.run(*input.module)))
    return failure();
  FailureOr<std::optional<Placement>> placement =
      readPlacement(input.program, *plan);
  if (failed(placement))
    return failure();
  return PlannedProgram{std::move(*plan), std::move(*placement)};
}

//===- ResidencePlace.cpp - The pass residence-place ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/DeviceSpec.h"
#include "lane/Analysis/Traffic.h"
#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "lane/Dialect/Lane/Transforms/PlanAttributes.h"
#include "lane/Support/Bytes.h"
#include "mlir/IR/Remarks.h"

namespace lane {
#define GEN_PASS_DEF_RESIDENCEPLACEPASS
#include "lane/Dialect/Lane/Transforms/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

/// At the program's place alone: to print a whole program helps nobody.
static InFlightDiagnostic emitProgramError(ProgramOp program) {
  return emitError(program.getLoc()) << "'lane.program' op ";
}

static void emitRemarks(ProgramOp program, const ResidencePlan &plan,
                        const TrafficPlacement &placement) {
  auto opts = remark::RemarkOpts::name("Placement").category("residence-place");
  for (int64_t rank : placement.moved) {
    MatrixOp matrix = plan.order[rank].matrix;
    remark::passed(matrix.getLoc(), opts)
        << remark::reason("'{0}' lives on the host", matrix.getSymName().str())
        << remark::metric("bytes", plan.order[rank].bytes);
  }
  if (!placement.isExact)
    remark::missed(program.getLoc(), opts)
        << remark::reason("the placement is not proved to be the least traffic")
        << remark::metric("host_step_bytes", placement.hostStepBytes)
        << remark::metric("bound", placement.boundHostStepBytes);
}

/// Places in the plan's order. What a step reads is not asked for, so that no
/// traffic is too much.
static llvm::Expected<TrafficPlacement>
placeByLastRead(const PlacementProblem &problem, int64_t budgetBytes) {
  llvm::Expected<Placement> placed = placeInOrder(problem, budgetBytes);
  if (!placed)
    return placed.takeError();
  if (llvm::Error error = verifyPlacement(problem, *placed))
    return llvm::createStringError("the placement does not hold: " +
                                   llvm::toString(std::move(error)));
  TrafficPlacement placement;
  placement.budgetBytes = placed->budgetBytes;
  placement.deviceBytes = placed->deviceBytes;
  placement.hostBytes = placed->hostBytes;
  llvm::append_range(placement.moved, llvm::seq<int64_t>(0, placed->moved));
  return placement;
}

static llvm::Expected<TrafficPlacement>
placeByLeastTraffic(const TrafficProblem &problem, int64_t budgetBytes) {
  llvm::Expected<TrafficPlacement> placement =
      placeLeastTraffic(problem, budgetBytes);
  if (!placement)
    return placement.takeError();
  if (llvm::Error error = verifyTrafficPlacement(problem, *placement))
    return llvm::createStringError("the placement does not hold: " +
                                   llvm::toString(std::move(error)));
  return placement;
}

namespace {
struct ResidencePlacePass
    : public lane::impl::ResidencePlacePassBase<ResidencePlacePass> {
  using ResidencePlacePassBase::ResidencePlacePassBase;

  void runOnOperation() override {
    ProgramOp program = getOperation();
    FailureOr<ResidencePlan> plan = computeResidencePlan(program);
    if (failed(plan) || failed(verifyPlanIsCurrent(program, *plan)))
      return signalPassFailure();
    PlacementProblem problem = plan->getPlacementProblem();
    FailureOr<int64_t> budgetBytes =
        getBudget(program, problem, plan->spareBytes);
    if (failed(budgetBytes))
      return signalPassFailure();

    TrafficProblem traffic{problem, {}};
    bool isLeastTraffic = policy == PlacementPolicy::LeastTraffic;
    if (isLeastTraffic) {
      FailureOr<SmallVector<int64_t>> stepBytes =
          computeTraffic(program, *plan);
      if (failed(stepBytes))
        return signalPassFailure();
      traffic.stepBytes = std::move(*stepBytes);
    }
    llvm::Expected<TrafficPlacement> placement =
        isLeastTraffic ? placeByLeastTraffic(traffic, *budgetBytes)
                       : placeByLastRead(problem, *budgetBytes);
    if (!placement) {
      emitProgramError(program)
          << "'" << program.getSymName()
          << "' is refused: " << llvm::toString(placement.takeError());
      return signalPassFailure();
    }
    writePlacement(program, *plan, *placement, policy);
    if (getContext().getRemarkEngine())
      emitRemarks(program, *plan, *placement);
    numMoved += placement->moved.size();
    markAllAnalysesPreserved();
  }

  /// The budget as it was given, or what the device memory given leaves of
  /// the spare, or the device that the module describes.
  FailureOr<int64_t> getBudget(ProgramOp program,
                               const PlacementProblem &problem,
                               int64_t spareBytes) {
    if (!budget.empty() && !deviceBytes.empty()) {
      emitProgramError(program) << "residence-place takes either budget or "
                                   "device-bytes";
      return failure();
    }
    if (budget.empty() && deviceBytes.empty()) {
      FailureOr<std::optional<DeviceSpec>> device = getDeviceSpec(program);
      if (failed(device))
        return failure();
      if (!*device) {
        emitProgramError(program) << "residence-place takes either budget or "
                                     "device-bytes, and the module describes "
                                     "no device";
        return failure();
      }
      int64_t bytes = (*device)->getFreeBytes() - spareBytes;
      if (llvm::Error error = (*device)->checkBudget(problem, bytes)) {
        emitProgramError(program)
            << "'" << program.getSymName()
            << "' is refused: " << llvm::toString(std::move(error));
        return failure();
      }
      return bytes;
    }
    llvm::Expected<int64_t> bytes =
        parseBytes(budget.empty() ? deviceBytes : budget);
    if (!bytes) {
      emitProgramError(program)
          << "residence-place: " << llvm::toString(bytes.takeError());
      return failure();
    }
    return budget.empty() ? *bytes - spareBytes : *bytes;
  }
};
} // namespace

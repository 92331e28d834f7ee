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

static void emitRemarks(ProgramOp program, const ResidencePlan &plan,
                        const Placement &placement) {
  auto opts = remark::RemarkOpts::name("Placement").category("residence-place");
  for (int64_t rank : placement.getMovedUploads()) {
    MatrixOp matrix = plan.order[rank].matrix;
    remark::passed(matrix.getLoc(), opts)
        << remark::reason("'{0}' lives on the host", matrix.getSymName().str())
        << remark::metric("bytes", plan.order[rank].bytes);
  }
  if (placement.policy == PlacementPolicy::LeastTraffic &&
      !placement.isProvenOptimal)
    remark::missed(program.getLoc(), opts)
        << remark::reason("the traffic is not proven optimal")
        << remark::metric("host_step_bytes", placement.hostStepBytes)
        << remark::metric("bound", placement.boundHostStepBytes);
}

static void emitRefusal(ProgramOp program, llvm::Error error) {
  emitBriefOpError(program)
      << "'" << program.getSymName()
      << "' is refused: " << llvm::toString(std::move(error));
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
    if (policy == PlacementPolicy::LeastTraffic) {
      FailureOr<SmallVector<int64_t>> stepBytes =
          computeTraffic(program, *plan);
      if (failed(stepBytes))
        return signalPassFailure();
      problem.stepBytes = std::move(*stepBytes);
    }
    FailureOr<int64_t> budgetBytes =
        getBudget(program, problem, plan->spareBytes);
    if (failed(budgetBytes))
      return signalPassFailure();

    llvm::Expected<Placement> placement = place(problem, policy, *budgetBytes);
    if (!placement) {
      emitRefusal(program, placement.takeError());
      return signalPassFailure();
    }
    if (llvm::Error error = verifyPlacement(problem, *placement)) {
      emitRefusal(program, std::move(error));
      return signalPassFailure();
    }
    writePlacement(program, *plan, *placement);
    if (getContext().getRemarkEngine())
      emitRemarks(program, *plan, *placement);
    numMoved += placement->getMovedUploads().size();
    markAllAnalysesPreserved();
  }

  /// The budget as it was given; or else the device memory that was given, or
  /// that of the device which the module describes, less the spare.
  FailureOr<int64_t> getBudget(ProgramOp program,
                               const PlacementProblem &problem,
                               int64_t spareBytes) {
    if (!budget.empty() && !deviceBytes.empty()) {
      emitBriefOpError(program) << "residence-place takes either budget or "
                                   "device-bytes";
      return failure();
    }
    if (budget.empty() && deviceBytes.empty()) {
      FailureOr<std::optional<DeviceSpec>> device = getDeviceSpec(program);
      if (failed(device))
        return failure();
      if (!*device) {
        emitBriefOpError(program) << "residence-place takes either budget or "
                                     "device-bytes, and the module describes "
                                     "no device";
        return failure();
      }
      int64_t bytes = (*device)->getFreeBytes() - spareBytes;
      if (llvm::Error error = (*device)->checkBudget(problem, bytes)) {
        emitRefusal(program, std::move(error));
        return failure();
      }
      return bytes;
    }
    llvm::Expected<int64_t> bytes =
        parseBytes(budget.empty() ? deviceBytes : budget);
    if (!bytes) {
      emitBriefOpError(program)
          << "residence-place: " << llvm::toString(bytes.takeError());
      return failure();
    }
    return budget.empty() ? *bytes - spareBytes : *bytes;
  }
};
} // namespace

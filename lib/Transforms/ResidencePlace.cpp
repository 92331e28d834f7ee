//===- ResidencePlace.cpp - The pass residence-place ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/Bytes.h"
#include "lane/Transforms/Passes.h"
#include "lane/Transforms/PlanAttributes.h"
#include "mlir/IR/Remarks.h"

namespace lane {
#define GEN_PASS_DEF_RESIDENCEPLACEPASS
#include "lane/Transforms/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

/// At the program's place alone: to print a whole program helps nobody.
static InFlightDiagnostic emitProgramError(ProgramOp program) {
  return emitError(program.getLoc()) << "'lane.program' op ";
}

static void emitRemarks(const ResidencePlan &plan, const Placement &placement) {
  auto opts = remark::RemarkOpts::name("Placement").category("residence-place");
  for (const Upload &upload :
       ArrayRef(plan.order).take_front(placement.moved)) {
    MatrixOp matrix = upload.matrix;
    remark::passed(matrix.getLoc(), opts)
        << remark::reason("'{0}' lives on the host", matrix.getSymName().str())
        << remark::metric("bytes", upload.bytes);
  }
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
    FailureOr<int64_t> budgetBytes = getBudget(program, plan->spareBytes);
    if (failed(budgetBytes))
      return signalPassFailure();

    PlacementProblem problem = plan->getPlacementProblem();
    llvm::Expected<Placement> placement = placeInOrder(problem, *budgetBytes);
    if (!placement) {
      emitProgramError(program)
          << "'" << program.getSymName()
          << "' is refused: " << llvm::toString(placement.takeError());
      return signalPassFailure();
    }
    if (llvm::Error error = verifyPlacement(problem, *placement)) {
      emitProgramError(program) << "the placement does not hold: "
                                << llvm::toString(std::move(error));
      return signalPassFailure();
    }
    writePlacement(program, *plan, *placement);
    if (getContext().getRemarkEngine())
      emitRemarks(*plan, *placement);
    numMoved += placement->moved;
    markAllAnalysesPreserved();
  }

  /// The budget as it was given, or what the device memory given leaves of
  /// the spare.
  FailureOr<int64_t> getBudget(ProgramOp program, int64_t spareBytes) {
    if (budget.empty() == deviceBytes.empty()) {
      emitProgramError(program) << "residence-place takes either budget or "
                                   "device-bytes";
      return failure();
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

//===- ResidencePlan.cpp - The pass residence-plan ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "lane/Dialect/Lane/Transforms/PlanAttributes.h"
#include "mlir/IR/Remarks.h"

namespace lane {
#define GEN_PASS_DEF_RESIDENCEPLANPASS
#include "lane/Dialect/Lane/Transforms/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

/// Describes the read that determines the class of the upload.
static std::string describeClass(const Upload &upload) {
  if (!upload.decidingRead)
    return "nothing reads it";
  StringRef how = "read densely";
  if (upload.matrixClass == MatrixClass::Gather)
    how = "only gathered from";
  else if (upload.matrixClass == MatrixClass::Expert)
    how = "read as experts";
  return (how + " by '" + upload.decidingRead->getName().getStringRef() + "'")
      .str();
}

static void emitRemarks(const ResidencePlan &plan) {
  auto opts = remark::RemarkOpts::name("Residence").category("residence-plan");
  for (auto [rank, upload] : llvm::enumerate(plan.order)) {
    MatrixOp matrix = upload.matrix;
    remark::passed(matrix.getLoc(), opts)
        << remark::reason("'{0}' is {1}: {2}; last decode read is launch {3}",
                          matrix.getSymName().str(),
                          stringifyMatrixClass(upload.matrixClass).str(),
                          describeClass(upload), upload.lastRead)
        << remark::metric("rank", static_cast<int64_t>(rank))
        << remark::metric("bytes", upload.bytes);
  }
  for (auto [alias, owner] : plan.shares)
    remark::passed(MatrixOp(alias).getLoc(), opts) << remark::reason(
        "'{0}' uploads nothing: it reads the rows of '{1}'",
        MatrixOp(alias).getSymName().str(), MatrixOp(owner).getSymName().str());
}

namespace {
struct ResidencePlanPass
    : public lane::impl::ResidencePlanPassBase<ResidencePlanPass> {
  void runOnOperation() override {
    ProgramOp program = getOperation();
    FailureOr<ResidencePlan> plan = computeResidencePlan(program);
    if (failed(plan))
      return signalPassFailure();
    writePlan(program, *plan);
    if (getContext().getRemarkEngine())
      emitRemarks(*plan);

    numUploads += plan->order.size();
    numShares += plan->shares.size();
    for (const Upload &upload : plan->order) {
      numGatherOnly += upload.matrixClass == MatrixClass::Gather;
      numExperts += upload.matrixClass == MatrixClass::Expert;
    }
    markAllAnalysesPreserved();
  }
};
} // namespace

//===- ResidenceCheck.cpp - Checks that a plan is current -----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Residence.h"

using namespace mlir;
using namespace lane;

LogicalResult lane::verifyPlanIsCurrent(ProgramOp program,
                                        const ResidencePlan &plan) {
  PlanAttr attr = program.getPlanAttr();
  if (!attr)
    return emitBriefOpError(program)
           << "'" << program.getSymName()
           << "' has no plan: run residence-plan first";
  auto stale = [](Operation *op) {
    return emitBriefOpError(op)
           << "the plan is stale, run residence-plan again: ";
  };
  auto checkBytes = [&](StringRef what, int64_t planned,
                        int64_t now) -> LogicalResult {
    if (planned == now)
      return success();
    return stale(program) << what << " was " << planned << " bytes and is "
                          << now;
  };
  if (failed(checkBytes("arena", attr.getArena(), plan.arenaBytes)) ||
      failed(checkBytes("fixed", attr.getFixed(), plan.fixed.getTotal())) ||
      failed(checkBytes("spare", attr.getSpare(), plan.spareBytes)))
    return failure();

  if (attr.getOrder().size() != plan.order.size())
    return stale(program) << "the order had " << attr.getOrder().size()
                          << " uploads and has " << plan.order.size();
  for (auto [rank, upload] : llvm::enumerate(plan.order)) {
    MatrixOp matrix = upload.matrix;
    auto planned = cast<FlatSymbolRefAttr>(attr.getOrder()[rank]);
    if (planned.getAttr() != matrix.getSymNameAttr())
      return stale(matrix) << "rank " << rank << " was " << planned
                           << " and is '" << matrix.getSymName() << "'";
    Residence residence{upload.matrixClass, upload.lastRead,
                        static_cast<int64_t>(rank), upload.bytes};
    if (matrix.getResidence() != residence || matrix.getSharesAttr())
      return stale(matrix) << "'" << matrix.getSymName() << "' should have "
                           << ResidenceAttr::get(program.getContext(),
                                                 residence);
  }
  for (auto [matrix, owner] : plan.shares)
    if (MatrixOp(matrix).getResidence() ||
        MatrixOp(matrix).getSharesAttr() != FlatSymbolRefAttr::get(owner))
      return stale(matrix) << "'" << MatrixOp(matrix).getSymName()
                           << "' should share '" << MatrixOp(owner).getSymName()
                           << "'";
  return success();
}

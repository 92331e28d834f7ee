//===- ResidenceCheck.cpp - Is a plan still its program's? ----------------===//
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
    return emitError(program.getLoc())
           << "'lane.program' op '" << program.getSymName()
           << "' has no plan: run residence-plan first";
  auto stale = [](Operation *op) {
    // At the place alone: to print a whole program helps nobody.
    return emitError(op->getLoc())
           << "'" << op->getName()
           << "' op the plan is stale, run residence-plan again: ";
  };
  auto checkFigure = [&](StringRef what, int64_t planned,
                         int64_t now) -> LogicalResult {
    if (planned == now)
      return success();
    return stale(program) << what << " was " << planned << " bytes and is "
                          << now;
  };
  if (failed(checkFigure("arena", attr.getArena(), plan.arenaBytes)) ||
      failed(checkFigure("fixed", attr.getFixed(), plan.fixed.getTotal())) ||
      failed(checkFigure("spare", attr.getSpare(), plan.spareBytes)))
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
  for (auto [matrix, holder] : plan.shares)
    if (MatrixOp(matrix).getResidence() ||
        MatrixOp(matrix).getSharesAttr() != FlatSymbolRefAttr::get(holder))
      return stale(matrix) << "'" << MatrixOp(matrix).getSymName()
                           << "' should share '"
                           << MatrixOp(holder).getSymName() << "'";
  return success();
}

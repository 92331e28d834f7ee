//===- PlanAttributes.cpp - A plan as attributes of a program -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/Transforms/PlanAttributes.h"
#include "lane/Analysis/Traffic.h"

using namespace mlir;
using namespace lane;

void lane::writePlan(ProgramOp program, const ResidencePlan &plan) {
  MLIRContext *ctx = program.getContext();
  program.removePlacementAttr();
  SmallVector<Attribute> order;
  order.reserve(plan.order.size());
  for (auto [rank, upload] : llvm::enumerate(plan.order)) {
    MatrixOp matrix = upload.matrix;
    order.push_back(upload.symbol
                        ? upload.symbol
                        : FlatSymbolRefAttr::get(matrix.getSymNameAttr()));
    matrix.setResidence(Residence{upload.matrixClass, upload.lastRead,
                                  static_cast<int64_t>(rank), upload.bytes});
    matrix.removeSharesAttr();
    matrix.removeExtentsAttr();
  }
  for (auto [alias, owner] : plan.shares) {
    MatrixOp matrix = alias;
    matrix.setSharesAttr(
        FlatSymbolRefAttr::get(MatrixOp(owner).getSymNameAttr()));
    matrix.setResidence(std::nullopt);
    matrix.removeExtentsAttr();
  }
  program.setPlanAttr(PlanAttr::get(ctx, plan.arenaBytes, plan.fixed.getTotal(),
                                    plan.spareBytes,
                                    ArrayAttr::get(ctx, order)));
}

void lane::writePlacement(ProgramOp program, const ResidencePlan &plan,
                          const Placement &placement) {
  MLIRContext *ctx = program.getContext();
  ArrayRef<Extent> rest = placement.extents;
  SmallVector<ExtentAttr, 1> extents;
  for (auto [rank, upload] : llvm::enumerate(plan.order)) {
    extents.clear();
    for (; !rest.empty() && rest.front().upload == int64_t(rank);
         rest = rest.drop_front())
      extents.push_back(ExtentAttr::get(ctx, rest.front().space,
                                        rest.front().offsetBytes,
                                        rest.front().bytes));
    MatrixOp(upload.matrix).setExtentsAttr(ExtentsAttr::get(ctx, extents));
  }
  for (auto [alias, owner] : plan.shares)
    MatrixOp(alias).setExtentsAttr(MatrixOp(owner).getExtentsAttr());
  program.setPlacementAttr(PlacementAttr::get(
      ctx, placement.budgetBytes, placement.getMovedUploads().size(),
      placement.deviceBytes, placement.hostBytes, placement.pageTableBytes,
      placement.policy));
}

/// Reads the placement from `attr` and the matrices, without its traffic.
static llvm::Expected<Placement> readExtents(PlacementAttr attr,
                                             const ResidencePlan &plan) {
  Placement placement;
  placement.policy = attr.getPolicy();
  placement.budgetBytes = attr.getBudget();
  placement.deviceBytes = attr.getDeviceBytes();
  placement.hostBytes = attr.getHostBytes();
  placement.pageTableBytes = attr.getPageTableBytes();
  for (auto [rank, upload] : llvm::enumerate(plan.order)) {
    MatrixOp matrix = upload.matrix;
    std::optional<ArrayRef<ExtentAttr>> extents = matrix.getExtents();
    if (!extents)
      return llvm::createStringError("'" + matrix.getSymName() +
                                     "' has no extents");
    for (ExtentAttr extent : *extents)
      placement.extents.push_back({int64_t(rank), extent.getSpace(),
                                   extent.getOffset(), extent.getBytes()});
  }
  int64_t moved = placement.getMovedUploads().size();
  if (attr.getMoved() != moved)
    return llvm::createStringError(Twine(attr.getMoved()) +
                                   " uploads moved, but " + Twine(moved) +
                                   " live on the host");
  return placement;
}

/// Sets the traffic of `placement` and its bound. Places again to find whether
/// the traffic is optimal.
static llvm::Error addTraffic(const PlacementProblem &problem,
                              Placement &placement) {
  placement.hostStepBytes = computeHostStepBytes(problem, placement.extents);
  if (llvm::Error error = verifyPlacement(problem, placement))
    return error;
  llvm::Expected<Placement> again =
      place(problem, placement.policy, placement.budgetBytes);
  if (!again)
    return again.takeError();
  placement.boundHostStepBytes = again->boundHostStepBytes;
  placement.isProvenOptimal =
      again->isProvenOptimal && placement.hostStepBytes == again->hostStepBytes;
  return llvm::Error::success();
}

FailureOr<std::optional<Placement>>
lane::readPlacement(ProgramOp program, const ResidencePlan &plan) {
  PlacementAttr attr = program.getPlacementAttr();
  if (!attr)
    return std::optional<Placement>();
  FailureOr<PlacementProblem> problem = computePlacementProblem(program, plan);
  if (failed(problem))
    return failure();
  // Where nothing has moved, it makes no difference whether they count.
  problem->countsPageTables = attr.getPageTableBytes() != 0;
  llvm::Expected<Placement> placement = readExtents(attr, plan);
  llvm::Error error =
      placement ? addTraffic(*problem, *placement) : placement.takeError();
  if (!error)
    return std::optional<Placement>(std::move(*placement));
  return emitBriefOpError(program)
         << "the placement is stale, run residence-place again: "
         << llvm::toString(std::move(error));
}

std::optional<PlacementPolicy> lane::readPlacementPolicy(ProgramOp program) {
  PlacementAttr attr = program.getPlacementAttr();
  if (!attr)
    return std::nullopt;
  return attr.getPolicy();
}

void lane::dropPlan(ProgramOp program) {
  program.removePlanAttr();
  program.removePlacementAttr();
  for (MatrixOp matrix : program.getBody().getOps<MatrixOp>()) {
    matrix.setResidence(std::nullopt);
    matrix.removeSharesAttr();
    matrix.removeExtentsAttr();
  }
}

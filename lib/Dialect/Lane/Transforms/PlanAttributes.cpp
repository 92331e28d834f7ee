//===- PlanAttributes.cpp - A plan as attributes of a program -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/Transforms/PlanAttributes.h"

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
    matrix.removeSideAttr();
  }
  for (auto [sharer, holder] : plan.shares) {
    MatrixOp matrix = sharer;
    matrix.setSharesAttr(
        FlatSymbolRefAttr::get(MatrixOp(holder).getSymNameAttr()));
    matrix.setResidence(std::nullopt);
    matrix.removeSideAttr();
  }
  program.setPlanAttr(PlanAttr::get(ctx, plan.arenaBytes, plan.fixed.getTotal(),
                                    plan.spareBytes,
                                    ArrayAttr::get(ctx, order)));
}

void lane::writePlacement(ProgramOp program, const ResidencePlan &plan,
                          const Placement &placement) {
  TrafficPlacement first;
  first.budgetBytes = placement.budgetBytes;
  first.deviceBytes = placement.deviceBytes;
  first.hostBytes = placement.hostBytes;
  llvm::append_range(first.moved, llvm::seq<int64_t>(0, placement.moved));
  writePlacement(program, plan, first, PlacementPolicy::LastRead);
}

void lane::writePlacement(ProgramOp program, const ResidencePlan &plan,
                          const TrafficPlacement &placement,
                          PlacementPolicy policy) {
  MLIRContext *ctx = program.getContext();
  auto device = MemorySideAttr::get(ctx, MemorySide::Device);
  auto host = MemorySideAttr::get(ctx, MemorySide::Host);
  for (const Upload &upload : plan.order)
    MatrixOp(upload.matrix).setSideAttr(device);
  for (int64_t rank : placement.moved)
    MatrixOp(plan.order[rank].matrix).setSideAttr(host);
  for (auto [sharer, holder] : plan.shares)
    MatrixOp(sharer).setSideAttr(MatrixOp(holder).getSideAttr());
  program.setPlacementAttr(
      PlacementAttr::get(ctx, placement.budgetBytes, placement.moved.size(),
                         placement.deviceBytes, placement.hostBytes, policy));
}

void lane::dropPlan(ProgramOp program) {
  program.removePlanAttr();
  program.removePlacementAttr();
  for (MatrixOp matrix : program.getBody().getOps<MatrixOp>()) {
    matrix.setResidence(std::nullopt);
    matrix.removeSharesAttr();
    matrix.removeSideAttr();
  }
}

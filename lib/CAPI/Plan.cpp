//===- Plan.cpp - Planning programs from C --------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane-c/Plan.h"
#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace lane;

MlirLogicalResult laneProgramPlan(MlirOperation program) {
  auto op = cast<ProgramOp>(unwrap(program));
  // A program that was built in memory is not verified yet.
  if (failed(verify(op)))
    return wrap(failure());
  auto passes = PassManager::on<ProgramOp>(op.getContext());
  passes.addPass(createArenaPlanPass());
  passes.addPass(createResidencePlanPass());
  return wrap(passes.run(op));
}

MlirLogicalResult laneProgramPlace(MlirOperation program, int64_t budgetBytes,
                                   LanePlacementPolicy policy) {
  auto op = cast<ProgramOp>(unwrap(program));
  ResidencePlacePassOptions options;
  options.budget = std::to_string(budgetBytes);
  options.policy = static_cast<PlacementPolicy>(policy);
  auto passes = PassManager::on<ProgramOp>(op.getContext());
  passes.addPass(createResidencePlacePass(options));
  return wrap(passes.run(op));
}

bool laneProgramGetPlan(MlirOperation program, LanePlan *plan) {
  auto op = cast<ProgramOp>(unwrap(program));
  PlanAttr attr = op.getPlanAttr();
  if (!attr)
    return false;
  int64_t whole = attr.getArena() + attr.getFixed();
  for (MatrixOp matrix : op.getBody().getOps<MatrixOp>())
    if (matrix.getResidence())
      whole += matrix.getResidence()->bytes;
  *plan = {attr.getArena(), attr.getFixed(), attr.getSpare(), whole,
           static_cast<intptr_t>(attr.getOrder().size())};
  return true;
}

bool laneProgramGetUpload(MlirOperation program, intptr_t rank,
                          LaneUpload *upload) {
  auto op = cast<ProgramOp>(unwrap(program));
  PlanAttr attr = op.getPlanAttr();
  if (!attr || rank < 0 ||
      rank >= static_cast<intptr_t>(attr.getOrder().size()))
    return false;
  auto symbol = cast<FlatSymbolRefAttr>(attr.getOrder()[rank]);
  auto matrix = SymbolTable::lookupNearestSymbolFrom<MatrixOp>(op, symbol);
  if (!matrix || !matrix.getResidence())
    return false;
  Residence residence = *matrix.getResidence();
  *upload = {wrap(symbol.getValue()),
             static_cast<LaneMatrixClass>(residence.matrixClass),
             residence.lastRead, residence.bytes,
             matrix.getSide() ? static_cast<LaneMemorySide>(*matrix.getSide())
                              : LaneMemorySideNone};
  return true;
}

bool laneProgramGetPlacement(MlirOperation program, LanePlacement *placement) {
  PlacementAttr attr = cast<ProgramOp>(unwrap(program)).getPlacementAttr();
  if (!attr)
    return false;
  *placement = {attr.getBudget(), attr.getMoved(), attr.getDeviceBytes(),
                attr.getHostBytes(),
                static_cast<LanePlacementPolicy>(attr.getPolicy())};
  return true;
}

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

/// The owner of the upload of that rank, or null.
static MatrixOp lookupUpload(ProgramOp program, intptr_t rank) {
  PlanAttr attr = program.getPlanAttr();
  if (!attr || rank < 0 ||
      rank >= static_cast<intptr_t>(attr.getOrder().size()))
    return {};
  auto symbol = cast<FlatSymbolRefAttr>(attr.getOrder()[rank]);
  return SymbolTable::lookupNearestSymbolFrom<MatrixOp>(program, symbol);
}

bool laneProgramGetUpload(MlirOperation program, intptr_t rank,
                          LaneUpload *upload) {
  MatrixOp matrix = lookupUpload(cast<ProgramOp>(unwrap(program)), rank);
  if (!matrix || !matrix.getResidence())
    return false;
  Residence residence = *matrix.getResidence();
  intptr_t numExtents = matrix.getExtents() ? matrix.getExtents()->size() : 0;
  *upload = {wrap(matrix.getSymName()),
             static_cast<LaneMatrixClass>(residence.matrixClass),
             residence.lastRead, residence.bytes, numExtents};
  return true;
}

bool laneProgramGetExtent(MlirOperation program, intptr_t rank, intptr_t index,
                          LaneExtent *extent) {
  MatrixOp matrix = lookupUpload(cast<ProgramOp>(unwrap(program)), rank);
  if (!matrix || !matrix.getExtents() || index < 0 ||
      index >= static_cast<intptr_t>(matrix.getExtents()->size()))
    return false;
  ExtentAttr attr = (*matrix.getExtents())[index];
  *extent = {{attr.getSpace().kind == MemoryKind::Host ? LaneMemoryKindHost
                                                       : LaneMemoryKindDevice,
              attr.getSpace().number},
             attr.getOffset(),
             attr.getBytes()};
  return true;
}

bool laneProgramGetPlacement(MlirOperation program, LanePlacement *placement) {
  PlacementAttr attr = cast<ProgramOp>(unwrap(program)).getPlacementAttr();
  if (!attr)
    return false;
  *placement = {attr.getBudget(),
                attr.getMoved(),
                attr.getDeviceBytes(),
                attr.getHostBytes(),
                attr.getPageTableBytes(),
                static_cast<LanePlacementPolicy>(attr.getPolicy())};
  return true;
}

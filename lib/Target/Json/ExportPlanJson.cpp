//===- ExportPlanJson.cpp - A program's plan as JSON ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Traffic.h"
#include "lane/Target/Json/Json.h"
#include "lane/Target/Translations.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace lane;

/// The one program of `module`, or null after an error.
static ProgramOp getProgram(ModuleOp module) {
  auto programs = llvm::to_vector(module.getOps<ProgramOp>());
  if (programs.size() == 1)
    return programs.front();
  emitError(module.getLoc())
      << "the module has " << programs.size() << " programs instead of one";
  return {};
}

/// Fills in what a step reads of `placement`, and the bound on any. An error
/// where the placement does not hold.
static llvm::Error addTraffic(const TrafficProblem &problem, PlacementAttr attr,
                              TrafficPlacement &placement) {
  if (attr.getPolicy() == PlacementPolicy::LastRead) {
    if (llvm::Error error = verifyPlacement(
            problem.placement, {attr.getBudget(), attr.getMoved(),
                                attr.getDeviceBytes(), attr.getHostBytes()}))
      return error;
    llvm::append_range(placement.moved, llvm::seq<int64_t>(0, attr.getMoved()));
  } else if (attr.getMoved() != int64_t(placement.moved.size())) {
    return llvm::createStringError(
        Twine(attr.getMoved()) + " uploads moved, but " +
        Twine(placement.moved.size()) + " live on the host");
  }
  for (int64_t rank : placement.moved)
    placement.hostStepBytes += problem.stepBytes[rank];
  // The bound is the budget's, whatever the policy.
  llvm::Expected<TrafficPlacement> inOrder =
      placeInOrderWithTraffic(problem, placement.budgetBytes);
  if (!inOrder)
    return inOrder.takeError();
  placement.boundHostStepBytes = inOrder->boundHostStepBytes;
  return verifyTrafficPlacement(problem, placement);
}

/// The placement which residence-place wrote, with what a step reads of it; or
/// a failure after an error that says it is stale.
static FailureOr<std::optional<TrafficPlacement>>
getPlacement(ProgramOp program, const ResidencePlan &plan) {
  PlacementAttr attr = program.getPlacementAttr();
  if (!attr)
    return std::optional<TrafficPlacement>();
  FailureOr<SmallVector<int64_t>> stepBytes = computeTraffic(program, plan);
  if (failed(stepBytes))
    return failure();
  TrafficPlacement placement;
  placement.budgetBytes = attr.getBudget();
  placement.deviceBytes = attr.getDeviceBytes();
  placement.hostBytes = attr.getHostBytes();
  if (attr.getPolicy() != PlacementPolicy::LastRead)
    for (auto [rank, upload] : llvm::enumerate(plan.order))
      if (MatrixOp(upload.matrix).getSide() == MemorySide::Host)
        placement.moved.push_back(rank);
  llvm::Error error =
      addTraffic({plan.getPlacementProblem(), *stepBytes}, attr, placement);
  if (!error)
    return std::optional<TrafficPlacement>(std::move(placement));
  // At the place alone: to print a whole program helps nobody.
  return emitError(program.getLoc())
         << "'lane.program' op the placement is stale, run residence-place "
            "again: "
         << llvm::toString(std::move(error));
}

/// Symbols are any bytes, and JSON is UTF-8.
static std::string getName(MatrixOp matrix) {
  StringRef name = matrix.getSymName();
  return llvm::json::isUTF8(name) ? name.str() : llvm::json::fixUTF8(name);
}

static void printUploads(const ResidencePlan &plan, llvm::json::OStream &json) {
  json.attributeArray("order", [&] {
    for (const Upload &upload : plan.order)
      json.array([&] {
        json.value(getName(upload.matrix));
        json.value(upload.bytes);
      });
  });
  json.attributeObject("shares", [&] {
    for (auto [sharer, holder] : plan.shares)
      json.attribute(getName(sharer), getName(holder));
  });
}

static void printPlacement(ProgramOp program, const ResidencePlan &plan,
                           const TrafficPlacement &placement,
                           llvm::json::OStream &json) {
  json.attributeArray("place", [&] {
    json.object([&] {
      json.attribute("budget", placement.budgetBytes);
      json.attribute("moved", int64_t(placement.moved.size()));
      json.attribute("device_bytes", placement.deviceBytes);
      json.attribute("host_bytes", placement.hostBytes);
    });
  });
  PlacementPolicy policy = program.getPlacementAttr().getPolicy();
  json.attributeObject("traffic", [&] {
    json.attribute("policy", stringifyPlacementPolicy(policy));
    json.attribute("host_step_bytes", placement.hostStepBytes);
    json.attribute("bound_host_step_bytes", placement.boundHostStepBytes);
    if (policy == PlacementPolicy::LastRead)
      return;
    // The order does not say which.
    json.attributeArray("host", [&] {
      for (int64_t rank : placement.moved)
        json.value(getName(plan.order[rank].matrix));
    });
  });
}

/// What the plan's figures are made of.
static void printReasons(const ResidencePlan &plan, llvm::json::OStream &json) {
  json.attributeObject("terms", [&] {
    json.attribute("loop", plan.fixed.loop);
    json.attribute("values", plan.fixed.values);
    json.attribute("state", plan.fixed.state);
    json.attribute("buffers", plan.fixed.buffers);
    json.attribute("scratch", plan.fixed.scratch);
  });
  json.attributeObject("classes", [&] {
    for (const Upload &upload : plan.order)
      json.attribute(getName(upload.matrix),
                     stringifyMatrixClass(upload.matrixClass));
  });
  json.attributeObject("last_read", [&] {
    for (const Upload &upload : plan.order)
      json.attribute(getName(upload.matrix), upload.lastRead);
  });
}

LogicalResult lane::exportPlanJson(ModuleOp module, llvm::raw_ostream &os) {
  ProgramOp program = getProgram(module);
  if (!program)
    return failure();
  FailureOr<ResidencePlan> plan = computeResidencePlan(program);
  if (failed(plan) || failed(verifyPlanIsCurrent(program, *plan)))
    return failure();
  FailureOr<std::optional<TrafficPlacement>> placement =
      getPlacement(program, *plan);
  if (failed(placement))
    return failure();

  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("arena", plan->arenaBytes);
    json.attribute("fixed", plan->fixed.getTotal());
    json.attribute("spare", plan->spareBytes);
    json.attribute("whole", plan->getPlacementProblem().getWholeBytes());
    printUploads(*plan, json);
    if (*placement)
      printPlacement(program, *plan, **placement, json);
    printReasons(*plan, json);
  });
  os << '\n';
  return success();
}

void lane::registerExportPlanJsonTranslation() {
  static TranslateFromMLIRRegistration registration(
      "export-plan-json", "Print a program's plan and placement as JSON",
      [](ModuleOp module, llvm::raw_ostream &os) {
        return exportPlanJson(module, os);
      },
      [](DialectRegistry &registry) {
        registry.insert<LaneDialect, DLTIDialect>();
      });
}

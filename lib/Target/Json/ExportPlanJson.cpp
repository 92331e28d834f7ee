//===- ExportPlanJson.cpp - A program's plan as JSON ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/DeviceSpec.h"
#include "lane/Conversion/StepDialects.h"
#include "lane/Dialect/Lane/Transforms/PlanAttributes.h"
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

/// Names are any bytes, and JSON is UTF-8.
static std::string getText(StringRef name) {
  return llvm::json::isUTF8(name) ? name.str() : llvm::json::fixUTF8(name);
}

static std::string getName(MatrixOp matrix) {
  return getText(matrix.getSymName());
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
    for (auto [alias, owner] : plan.shares)
      json.attribute(getName(alias), getName(owner));
  });
}

static std::string printToString(const MemorySpace &space) {
  std::string text;
  llvm::raw_string_ostream(text) << space;
  return text;
}

/// Writes the extents of each upload by its name.
static void printExtents(const ResidencePlan &plan, ArrayRef<Extent> extents,
                         llvm::json::OStream &json) {
  json.attributeObject("extents", [&] {
    for (auto [rank, upload] : llvm::enumerate(plan.order))
      json.attributeArray(getName(upload.matrix), [&, rank = int64_t(rank)] {
        for (; !extents.empty() && extents.front().upload == rank;
             extents = extents.drop_front())
          json.object([&] {
            json.attribute("space", printToString(extents.front().space));
            json.attribute("offset", extents.front().offsetBytes);
            json.attribute("bytes", extents.front().bytes);
          });
      });
  });
}

static void printPlacement(const ResidencePlan &plan,
                           const Placement &placement,
                           llvm::json::OStream &json) {
  SmallVector<int64_t> moved = placement.getMovedUploads();
  json.attributeArray("place", [&] {
    json.object([&] {
      json.attribute("budget", placement.budgetBytes);
      json.attribute("moved", int64_t(moved.size()));
      json.attribute("device_bytes", placement.deviceBytes);
      json.attribute("host_bytes", placement.hostBytes);
      if (placement.pageTableBytes != 0)
        json.attribute("page_table_bytes", placement.pageTableBytes);
    });
  });
  json.attributeObject("spaces", [&] {
    json.attribute(printToString(MemorySpace::getDevice()),
                   placement.deviceBytes);
    json.attribute(printToString(MemorySpace::getHost()), placement.hostBytes);
  });
  printExtents(plan, placement.extents, json);
  json.attributeObject("traffic", [&] {
    json.attribute("policy", stringifyPlacementPolicy(placement.policy));
    json.attribute("host_step_bytes", placement.hostStepBytes);
    json.attribute("bound_host_step_bytes", placement.boundHostStepBytes);
    if (placement.policy == PlacementPolicy::LastRead)
      return;
    // With least-traffic, the order does not determine which uploads moved.
    json.attributeArray("host", [&] {
      for (int64_t rank : moved)
        json.value(getName(plan.order[rank].matrix));
    });
  });
}

/// The memory that the budget was taken from.
static void printMemory(const DeviceSpec &device, llvm::json::OStream &json) {
  json.attributeObject("memory", [&] {
    json.attribute("device", getText(device.name));
    json.attribute("bytes", device.memoryBytes);
    json.attribute("reserve_bytes", device.reserveBytes);
  });
}

/// What the values of the plan come from.
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

LogicalResult lane::exportPlanJson(ModuleOp module, llvm::raw_ostream &os,
                                   const DeviceSpec *device) {
  ProgramOp program = getProgram(module);
  if (!program)
    return failure();
  FailureOr<ResidencePlan> plan = computeResidencePlan(program);
  if (failed(plan) || failed(verifyPlanIsCurrent(program, *plan)))
    return failure();
  FailureOr<std::optional<Placement>> placement = readPlacement(program, *plan);
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
      printPlacement(*plan, **placement, json);
    if (device)
      printMemory(*device, json);
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
        registerStepDialects(registry);
      });
}

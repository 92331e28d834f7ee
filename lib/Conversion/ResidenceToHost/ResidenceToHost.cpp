//===- ResidenceToHost.cpp - The pass residence-to-host -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostDescription.h"
#include "StepLowering.h"
#include "lane/Conversion/Passes.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace lane {
#define GEN_PASS_DEF_RESIDENCETOHOSTPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

/// The policy of the program: the one it was placed with, the one asked for, or
/// by default last-read. Fails where the two differ.
static FailureOr<PlacementPolicy> getPolicy(ProgramOp program,
                                            HostPolicy asked) {
  PlacementAttr placement = program.getPlacementAttr();
  if (asked == HostPolicy::AsPlaced)
    return placement ? placement.getPolicy() : PlacementPolicy::LastRead;
  PlacementPolicy policy = asked == HostPolicy::LeastTraffic
                               ? PlacementPolicy::LeastTraffic
                               : PlacementPolicy::LastRead;
  if (!placement || placement.getPolicy() == policy)
    return policy;
  emitError(program.getLoc()) << "'lane.program' op '" << program.getSymName()
                              << "' is placed by the policy "
                              << stringifyPlacementPolicy(placement.getPolicy())
                              << ", but residence-to-host is given "
                              << stringifyPlacementPolicy(policy);
  return failure();
}

static LogicalResult lowerProgram(ModuleOp module, ProgramOp program,
                                  HostPolicy asked, HostTarget target,
                                  HostSteps steps) {
  FailureOr<PlacementPolicy> policy = getPolicy(program, asked);
  if (failed(policy))
    return failure();
  FailureOr<ResidencePlan> plan = computeResidencePlan(program);
  if (failed(plan) || failed(verifyPlanIsCurrent(program, *plan)))
    return failure();
  FailureOr<PoolLayout> layout = computePoolLayout(program, *plan);
  if (failed(layout))
    return failure();
  FailureOr<HostDescription> host =
      describeHost(program, *plan, *layout, *policy);
  if (failed(host))
    return failure();
  SmallVector<func::FuncOp> functions = findSteps(module, program);
  if (steps != HostSteps::None)
    for (func::FuncOp function : functions)
      host->steps.push_back(HostDescription::getIdentifier(
          function->getAttrOfType<SymbolRefAttr>("lane.step")
              .getLeafReference()));
  if (target == HostTarget::LLVM)
    buildLLVM(module, program, *host);
  else
    buildEmitC(module, program, *host);
  if (target == HostTarget::LLVM && steps != HostSteps::None) {
    if (failed(lowerSteps(module, program, *layout, *host, steps)))
      return failure();
  } else {
    for (func::FuncOp function : functions)
      function.erase();
  }
  program.erase();
  return success();
}

namespace {
struct ResidenceToHostPass
    : public lane::impl::ResidenceToHostPassBase<ResidenceToHostPass> {
  using ResidenceToHostPassBase::ResidenceToHostPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto programs = llvm::to_vector(module.getOps<ProgramOp>());
    if (programs.size() != 1) {
      emitError(programs.empty() ? module.getLoc() : programs[1].getLoc())
          << "expected a module with one lane.program, found "
          << programs.size();
      return signalPassFailure();
    }
    if (failed(lowerProgram(module, programs.front(), policy, target, steps)))
      signalPassFailure();
  }
};
} // namespace

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
#include "lane/Dialect/Lane/Transforms/PlanAttributes.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace lane {
#define GEN_PASS_DEF_RESIDENCETOHOSTPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

/// Returns the policy of the program's placement or of the option; last-read if
/// there is neither. Fails, with a diagnostic, if they differ.
static FailureOr<PlacementPolicy> getPolicy(ProgramOp program,
                                            HostPolicy option) {
  std::optional<PlacementPolicy> placed = readPlacementPolicy(program);
  if (option == HostPolicy::AsPlaced)
    return placed.value_or(PlacementPolicy::LastRead);
  PlacementPolicy policy = option == HostPolicy::LeastTraffic
                               ? PlacementPolicy::LeastTraffic
                               : PlacementPolicy::LastRead;
  if (!placed || *placed == policy)
    return policy;
  return emitBriefOpError(program)
         << "'" << program.getSymName() << "' is placed by the policy "
         << stringifyPlacementPolicy(*placed)
         << ", but residence-to-host is given "
         << stringifyPlacementPolicy(policy);
}

/// Erases steps, and the private functions that only they called.
static void eraseSteps(ModuleOp module, ArrayRef<func::FuncOp> steps) {
  for (func::FuncOp step : steps)
    step.erase();
  if (steps.empty())
    return;
  bool hasErased = true;
  while (hasErased) {
    hasErased = false;
    SymbolTableCollection symbols;
    SymbolUserMap uses(symbols, module);
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!function.isPrivate() || !uses.useEmpty(function))
        continue;
      function.erase();
      hasErased = true;
    }
  }
}

/// Erases the kernels that steps launched.
static void eraseKernels(ModuleOp module) {
  for (auto kernels :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
    kernels.erase();
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
}

static LogicalResult lowerProgram(ModuleOp module, ProgramOp program,
                                  HostPolicy option, HostTarget target,
                                  HostSteps steps) {
  FailureOr<PlacementPolicy> policy = getPolicy(program, option);
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
    eraseSteps(module, functions);
  }
  if (target == HostTarget::Cpp || steps == HostSteps::None)
    eraseKernels(module);
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

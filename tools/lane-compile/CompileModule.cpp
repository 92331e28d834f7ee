//===- CompileModule.cpp - Plans and compiles a module --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileModule.h"
#include "lane/Analysis/Residence.h"
#include "lane/Conversion/Passes.h"
#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "lane/Dialect/Lane/Transforms/PlanAttributes.h"
#include "lane/Target/Cpp/EmitCpp.h"
#include "lane/Target/Object/EmitObject.h"
#include "lane/Target/Report/Report.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace lane;

/// Makes a planned program of the module's functions; a placed one where the
/// options give memory to place for.
static LogicalResult plan(ModuleOp module, const Options &options) {
  PassManager passes(module.getContext());
  ConvertLinalgToLanePassOptions raise;
  raise.contextLength = options.context;
  raise.checkpoint = options.checkpoint;
  passes.addPass(createConvertLinalgToLanePass(raise));
  ResidencePipelineOptions residence;
  residence.isPlaced = options.isGiven(options.deviceBytes);
  residence.deviceBytes = options.deviceBytes.getValue();
  residence.policy = options.policy;
  buildResidencePipeline(passes, residence);
  return passes.run(module);
}

static LogicalResult report(ModuleOp module, const Options &options,
                            std::string &text) {
  ProgramOp program = *module.getOps<ProgramOp>().begin();
  FailureOr<ResidencePlan> plan = computeResidencePlan(program);
  if (failed(plan))
    return failure();
  FailureOr<std::optional<Placement>> placement = readPlacement(program, *plan);
  if (failed(placement))
    return failure();
  std::string title = llvm::sys::path::filename(options.input).str() +
                      ", context of " +
                      std::to_string(program.getContextLength()) + " tokens";
  llvm::raw_string_ostream os(text);
  printReport(program, *plan, *placement,
              {title, options.rows, /*device=*/nullptr,
               /*hostLimitBytes=*/std::nullopt},
              os);
  return success();
}

static HostPolicy getHostPolicy(const Options &options) {
  return options.policy == PlacementPolicy::LeastTraffic
             ? HostPolicy::LeastTraffic
             : HostPolicy::LastRead;
}

static LogicalResult emitHeader(ModuleOp module, const Options &options,
                                std::string &text) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager passes(module.getContext());
  ResidenceToHostPassOptions host;
  host.target = HostTarget::Cpp;
  host.policy = getHostPolicy(options);
  passes.addPass(createResidenceToHostPass(host));
  llvm::raw_string_ostream os(text);
  return success(succeeded(passes.run(*copy)) &&
                 succeeded(emitCpp(*copy, CppFile::Header, os)));
}

/// Lowers a planned module to the LLVM dialect.
static LogicalResult lower(ModuleOp module, const Options &options) {
  PassManager passes(module.getContext());
  if (options.isForHost) {
    LaneToLLVMOptions host;
    host.policy = getHostPolicy(options);
    buildLaneToLLVMPipeline(passes, host);
  } else {
    LaneToNVVMOptions device;
    device.chip = options.chip.getValue();
    device.format = options.format.getValue();
    device.toolkit = options.toolkit.getValue();
    device.policy = getHostPolicy(options);
    buildLaneToNVVMPipeline(passes, device);
  }
  return passes.run(module);
}

FailureOr<CompiledModule> lane::compileModule(ModuleOp module,
                                              const Options &options) {
  CompiledModule compiled;
  if (failed(plan(module, options)) ||
      failed(report(module, options, compiled.report)) ||
      failed(emitHeader(module, options, compiled.header)) ||
      failed(lower(module, options)))
    return failure();
  FailureOr<SmallVector<char, 0>> object = emitObject(module);
  if (failed(object))
    return failure();
  compiled.object = std::move(*object);
  return compiled;
}

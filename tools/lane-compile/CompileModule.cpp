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
#include "lane/Target/Object/CompileProgram.h"
#include "lane/Target/Report/Report.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace lane;

/// Plans the module's program, which is made of its functions if there is none.
/// Places it where the options give memory to place for. A plan that stands is
/// kept, with its placement.
static LogicalResult plan(ModuleOp module, const Options &options) {
  PassManager passes(module.getContext());
  size_t numPrograms = llvm::range_size(module.getOps<ProgramOp>());
  if (numPrograms > 1)
    return emitError(module.getLoc())
           << "expected a module with one lane.program, found " << numPrograms;
  if (numPrograms == 0) {
    ConvertLinalgToLanePassOptions raise;
    raise.contextLength = options.context;
    if (options.isGiven(options.checkpoint))
      raise.checkpoints.push_back(options.checkpoint);
    passes.addPass(createConvertLinalgToLanePass(raise));
  }
  bool isPlanned =
      numPrograms == 1 && (*module.getOps<ProgramOp>().begin()).getPlan();
  if (isPlanned && !options.isGiven(options.deviceBytes))
    return success();
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
  if (!options.isGiven(options.policy))
    return HostPolicy::AsPlaced;
  return options.policy == PlacementPolicy::LeastTraffic
             ? HostPolicy::LeastTraffic
             : HostPolicy::LastRead;
}

static CompileOptions getCompileOptions(const Options &options) {
  CompileOptions compile;
  compile.isForHost = options.isForHost;
  compile.cpu = options.cpu;
  // Code that computes is for the CPU that runs it.
  if (options.isForHost && !options.isGiven(options.cpu))
    compile.cpu = "native";
  compile.chip = options.chip;
  compile.format = options.format;
  compile.toolkit = options.toolkit;
  compile.policy = getHostPolicy(options);
  return compile;
}

FailureOr<CompiledModule> lane::compileModule(ModuleOp module,
                                              const Options &options) {
  CompiledModule compiled;
  if (failed(plan(module, options)) ||
      failed(report(module, options, compiled.report)))
    return failure();
  FailureOr<std::string> header =
      emitObjectHeader(module, getHostPolicy(options));
  if (failed(header))
    return failure();
  FailureOr<SmallVector<char, 0>> object =
      compileProgram(module, getCompileOptions(options));
  if (failed(object))
    return failure();
  compiled.header = std::move(*header);
  compiled.object = std::move(*object);
  return compiled;
}

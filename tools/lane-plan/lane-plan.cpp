//===- lane-plan.cpp - Plans a model with one command ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a model, plans it, places it on a device, and prints a report.
//
//===----------------------------------------------------------------------===//

#include "../Diagnostics.h"
#include "PlanProgram.h"
#include "WriteCpp.h"
#include "WriteHtml.h"
#include "lane/Analysis/Traffic.h"
#include "lane/Conversion/StepDialects.h"
#include "lane/Support/OutputFile.h"
#include "lane/Support/Version.h"
#include "lane/Target/Json/Json.h"
#include "lane/Target/Report/Report.h"
#include "lane/Target/Report/SweepReport.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace lane;
namespace cl = llvm::cl;

/// Prints the bytes that a step of the program reads from the host at each
/// budget.
static LogicalResult printSweep(const Options &options, const Input &input,
                                const ResidencePlan &plan,
                                const GivenMemory &memory) {
  FailureOr<PlacementProblem> problem =
      computePlacementProblem(input.program, plan);
  if (failed(problem))
    return failure();
  // The budgets are exact, so page tables do not count.
  problem->hostLimitBytes = memory.hostLimitBytes;
  SmallVector<SweepPoint> points = computeSweep(*problem);
  const DeviceSpec &device = getSpeedDevice(options);
  SweepReport report{input.title, device.name, device.speed, *problem, points};
  if (options.json)
    printSweepJson(report, llvm::outs());
  else if (options.csv)
    printSweepCsv(report, llvm::outs());
  else
    lane::printSweep(report, llvm::outs());
  return success();
}

static LogicalResult emitCpp(const Options &options, ModuleOp module) {
  FailureOr<std::string> stem = writeCpp(
      module, options.emitCpp,
      options.policy == PlacementPolicy::LeastTraffic ? HostPolicy::LeastTraffic
                                                      : HostPolicy::LastRead);
  if (failed(stem))
    return failure();
  llvm::errs() << "lane-plan: wrote " << *stem << ".h and " << *stem
               << ".cpp\n";
  return success();
}

/// Writes the files and prints the report that the options select.
static LogicalResult printPlan(const Options &options, const Input &input,
                               const PlannedProgram &planned,
                               const GivenMemory &memory) {
  if (options.isGiven(options.emitCpp) &&
      failed(emitCpp(options, *input.module)))
    return failure();
  if (options.sweep)
    return printSweep(options, input, planned.plan, memory);
  std::optional<int64_t> budgetBytes;
  if (planned.placement)
    budgetBytes = planned.placement->budgetBytes;
  if (options.isGiven(options.html) &&
      failed(
          writeHtml(input.program, planned.plan,
                    {options.html, input.title,
                     memory.device ? *memory.device : getSpeedDevice(options),
                     memory, budgetBytes, options.policy})))
    return failure();
  const DeviceSpec *device = memory.device ? &*memory.device : nullptr;
  if (options.json)
    return exportPlanJson(*input.module, llvm::outs(), device);
  printReport(input.program, planned.plan, planned.placement,
              {input.title, options.rows, device, memory.hostLimitBytes},
              llvm::outs());
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  registerVersionPrinter();
  Options options;
  cl::HideUnrelatedOptions({&options.category, &llvm::getColorCategory()});
  cl::extrahelp example("\nExample: lane-plan model.gguf --context 8192 "
                        "--device-bytes 12G\n");
  cl::ParseCommandLineOptions(
      argc, argv, "Plans where each weight matrix of a model lives\n");
  if (llvm::Error error = options.check())
    return fail("lane-plan", std::move(error));
  llvm::Expected<GivenMemory> memory = getGivenMemory(options);
  if (!memory)
    return fail("lane-plan", memory.takeError());

  DialectRegistry registry;
  registry.insert<LaneDialect, bufferization::BufferizationDialect, DLTIDialect,
                  tensor::TensorDialect>();
  registerStepDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    return printDiagnostic("lane-plan", diagnostic);
  });
  context.printOpOnDiagnostic(false);

  FailureOr<Input> input = loadProgram(options, &context);
  if (failed(input))
    return 1;
  if (!options.sweep &&
      failed(addDescribedMemory(input->program, options, *memory)))
    return 1;
  // A sweep is over all budgets, so the program is not placed.
  FailureOr<PlannedProgram> planned = planProgram(
      *input, options.policy, options.sweep ? GivenMemory() : *memory);
  if (failed(planned) || failed(printPlan(options, *input, *planned, *memory)))
    return 1;
  if (llvm::Error error = flushStandardOutput())
    return fail("lane-plan", std::move(error));
  return 0;
}

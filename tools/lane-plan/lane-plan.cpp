//===- lane-plan.cpp - Plans a model for a person -------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One command: reads a model, plans it, places it on a card, and prints what a
// person wants to see.
//
//===----------------------------------------------------------------------===//

#include "Devices.h"
#include "WriteCpp.h"
#include "WriteHtml.h"
#include "lane/Analysis/Traffic.h"
#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "lane/Dialect/Lane/Transforms/PlanAttributes.h"
#include "lane/Support/Bytes.h"
#include "lane/Support/Version.h"
#include "lane/Target/GGUF/ImportGGUF.h"
#include "lane/Target/Json/Json.h"
#include "lane/Target/Report/Report.h"
#include "lane/Target/Report/SweepReport.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace lane;
namespace cl = llvm::cl;

namespace {
struct Options {
  /// The options keep references to their texts.
  std::string deviceHelp =
      "Estimate the free memory of a card: " + getDeviceNames();
  cl::OptionCategory category{"Options of lane-plan"};
  cl::opt<std::string> input{
      cl::Positional, cl::Required, cl::cat(category),
      cl::desc("<model.gguf, program.mlir or program.json>")};
  cl::opt<int64_t> context{
      "context", cl::cat(category), cl::init(0), cl::value_desc("tokens"),
      cl::desc("Tokens of context of a GGUF model (default: 4096, or the "
               "model's own where that is less)")};
  cl::opt<int64_t> prefillRows{
      "prefill-rows", cl::cat(category), cl::init(0), cl::value_desc("rows"),
      cl::desc("Rows of a prefill form of a GGUF model (default: none)")};
  cl::opt<int64_t> batchRows{
      "batch-rows", cl::cat(category), cl::init(0), cl::value_desc("sequences"),
      cl::desc("Sequences of a batch form of a GGUF model (default: none)")};
  cl::opt<bool> isGeneric{
      "generic", cl::cat(category),
      cl::desc("Plan a GGUF model of an unknown architecture by the names of "
               "its tensors")};
  cl::opt<std::string> deviceBytes{
      "device-bytes", cl::cat(category), cl::value_desc("size"),
      cl::desc("Device memory given to the program, in bytes or with KiB, MiB, "
               "GiB, KB, MB or GB; the budget is that less the spare")};
  cl::opt<std::string> device{"device", cl::cat(category),
                              cl::value_desc("card"), cl::desc(deviceHelp)};
  cl::opt<PlacementPolicy> policy{
      "policy", cl::cat(category), cl::init(PlacementPolicy::LastRead),
      cl::desc("Which matrices leave the device:"),
      cl::values(clEnumValN(PlacementPolicy::LastRead, "last-read",
                            "the first of the order (default)"),
                 clEnumValN(PlacementPolicy::LeastTraffic, "least-traffic",
                            "those of which a step reads the fewest bytes"))};
  cl::opt<int64_t> rows{
      "rows", cl::cat(category), cl::init(24), cl::value_desc("count"),
      cl::desc("Rows of the order to print; 0 prints all (default: 24)")};
  cl::opt<bool> json{"json", cl::cat(category),
                     cl::desc("Print the plan as JSON, for programs")};
  cl::opt<bool> sweep{
      "sweep", cl::cat(category),
      cl::desc("Print what a step reads from the host at each budget instead, "
               "by both policies; --device says whose speed times are of "
               "(default: rtx-4090)")};
  cl::opt<std::string> emitCpp{
      "emit-cpp", cl::cat(category), cl::value_desc("folder"),
      cl::desc("Write the program that allocates, maps and uploads on its "
               "start, as a C header and a C++ source")};
  cl::opt<std::string> html{
      "html", cl::cat(category), cl::value_desc("file"),
      cl::desc("Write the plan as one page for a browser: the memory of both "
               "sides to scale, and a slider over all budgets")};
  cl::opt<bool> csv{"csv", cl::cat(category),
                    cl::desc("Print the sweep as CSV")};
};
} // namespace

/// Prints the one line that says what went wrong, and gives the exit status.
static int fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "lane-plan") << message << '\n';
  return 1;
}

/// Reads a checkpoint, a program in JSON, or MLIR as text or bytecode.
static OwningOpRef<ModuleOp>
loadProgram(const Options &options, MLIRContext *context, std::string &title) {
  StringRef path = options.input;
  Location loc = UnknownLoc::get(context);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      gguf::openFile(path);
  if (!buffer) {
    emitError(loc) << llvm::toString(buffer.takeError());
    return {};
  }
  title = llvm::sys::path::filename(path).str();
  if ((*buffer)->getBuffer().starts_with("GGUF") || path.ends_with(".gguf")) {
    llvm::Expected<gguf::Header> header = gguf::Header::parse(**buffer);
    if (!header) {
      emitError(loc) << llvm::toString(header.takeError());
      return {};
    }
    llvm::Expected<gguf::Checkpoint> checkpoint =
        gguf::Checkpoint::open(std::move(*header));
    if (!checkpoint) {
      emitError(loc) << llvm::toString(checkpoint.takeError());
      return {};
    }
    if (llvm::Expected<StringRef> architecture =
            checkpoint->getMetadata().getString("general.architecture"))
      title += (", " + *architecture).str();
    else
      llvm::consumeError(architecture.takeError());
    if (checkpoint->getShards().size() > 1)
      title += (", " + Twine(checkpoint->getShards().size()) + " files").str();
    return importGGUF(*checkpoint,
                      {options.context, options.prefillRows, options.batchRows,
                       options.isGeneric},
                      context);
  }
  if (options.context != 0 || options.prefillRows != 0 ||
      options.batchRows != 0 || options.isGeneric) {
    emitError(loc) << path
                   << " is no GGUF file, so it takes no context, "
                      "prefill-rows, batch-rows or generic";
    return {};
  }
  if (path.ends_with(".json"))
    return importJson((*buffer)->getMemBufferRef(), context);
  return parseSourceFile<ModuleOp>(path, context);
}

/// Where a budget comes from that is a device's.
static std::string describeDevice(const DeviceSpec &device) {
  return llvm::formatv("{0} of {1}, less {2} for driver and context, and the "
                       "spare",
                       formatBytes(device.memoryBytes), device.name,
                       formatBytes(device.reserveBytes));
}

/// The device memory that was asked for, in bytes, and where it comes from.
static llvm::Expected<std::optional<int64_t>>
getGivenBytes(const Options &options, std::string &origin) {
  // An empty text was given too, and is no size and no card.
  bool hasDevice = options.device.getNumOccurrences() != 0;
  bool hasBytes = options.deviceBytes.getNumOccurrences() != 0;
  if (hasDevice && hasBytes)
    return llvm::createStringError("give either --device or --device-bytes");
  if (hasDevice) {
    const DeviceSpec *device = lookupDevice(options.device);
    if (!device)
      return llvm::createStringError("'" + options.device +
                                     "' is no card I know; known are " +
                                     getDeviceNames());
    origin = describeDevice(*device);
    return device->getFreeBytes();
  }
  if (!hasBytes)
    return std::nullopt;
  llvm::Expected<int64_t> bytes = parseBytes(options.deviceBytes);
  if (!bytes)
    return bytes.takeError();
  origin = formatBytes(*bytes) + " given, less the spare";
  return *bytes;
}

/// The card whose speed times are of.
static const DeviceSpec &getSpeedDevice(const Options &options) {
  return *lookupDevice(options.device.empty() ? "rtx-4090"
                                              : options.device.getValue());
}

/// Prints what a step of `program` costs at each budget.
static LogicalResult printSweep(const Options &options, StringRef title,
                                ProgramOp program, const ResidencePlan &plan) {
  FailureOr<SmallVector<int64_t>> stepBytes = computeTraffic(program, plan);
  if (failed(stepBytes))
    return failure();
  TrafficProblem problem{plan.getPlacementProblem(), *stepBytes};
  SmallVector<SweepPoint> points = computeSweep(problem);
  const DeviceSpec &device = getSpeedDevice(options);
  SweepReport report{title.str(), device.name, device.speed, problem, points};
  if (options.json)
    printSweepJson(report, llvm::outs());
  else if (options.csv)
    printSweepCsv(report, llvm::outs());
  else
    lane::printSweep(report, llvm::outs());
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  registerVersionPrinter();
  Options options;
  cl::HideUnrelatedOptions({&options.category, &llvm::getColorCategory()});
  cl::ParseCommandLineOptions(
      argc, argv, "Plans where each weight matrix of a model lives\n");

  DialectRegistry registry;
  registry.insert<LaneDialect, DLTIDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Diagnostics as one line each, without source excerpts of binary files.
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    auto &os = llvm::errs();
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      llvm::WithColor::error(os, "lane-plan");
    else if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
      llvm::WithColor::warning(os, "lane-plan");
    else
      llvm::WithColor::remark(os, "lane-plan");
    if (auto loc = dyn_cast<FileLineColLoc>(diagnostic.getLocation())) {
      os << loc.getFilename().getValue() << ':';
      if (loc.getLine() != 0)
        os << loc.getLine() << ':' << loc.getColumn() << ':';
      os << ' ';
    }
    os << diagnostic << '\n';
    return success();
  });
  context.printOpOnDiagnostic(false);

  if (options.sweep && options.deviceBytes.getNumOccurrences() != 0)
    return fail("a sweep is over all budgets, so it takes no --device-bytes");
  if (options.csv && !options.sweep)
    return fail("--csv prints a sweep: give --sweep too");
  if (options.csv && options.json)
    return fail("give either --csv or --json");
  if (options.emitCpp.getNumOccurrences() != 0 && options.emitCpp.empty())
    return fail("--emit-cpp needs a folder");
  if (options.html.getNumOccurrences() != 0 && options.html.empty())
    return fail("--html needs a file");
  if (options.html.getNumOccurrences() != 0 && options.sweep)
    return fail("the page has the sweep: give either --html or --sweep");
  if (options.rows < 0)
    return fail("rows of " + Twine(options.rows) + " is less than 0");
  ReportOptions report;
  llvm::Expected<std::optional<int64_t>> givenBytes =
      getGivenBytes(options, report.budgetOrigin);
  if (!givenBytes)
    return fail(llvm::toString(givenBytes.takeError()));

  OwningOpRef<ModuleOp> module = loadProgram(options, &context, report.title);
  if (!module)
    return 1;
  auto programs = llvm::to_vector(module->getOps<ProgramOp>());
  if (programs.size() != 1)
    return fail(options.input + " holds " + Twine(programs.size()) +
                " programs instead of one");
  ProgramOp program = programs.front();

  FailureOr<std::optional<DeviceSpec>> device = std::optional<DeviceSpec>();
  if (!*givenBytes && !options.sweep) {
    // A program may say what it is compiled for.
    device = getDeviceSpec(program);
    if (failed(device))
      return 1;
    if (*device) {
      *givenBytes = (*device)->getFreeBytes();
      report.budgetOrigin = describeDevice(**device);
    }
  }

  PassManager passes(&context);
  passes.addNestedPass<ProgramOp>(createArenaPlanPass());
  passes.addNestedPass<ProgramOp>(createResidencePlanPass());
  if (failed(passes.run(*module)))
    return 1;
  FailureOr<ResidencePlan> plan = computeResidencePlan(program);
  if (failed(plan))
    return 1;

  if (options.emitCpp.getNumOccurrences() != 0) {
    FailureOr<std::string> stem =
        writeCpp(*module, options.emitCpp,
                 options.policy == PlacementPolicy::LeastTraffic
                     ? HostPolicy::LeastTraffic
                     : HostPolicy::LastRead);
    if (failed(stem))
      return 1;
    llvm::errs() << "lane-plan: wrote " << *stem << ".h and " << *stem
                 << ".cpp\n";
  }

  report.title +=
      ", context of " + std::to_string(program.getContextLength()) + " tokens";
  if (options.sweep)
    return failed(printSweep(options, report.title, program, *plan));

  std::optional<TrafficPlacement> placement;
  if (*givenBytes) {
    FailureOr<SmallVector<int64_t>> stepBytes = computeTraffic(program, *plan);
    if (failed(stepBytes))
      return 1;
    TrafficProblem problem{plan->getPlacementProblem(), *stepBytes};
    int64_t budget = **givenBytes - plan->spareBytes;
    if (*device)
      if (llvm::Error error = (*device)->checkBudget(problem.placement, budget))
        return fail(llvm::toString(std::move(error)));
    llvm::Expected<TrafficPlacement> placed =
        options.policy == PlacementPolicy::LeastTraffic
            ? placeLeastTraffic(problem, budget)
            : placeInOrderWithTraffic(problem, budget);
    if (!placed)
      return fail(llvm::toString(placed.takeError()) + " (" +
                  report.budgetOrigin + ")");
    placement = *placed;
    writePlacement(program, *plan, *placement, options.policy);
  }
  if (options.html.getNumOccurrences() != 0 &&
      failed(
          writeHtml(program, *plan,
                    {options.html, report.title,
                     *device ? **device : getSpeedDevice(options),
                     placement ? std::optional<int64_t>(placement->budgetBytes)
                               : std::nullopt,
                     options.policy})))
    return 1;
  if (options.json)
    return failed(exportPlanJson(*module, llvm::outs()));
  report.orderRows = options.rows;
  printReport(program, *plan, placement, report, llvm::outs());
  return 0;
}

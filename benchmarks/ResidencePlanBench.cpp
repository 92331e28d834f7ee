//===- ResidencePlanBench.cpp - Time and memory of residence-plan ---------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses synthetic programs of 1,000 to 1,000,000 launches from text and runs
// residence-plan on each. All sizes run in one process, because the ratios then
// hold on a machine whose speed drifts. It ends with three ratios:
//
// - the time of the pass for each launch, at 1,000,000 to that at 10,000;
// - the time of the pass to the time to parse the same text;
// - the peak memory of the pass to the memory of the parsed module.
//
//===----------------------------------------------------------------------===//

#include "SyntheticProgram.h"
#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <fstream>
#include <malloc.h>
#include <map>
#include <vector>

using namespace mlir;

namespace {
using Clock = std::chrono::steady_clock;

/// The measurements of all repetitions at one size.
struct Measurements {
  std::vector<double> parseSeconds;
  std::vector<double> passSeconds;
  double moduleBytes = 0;
  double passPeakBytes = 0;
};
} // namespace

static std::map<int64_t, Measurements> allMeasurements;

/// Reads a value of /proc/self/status, in bytes.
static double readStatusBytes(llvm::StringRef key) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word)
    if (word == key) {
      double kib;
      status >> kib;
      return kib * 1024;
    }
  return 0;
}

/// Returns free memory to the system and resets the peak. Returns the resident
/// bytes.
static double resetPeakBytes() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  return readStatusBytes("VmRSS:");
}

/// Returns the median. The minimum would favor the sizes that run more often.
static double getMedian(std::vector<double> seconds) {
  auto middle = seconds.begin() + seconds.size() / 2;
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

static double getSecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

static void benchmarkResidencePlan(benchmark::State &state) {
  int64_t numLaunches = state.range(0);
  std::string text = lane::makeSyntheticProgram(numLaunches);
  Measurements &measurements = allMeasurements[numLaunches];
  for (auto _ : state) {
    DialectRegistry registry;
    registry.insert<lane::LaneDialect>();
    MLIRContext context(registry);
    context.loadAllAvailableDialects();

    double before = resetPeakBytes();
    Clock::time_point start = Clock::now();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    double parseSeconds = getSecondsSince(start);
    if (!module) {
      state.SkipWithError("the program does not parse");
      return;
    }
    double parsed = resetPeakBytes();

    PassManager passes(&context);
    // Parsing has verified the module, and the verifier is not part of the
    // pass.
    passes.enableVerifier(false);
    passes.addNestedPass<lane::ProgramOp>(lane::createResidencePlanPass());
    start = Clock::now();
    LogicalResult result = passes.run(*module);
    double passSeconds = getSecondsSince(start);
    if (failed(result)) {
      state.SkipWithError("the pass failed");
      return;
    }
    state.SetIterationTime(passSeconds);
    measurements.parseSeconds.push_back(parseSeconds);
    measurements.passSeconds.push_back(passSeconds);
    measurements.moduleBytes = parsed - before;
    measurements.passPeakBytes = readStatusBytes("VmHWM:") - parsed;
  }
  double passSeconds = getMedian(measurements.passSeconds);
  state.counters["ns_per_launch"] = passSeconds / numLaunches * 1e9;
  state.counters["time_to_parse"] =
      passSeconds / getMedian(measurements.parseSeconds);
  state.counters["memory_to_module"] =
      measurements.passPeakBytes / measurements.moduleBytes;
}

int main(int argc, char **argv) {
  // Run small sizes more often, as they take less time.
  for (auto [numLaunches, iterations] :
       {std::pair(1000, 31), std::pair(10000, 31), std::pair(100000, 7),
        std::pair(1000000, 5)})
    benchmark::RegisterBenchmark("residence-plan", benchmarkResidencePlan)
        ->Arg(numLaunches)
        ->UseManualTime()
        ->Iterations(iterations)
        ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  if (!allMeasurements.count(10000) || !allMeasurements.count(1000000))
    return 0;
  const Measurements &small = allMeasurements[10000];
  const Measurements &large = allMeasurements[1000000];
  llvm::outs() << llvm::formatv(
      "time per launch, 1,000,000 to 10,000: {0:F2} (at most 1.50)\n"
      "time of the pass to parsing, at 1,000,000: {1:P} (at most 5%)\n"
      "peak memory of the pass to the module, at 1,000,000: {2:P} "
      "(below 100%)\n",
      getMedian(large.passSeconds) / 1e6 / (getMedian(small.passSeconds) / 1e4),
      getMedian(large.passSeconds) / getMedian(large.parseSeconds),
      large.passPeakBytes / large.moduleBytes);
  return 0;
}

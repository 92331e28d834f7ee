//===- ResidencePlanBench.cpp - Time and memory of residence-plan ---------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses synthetic programs of 1,000 to 1,000,000 launches from text and runs
// residence-plan on each, all in one run of one process, so that the ratios
// hold on a machine whose speed drifts. At the end it prints the ratios that
// matter:
//
// - the pass's time a launch at 1,000,000 against that at 10,000;
// - the pass's time against that of parsing the same text;
// - the pass's peak memory against that of the parsed module.
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

/// The figures of the repetitions at one size.
struct Figures {
  std::vector<double> parseSeconds;
  std::vector<double> passSeconds;
  double moduleBytes = 0;
  double passPeakBytes = 0;
};
} // namespace

static std::map<int64_t, Figures> allFigures;

/// A figure of /proc/self/status, in bytes.
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

/// Gives free memory back and starts the peak anew; the resident bytes now.
static double resetPeakBytes() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  return readStatusBytes("VmRSS:");
}

/// The median, since sizes differ in how often they run: the least of many runs
/// is of a luckier moment than the least of few.
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
  Figures &figures = allFigures[numLaunches];
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
    // The verifier is not the pass; parsing has verified too.
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
    figures.parseSeconds.push_back(parseSeconds);
    figures.passSeconds.push_back(passSeconds);
    figures.moduleBytes = parsed - before;
    figures.passPeakBytes = readStatusBytes("VmHWM:") - parsed;
  }
  double passSeconds = getMedian(figures.passSeconds);
  state.counters["ns_a_launch"] = passSeconds / numLaunches * 1e9;
  state.counters["of_parse"] = passSeconds / getMedian(figures.parseSeconds);
  state.counters["of_module"] = figures.passPeakBytes / figures.moduleBytes;
}

int main(int argc, char **argv) {
  // More runs where a run is short.
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
  if (!allFigures.count(10000) || !allFigures.count(1000000))
    return 0;
  const Figures &small = allFigures[10000];
  const Figures &large = allFigures[1000000];
  llvm::outs() << llvm::formatv(
      "time a launch, 1,000,000 against 10,000: {0:F2} (at most 1.50)\n"
      "time of the pass against parsing, at 1,000,000: {1:P} (at most 5%)\n"
      "peak memory of the pass against the module, at 1,000,000: {2:P} "
      "(below 100%)\n",
      getMedian(large.passSeconds) / 1e6 / (getMedian(small.passSeconds) / 1e4),
      getMedian(large.passSeconds) / getMedian(large.parseSeconds),
      large.passPeakBytes / large.moduleBytes);
  return 0;
}

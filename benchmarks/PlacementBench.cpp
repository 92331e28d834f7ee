//===- PlacementBench.cpp - Times of both policies ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans a program of a thousand matrices and places it on many budgets, with
// both policies in turns. Prints the ratio of their times, and the time of the
// search for least traffic.
//
//===----------------------------------------------------------------------===//

#include "SyntheticProgram.h"
#include "lane/Analysis/Traffic.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace mlir;
using namespace lane;

static constexpr int64_t kRounds = 31;
static constexpr int64_t kMatrices = 1000;

template <typename Function>
static double getSeconds(Function function) {
  auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

static double getMedian(std::vector<double> values) {
  llvm::sort(values);
  return values[values.size() / 2];
}

static ResidencePlan plan(ProgramOp program) {
  FailureOr<ResidencePlan> plan = computeResidencePlan(program);
  return failed(plan) ? std::abort(), ResidencePlan() : std::move(*plan);
}

int main() {
  DialectRegistry registry;
  registry.insert<LaneDialect>();
  MLIRContext context(registry);
  // There is about one matrix for every two launches.
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      makeSyntheticProgram(2 * kMatrices), &context);
  if (!module)
    return 1;
  ProgramOp program = *module->getOps<ProgramOp>().begin();
  PlacementProblem whole = plan(program).getPlacementProblem();
  int64_t range = whole.getWholeBytes() - whole.getResidentBytes();

  std::vector<double> ratios, searches;
  for (int64_t round = 0; round < kRounds; ++round) {
    int64_t budget = whole.getResidentBytes() + range / kRounds * round;
    double inOrder = getSeconds([&] {
      PlacementProblem problem = plan(program).getPlacementProblem();
      llvm::cantFail(placeLastRead(problem, budget));
    });
    double search = 0;
    double leastTraffic = getSeconds([&] {
      ResidencePlan planned = plan(program);
      PlacementProblem problem = *computePlacementProblem(program, planned);
      search = getSeconds(
          [&] { llvm::cantFail(placeLeastTraffic(problem, budget)); });
    });
    ratios.push_back(leastTraffic / inOrder);
    searches.push_back(search);
  }
  llvm::outs() << "planning and placing " << whole.uploadBytes.size()
               << " uploads by least traffic takes "
               << llvm::format("%.2f", getMedian(ratios))
               << " times as long as by the order; the search takes "
               << llvm::format("%.3f", getMedian(searches) * 1e3)
               << " ms, at most "
               << llvm::format("%.3f", *llvm::max_element(searches) * 1e3)
               << " ms (medians of " << kRounds << " budgets)\n";
}

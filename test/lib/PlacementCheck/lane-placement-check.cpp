//===- lane-placement-check.cpp - Compares placements of two programs -----===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: lane-placement-check PROGRAM.mlir PROGRAM.so PREFIX BUDGETS POLICY
//
// Places a program at random budgets with residence-place and with the
// generated program, and fails if the results differ.
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Traffic.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Runtime/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace mlir;
using namespace lane;

using OpenFunction = int32_t(const lane_options *, lane_program **,
                             lane_error *);
using CloseFunction = void(lane_program *);

static int fail(const llvm::Twine &what) {
  llvm::errs() << "lane-placement-check: " << what << "\n";
  return 1;
}

/// Describes how the two placements on one budget differ; empty if they agree.
static std::string compare(const Placement *placement,
                           const std::string &refusal, size_t numUploads,
                           int32_t code, const lane_program *program,
                           const lane_error &error) {
  std::string difference;
  llvm::raw_string_ostream os(difference);
  if (!placement) {
    if (code != LANE_DOES_NOT_FIT || refusal != error.message)
      os << "refused with '" << refusal << "', but the program returns code "
         << code << " '" << error.message << "'";
    return difference;
  }
  if (code != LANE_OK) {
    os << "placed, but the program returns code " << code << " '"
       << error.message << "'";
    return difference;
  }
  SmallVector<int64_t> ranks = placement->getMovedUploads();
  int64_t moved = ranks.size();
  if (program->moved != moved ||
      program->device_bytes != placement->deviceBytes ||
      program->host_bytes != placement->hostBytes)
    os << moved << " moved, device " << placement->deviceBytes << ", host "
       << placement->hostBytes << "; there " << program->moved << ", "
       << program->device_bytes << ", " << program->host_bytes;
  for (size_t rank = 0; rank < numUploads; ++rank)
    if ((program->extents[rank].space.kind == LANE_SPACE_HOST) !=
        llvm::binary_search(ranks, int64_t(rank)))
      os << " upload " << rank << " is in the other space";
  return difference;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (argc != 6)
    return fail("expected PROGRAM.mlir PROGRAM.so PREFIX BUDGETS POLICY");
  DialectRegistry registry;
  registry.insert<LaneDialect>();
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  auto programs = module->getOps<ProgramOp>();
  if (programs.empty())
    return fail("no program");
  FailureOr<ResidencePlan> plan = computeResidencePlan(*programs.begin());
  if (failed(plan))
    return 1;
  FailureOr<PlacementProblem> problem =
      computePlacementProblem(*programs.begin(), *plan);
  if (failed(problem))
    return 1;
  PlacementPolicy policy = llvm::StringRef(argv[5]) == "least-traffic"
                               ? PlacementPolicy::LeastTraffic
                               : PlacementPolicy::LastRead;

  std::string error, prefix = argv[3];
  auto library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(argv[2], &error);
  auto *open = reinterpret_cast<OpenFunction *>(
      library.getAddressOfSymbol((prefix + "_open").c_str()));
  auto *close = reinterpret_cast<CloseFunction *>(
      library.getAddressOfSymbol((prefix + "_close").c_str()));
  if (!open || !close)
    return fail("no " + prefix + "_open or _close: " + error);

  std::mt19937_64 random(1);
  // A third of the budgets are anywhere, a third are around the refusals, and a
  // third are within a byte of a change of the placement.
  int64_t numBudgets = std::atoll(argv[4]);
  int64_t numRefused = 0;
  for (int64_t i = 0; i < numBudgets; ++i) {
    int64_t whole = problem->getWholeBytes();
    int64_t resident = problem->getResidentBytes();
    int64_t most = i % 3 == 0 ? whole + whole / 8 : 2 * resident;
    int64_t budget = int64_t(random() % uint64_t(most));
    if (i % 3 == 2) {
      size_t count = random() % (problem->uploadBytes.size() + 1);
      budget = whole;
      for (int64_t bytes :
           llvm::ArrayRef(problem->uploadBytes).take_front(count))
        budget -= bytes;
      budget += int64_t(random() % 3) - 1;
    }
    numRefused += budget < resident;
    llvm::Expected<Placement> placement = place(*problem, policy, budget);
    std::string refusal;
    if (!placement)
      refusal = llvm::toString(placement.takeError());
    lane_options options = lane_default_options();
    options.device_bytes = budget + plan->spareBytes;
    options.place_only = 1;
    options.host_bytes = INT64_MAX;
    lane_program *program = nullptr;
    lane_error error = {};
    int32_t code = open(&options, &program, &error);
    std::string difference =
        compare(refusal.empty() ? &*placement : nullptr, refusal,
                problem->uploadBytes.size(), code, program, error);
    close(program);
    if (!difference.empty())
      return fail("budget " + llvm::Twine(budget) + ": " + difference);
  }
  llvm::outs() << numBudgets << " budgets, " << numRefused
               << " refused: the same\n";
  return numRefused > 0 && numRefused < numBudgets ? 0
                                                   : fail("nothing was tested");
}

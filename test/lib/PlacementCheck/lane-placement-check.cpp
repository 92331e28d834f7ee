//===- lane-placement-check.cpp - Two deciders, one placement -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: lane-placement-check PROGRAM.mlir PROGRAM.so PREFIX BUDGETS
//
// Places a program at random budgets, as residence-place does and as the
// generated program does when it is opened, and fails where the two differ.
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Residence.h"
#include "lane/IR/LaneDialect.h"
#include "lane/Runtime/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
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

/// What the two say of one budget; empty where they agree.
static std::string compare(const ResidencePlan &plan, OpenFunction *open,
                           CloseFunction *close, int64_t budgetBytes) {
  PlacementProblem problem = plan.getPlacementProblem();
  llvm::Expected<Placement> placement = placeInOrder(problem, budgetBytes);
  lane_options options = {};
  options.device_bytes = budgetBytes + plan.spareBytes;
  options.place_only = 1;
  lane_program *program = nullptr;
  lane_error error = {};
  int32_t code = open(&options, &program, &error);
  std::string difference;
  llvm::raw_string_ostream os(difference);
  if (!placement) {
    std::string message = llvm::toString(placement.takeError());
    if (code != LANE_DOES_NOT_FIT || message != error.message)
      os << "refused with '" << message << "', there code " << code << " '"
         << error.message << "'";
  } else if (code != LANE_OK) {
    os << "placed, there code " << code << " '" << error.message << "'";
  } else {
    if (program->moved != placement->moved ||
        program->device_bytes != placement->deviceBytes ||
        program->host_bytes != placement->hostBytes)
      os << placement->moved << " moved, device " << placement->deviceBytes
         << ", host " << placement->hostBytes << "; there " << program->moved
         << ", " << program->device_bytes << ", " << program->host_bytes;
    for (size_t rank = 0; rank < problem.uploadBytes.size(); ++rank)
      if (program->on_host[rank] !=
          (static_cast<int64_t>(rank) < placement->moved))
        os << " upload " << rank << " is on the other side";
  }
  close(program);
  return difference;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (argc != 5)
    return fail("expected PROGRAM.mlir PROGRAM.so PREFIX BUDGETS");
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

  std::string error, prefix = argv[3];
  auto library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(argv[2], &error);
  auto *open = reinterpret_cast<OpenFunction *>(
      library.getAddressOfSymbol((prefix + "_open").c_str()));
  auto *close = reinterpret_cast<CloseFunction *>(
      library.getAddressOfSymbol((prefix + "_close").c_str()));
  if (!open || !close)
    return fail("no " + prefix + "_open or _close: " + error);

  PlacementProblem problem = plan->getPlacementProblem();
  std::mt19937_64 random(1);
  // A third of them anywhere, to more than all; a third about where programs
  // are refused; a third within a byte of where the placement changes.
  int64_t numBudgets = std::atoll(argv[4]);
  int64_t numRefused = 0;
  for (int64_t i = 0; i < numBudgets; ++i) {
    int64_t whole = problem.getWholeBytes(), pinned = problem.getPinnedBytes();
    int64_t most = i % 3 == 0 ? whole + whole / 8 : 2 * pinned;
    int64_t budget = int64_t(random() % uint64_t(most));
    if (i % 3 == 2) {
      size_t count = random() % (problem.uploadBytes.size() + 1);
      budget = whole;
      for (int64_t bytes :
           llvm::ArrayRef(problem.uploadBytes).take_front(count))
        budget -= bytes;
      budget += int64_t(random() % 3) - 1;
    }
    numRefused += budget < pinned;
    std::string difference = compare(*plan, open, close, budget);
    if (!difference.empty())
      return fail("budget " + llvm::Twine(budget) + ": " + difference);
  }
  llvm::outs() << numBudgets << " budgets, " << numRefused
               << " refused: the same\n";
  return numRefused > 0 && numRefused < numBudgets ? 0
                                                   : fail("nothing was tested");
}

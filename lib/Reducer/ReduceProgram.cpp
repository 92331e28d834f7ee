//===- ReduceProgram.cpp - The pass reduce-program ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "lane/Dialect/Lane/Transforms/PlanAttributes.h"
#include "lane/Reducer/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Reducer/Tester.h"

namespace lane {
#define GEN_PASS_DEF_REDUCEPROGRAMPASS
#include "lane/Reducer/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

/// Collects operations of one kind that may be erased from a module. The order
/// is the same for a clone of the module.
using Collect = function_ref<void(ModuleOp, SmallVectorImpl<Operation *> &)>;

static void collectForms(ModuleOp module, SmallVectorImpl<Operation *> &ops) {
  module.walk([&](FormOp form) { ops.push_back(form); });
}

/// Launches, and the parts of fused launches, before the fused launch.
static void collectLaunches(ModuleOp module,
                            SmallVectorImpl<Operation *> &ops) {
  module.walk([&](FormOp form) {
    form.getBody().walk(
        [&](LaunchOpInterface launch) { ops.push_back(launch); });
  });
}

static void collectUnusedBuffers(ModuleOp module,
                                 SmallVectorImpl<Operation *> &ops) {
  module.walk([&](BufferOpInterface buffer) {
    if (buffer->use_empty())
      ops.push_back(buffer);
  });
}

static void collectUnusedSymbols(ModuleOp module,
                                 SmallVectorImpl<Operation *> &ops) {
  for (auto program : module.getOps<ProgramOp>()) {
    llvm::DenseSet<StringAttr> used;
    program.walk(
        [&](RefOp ref) { used.insert(ref.getSymbolAttr().getAttr()); });
    for (Operation &op : program.getBody().front())
      if (isa<MatrixOp, ValuesOp, StateOp>(op) &&
          !used.contains(SymbolTable::getSymbolName(&op)))
        ops.push_back(&op);
  }
}

namespace {
/// The smallest interesting module so far, and the test.
class Reducer {
public:
  Reducer(ModuleOp module, const Tester &tester)
      : module(module.clone()), tester(tester) {}

  ModuleOp getModule() { return *module; }

  /// Keeps `candidate` if it verifies and is interesting.
  bool take(OwningOpRef<ModuleOp> candidate) {
    {
      // Do not report candidates that are invalid.
      ScopedDiagnosticHandler handler(candidate->getContext(),
                                      [](Diagnostic &) { return success(); });
      if (failed(verify(*candidate)))
        return false;
    }
    if (tester.isInteresting(*candidate).first != Tester::Interestingness::True)
      return false;
    module = std::move(candidate);
    return true;
  }

  /// Erases operations that `collect` finds: all of them, then halves, down to
  /// single operations. Returns whether any was erased.
  bool reduce(Collect collect);

private:
  OwningOpRef<ModuleOp> module;
  const Tester &tester;
};
} // namespace

bool Reducer::reduce(Collect collect) {
  auto collectFrom = [&](ModuleOp from) {
    SmallVector<Operation *> ops;
    collect(from, ops);
    return ops;
  };
  bool hasChanged = false;
  size_t count = collectFrom(*module).size();
  for (size_t chunk = count; chunk != 0; chunk /= 2) {
    for (size_t start = 0; start < count;) {
      OwningOpRef<ModuleOp> candidate = module->clone();
      SmallVector<Operation *> ops = collectFrom(*candidate);
      size_t end = std::min(start + chunk, ops.size());
      for (Operation *op : ArrayRef(ops).slice(start, end - start))
        op->erase();
      if (!take(std::move(candidate))) {
        start = end;
        continue;
      }
      hasChanged = true;
      count = collectFrom(*module).size();
    }
  }
  return hasChanged;
}

namespace {
struct ReduceProgramPass
    : public lane::impl::ReduceProgramPassBase<ReduceProgramPass> {
  using ReduceProgramPassBase::ReduceProgramPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (test.empty()) {
      module.emitError() << "reduce-program needs a test";
      return signalPassFailure();
    }
    SmallVector<std::string> arguments(testArgs.begin(), testArgs.end());
    Tester tester(test, arguments);
    if (tester.isInteresting(module).first != Tester::Interestingness::True) {
      module.emitError() << "the test does not find the input interesting";
      return signalPassFailure();
    }
    Reducer reducer(module, tester);
    // A plan matches one program only, so remove plans first.
    OwningOpRef<ModuleOp> unplanned = module.clone();
    for (auto program : unplanned->getOps<ProgramOp>())
      dropPlan(program);
    reducer.take(std::move(unplanned));
    bool hasChanged = true;
    while (hasChanged) {
      hasChanged = false;
      for (Collect collect :
           {Collect(collectForms), Collect(collectLaunches),
            Collect(collectUnusedBuffers), Collect(collectUnusedSymbols)})
        hasChanged |= reducer.reduce(collect);
    }
    module.getBodyRegion().takeBody(reducer.getModule().getBodyRegion());
  }
};
} // namespace

//===- LinalgToLane.cpp - The pass convert-linalg-to-lane -----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raises functions over memrefs to forms of a lane program. The pass knows
// launches only by LaunchOpInterface, so operations of any dialect that
// implement it are raised. docs/Linalg.md lists what is accepted and refused.
//
//===----------------------------------------------------------------------===//

#include "FormRaiser.h"
#include "lane/Conversion/Passes.h"
#include "lane/Conversion/UpstreamLaunches.h"
#include "lane/Support/Limits.h"
#include "mlir/IR/SymbolTable.h"
#include <algorithm>

namespace lane {
#define GEN_PASS_DEF_CONVERTLINALGTOLANEPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;
using namespace lane::linalgtolane;

/// The public functions of a module. The decode forms come first: they have the
/// state that the others share.
static SmallVector<func::FuncOp> findFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && function.isPublic())
      functions.push_back(function);
  auto isDecode = [](func::FuncOp function) {
    return !function->hasAttr("lane.prefill_rows") &&
           !function->hasAttr("lane.batch_rows");
  };
  std::stable_partition(functions.begin(), functions.end(), isDecode);
  return functions;
}

/// Erases the globals that are the program's buffers now.
static void eraseUnusedGlobals(ModuleOp module) {
  for (auto global :
       llvm::make_early_inc_range(module.getOps<memref::GlobalOp>()))
    if (SymbolTable::symbolKnownUseEmpty(global, module))
      global.erase();
}

/// Makes weights of the arguments that the checkpoint has a tensor for, by the
/// names of their locations, unless their attributes tell what they are.
static void nameWeights(func::FuncOp function,
                        const CheckpointWeights &checkpoint) {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto loc = argument.getLoc()->findInstanceOf<NameLoc>();
    auto isOfLane = [](NamedAttribute attr) {
      return isa_and_nonnull<LaneDialect>(attr.getNameDialect());
    };
    if (loc && isa<BaseMemRefType>(argument.getType()) &&
        llvm::none_of(function_interface_impl::getArgAttrs(function, number),
                      isOfLane) &&
        !loc.getName().empty() && checkpoint.lookup(loc.getName()))
      function.setArgAttr(number, "lane.weight", loc.getName());
  }
}

namespace {
struct ConvertLinalgToLanePass
    : public lane::impl::ConvertLinalgToLanePassBase<ConvertLinalgToLanePass> {
  using ConvertLinalgToLanePassBase::ConvertLinalgToLanePassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertLinalgToLanePassBase::getDependentDialects(registry);
    registerUpstreamLaunchModels(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (contextLength < 1 || contextLength > kMaxContextLength) {
      module.emitError() << "convert-linalg-to-lane: context of "
                         << contextLength.getValue()
                         << " is out of the range 1 to " << kMaxContextLength;
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> functions = findFunctions(module);
    if (functions.empty()) {
      module.emitError() << "the module has no public function to raise";
      return signalPassFailure();
    }
    std::optional<CheckpointWeights> weights;
    if (!checkpoints.empty()) {
      llvm::Expected<CheckpointWeights> opened =
          CheckpointWeights::open(llvm::to_vector(checkpoints));
      if (!opened) {
        module.emitError() << "convert-linalg-to-lane: "
                           << llvm::toString(opened.takeError());
        return signalPassFailure();
      }
      weights = std::move(*opened);
    }
    ProgramRaiser program(
        module, module.getSymName().value_or(functions.front().getSymName()),
        contextLength, weights ? &*weights : nullptr);
    SmallVector<FormRaiser> forms;
    for (func::FuncOp function : functions) {
      if (weights)
        nameWeights(function, *weights);
      if (failed(forms.emplace_back(program, function).raise()))
        return signalPassFailure();
    }
    if (failed(program.finish()))
      return signalPassFailure();
    for (FormRaiser &form : forms)
      form.makeStep();
    eraseUnusedGlobals(module);
  }
};
} // namespace

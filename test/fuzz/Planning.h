//===- Planning.h - Plans whatever a fuzzer has made ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_FUZZ_PLANNING_H
#define LANE_TEST_FUZZ_PLANNING_H

#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "lane/Target/Json/Json.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

namespace lane::fuzz {

/// A context of one input: what it makes unique is freed with it.
class Context {
public:
  Context()
      : context(getRegistry(), mlir::MLIRContext::Threading::DISABLED),
        handler(&context, [](mlir::Diagnostic &) { return llvm::success(); }) {
    context.loadAllAvailableDialects();
  }
  mlir::MLIRContext *get() { return &context; }

private:
  static mlir::DialectRegistry getRegistry() {
    mlir::DialectRegistry registry;
    registry.insert<LaneDialect>();
    return registry;
  }
  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler handler;
};

/// Plans the arena and the residence, places on a budget, and prints the plan
/// and the program, as far as each succeeds.
inline void plan(mlir::ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  passes.addNestedPass<ProgramOp>(createArenaPlanPass());
  passes.addNestedPass<ProgramOp>(createResidencePlanPass());
  ResidencePlacePassOptions options;
  options.budget = "1GiB";
  passes.addNestedPass<ProgramOp>(createResidencePlacePass(options));
  if (failed(passes.run(module)))
    return;
  (void)exportPlanJson(module, llvm::nulls());
  module.print(llvm::nulls());
}

} // namespace lane::fuzz

#endif // LANE_TEST_FUZZ_PLANNING_H

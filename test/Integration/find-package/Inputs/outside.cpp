//===- outside.cpp - A compiler that embeds Lane --------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a program with the C++ builders, plans it in a pipeline of its own,
// and prints the plan.
//
//===----------------------------------------------------------------------===//

#include "lane/Target/Json.h"
#include "lane/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// A decode form that reads one q8_0 matrix.
static void buildProgram(ModuleOp module) {
  MLIRContext *context = module.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = builder.getUnknownLoc();
  auto program =
      lane::ProgramOp::create(builder, loc, "outside",
                              /*contextLength=*/64, lane::Numerics::OnePass);
  builder.setInsertionPointToEnd(&program.getBody().front());
  auto matrixType =
      lane::MatrixType::get(context, {64, 32}, lane::NumberFormat::Q8_0);
  auto rowType = [&](int64_t columns) {
    return lane::BufferType::get(context, {1, columns}, builder.getF32Type());
  };
  lane::MatrixOp::create(
      builder, loc, "weight", matrixType,
      lane::RowsAttr::get(context, /*file=*/0, /*offset=*/0, /*count=*/64));
  auto form = lane::FormOp::create(builder, loc, "decode",
                                   lane::FormKind::Decode, /*rows=*/1);
  builder.setInsertionPointToEnd(&form.getBody().front());
  auto pool = lane::StorageAttr::get(context);
  auto alloc = [&](StringRef name, int64_t columns) -> Value {
    return lane::AllocOp::create(builder, loc, rowType(columns),
                                 builder.getStringAttr(name),
                                 /*carried=*/false, pool, lane::StorageAttr());
  };
  Value input = alloc("x", 32);
  Value output = alloc("y", 64);
  Value weight = lane::RefOp::create(builder, loc, matrixType,
                                     FlatSymbolRefAttr::get(context, "weight"),
                                     lane::StorageAttr(), lane::StorageAttr());
  lane::MatmulOp::create(builder, loc, input, weight, /*bias=*/Value(), output,
                         /*scratch=*/ArrayAttr());
}

int main() {
  DialectRegistry registry;
  registry.insert<lane::LaneDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  buildProgram(*module);
  PassManager passes(&context);
  passes.addNestedPass<lane::ProgramOp>(lane::createArenaPlanPass());
  passes.addNestedPass<lane::ProgramOp>(lane::createResidencePlanPass());
  if (failed(passes.run(*module)))
    return 1;
  return failed(lane::exportPlanJson(*module, llvm::outs()));
}

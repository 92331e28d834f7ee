//===- outside.cpp - A compiler that embeds Lane --------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a program with the C++ builders, plans it in its own pipeline, and
// prints the plan.
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Passes.h"
#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "lane/Target/Cpp/EmitCpp.h"
#include "lane/Target/Json/Json.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

/// A kernel of another compiler: it reads its first operand and the second, and
/// writes the third.
struct KernelOp : Op<KernelOp, OpTrait::ZeroRegions, OpTrait::ZeroResults,
                     OpTrait::ZeroSuccessors, OpTrait::NOperands<3>::Impl,
                     MemoryEffectOpInterface::Trait> {
  using Op::Op;
  static StringRef getOperationName() { return "outside.kernel"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
    for (OpOperand &operand : getOperation()->getOpOperands().take_front(2))
      effects.emplace_back(MemoryEffects::Read::get(), &operand,
                           lane::DeviceMemory::get());
    effects.emplace_back(MemoryEffects::Write::get(),
                         &getOperation()->getOpOperand(2),
                         lane::DeviceMemory::get());
  }
};

struct OutsideDialect : Dialect {
  explicit OutsideDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<OutsideDialect>()) {
    addOperations<KernelOp>();
  }
  static StringRef getDialectNamespace() { return "outside"; }
};

/// All reads are dense, so there is nothing to implement.
struct KernelModel
    : lane::LaunchOpInterface::ExternalModel<KernelModel, KernelOp> {};

} // namespace

/// A decode form in which a kernel reads one q8_0 matrix.
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
  OperationState kernel(loc, KernelOp::getOperationName(),
                        ValueRange{input, weight, output}, TypeRange());
  builder.create(kernel);
}

int main() {
  DialectRegistry registry;
  registry.insert<lane::LaneDialect, OutsideDialect>();
  registry.addExtension(+[](MLIRContext *context, OutsideDialect *) {
    KernelOp::attachInterface<KernelModel>(*context);
  });
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  buildProgram(*module);
  PassManager plan(&context);
  plan.addNestedPass<lane::ProgramOp>(lane::createArenaPlanPass());
  plan.addNestedPass<lane::ProgramOp>(lane::createResidencePlanPass());
  lane::ResidencePlacePassOptions options;
  options.budget = "3839";
  options.policy = lane::PlacementPolicy::LeastTraffic;
  plan.addNestedPass<lane::ProgramOp>(lane::createResidencePlacePass(options));
  if (failed(plan.run(*module)) ||
      failed(lane::exportPlanJson(*module, llvm::outs())))
    return 1;

  PassManager lower(&context);
  lane::ResidenceToHostPassOptions host;
  host.target = lane::HostTarget::Cpp;
  lower.addPass(lane::createResidenceToHostPass(host));
  return failed(lower.run(*module)) ||
         failed(lane::emitCpp(*module, lane::CppFile::Header, llvm::outs()));
}

//===- TestLaunchInterface.cpp - Prints the interface of launches ---------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace lane;

/// Prints the name of a buffer.
static void printBuffer(InFlightDiagnostic &diagnostic, Value buffer) {
  auto op = dyn_cast_if_present<BufferOpInterface>(buffer.getDefiningOp());
  diagnostic << "'" << (op ? op.getBufferName().getValue() : "?") << "'";
}

static void printAccess(InFlightDiagnostic &diagnostic, ReadAccess access) {
  diagnostic << " " << stringifyAccessKind(access.kind);
  if (access.experts != 0)
    diagnostic << " " << access.active << " of " << access.experts;
}

static void remarkLaunch(LaunchOpInterface launch, StringRef what) {
  InFlightDiagnostic diagnostic = launch->emitRemark() << what << ": reads [";
  SmallVector<OpOperand *> reads, writes;
  launch.getReads(reads);
  llvm::interleave(
      reads,
      [&](OpOperand *read) {
        printBuffer(diagnostic, read->get());
        printAccess(diagnostic, launch.getReadAccess(*read));
      },
      [&] { diagnostic << ", "; });
  diagnostic << "], writes [";
  launch.getWrites(writes);
  llvm::interleave(
      writes, [&](OpOperand *write) { printBuffer(diagnostic, write->get()); },
      [&] { diagnostic << ", "; });
  diagnostic << "]";
  if (ArrayAttr scratch = launch.getScratchAttr())
    diagnostic << ", scratch " << scratch;
}

/// The values on which `op`, or a nested operation, has an effect of type
/// `Effect`, according to its memory effects.
template <typename Effect>
static SmallVector<Value> getValuesWithEffect(Operation *op) {
  SmallVector<Value> values;
  for (const MemoryEffects::EffectInstance &effect :
       getEffectsRecursively(op).value_or(
           SmallVector<MemoryEffects::EffectInstance>()))
    if (isa<Effect>(effect.getEffect()) && effect.getValue())
      values.push_back(effect.getValue());
  return values;
}

/// Checks that the reads and writes of a launch match its effects, with the
/// same multiplicity, and that every operand has one of them.
static LogicalResult verifyAgreement(LaunchOpInterface launch) {
  SmallVector<Value> reads, writes;
  LogicalResult result = success();
  launch.forEachPart([&](LaunchOpInterface part) {
    SmallVector<OpOperand *> partReads, partWrites;
    part.getReads(partReads);
    part.getWrites(partWrites);
    for (OpOperand *read : partReads)
      reads.push_back(read->get());
    for (OpOperand *write : partWrites)
      writes.push_back(write->get());
    for (OpOperand &operand : part->getOpOperands())
      if (!llvm::is_contained(partReads, &operand) &&
          !llvm::is_contained(partWrites, &operand))
        result = part->emitError() << "neither reads nor writes operand "
                                   << operand.getOperandNumber();
  });
  // Effects of nested operations are unordered.
  auto agree = [](SmallVector<Value> lhs, SmallVector<Value> rhs) {
    auto isBefore = [](Value lhs, Value rhs) {
      return lhs.getAsOpaquePointer() < rhs.getAsOpaquePointer();
    };
    llvm::sort(lhs, isBefore);
    llvm::sort(rhs, isBefore);
    return lhs == rhs;
  };
  if (!agree(reads, getValuesWithEffect<MemoryEffects::Read>(launch)))
    result = launch->emitError() << "has reads that are not in its effects";
  if (!agree(writes, getValuesWithEffect<MemoryEffects::Write>(launch)))
    result = launch->emitError() << "has writes that are not in its effects";
  return result;
}

static LogicalResult testLaunch(LaunchOpInterface launch) {
  bool fused = launch.getPartsBlock() != nullptr;
  remarkLaunch(launch, fused ? "fused launch" : "launch");
  if (fused)
    launch.forEachPart(
        [](LaunchOpInterface part) { remarkLaunch(part, "part"); });
  return verifyAgreement(launch);
}

namespace {
struct TestLaunchInterfacePass
    : public PassWrapper<TestLaunchInterfacePass, OperationPass<ProgramOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestLaunchInterfacePass)

  StringRef getArgument() const override { return "test-launch-interface"; }
  StringRef getDescription() const override {
    return "Print the interface of each launch of a program";
  }

  void runOnOperation() override {
    for (auto form : getOperation().getBody().getOps<FormOp>())
      for (auto launch : form.getBody().getOps<LaunchOpInterface>())
        if (failed(testLaunch(launch)))
          signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace

namespace lane::test {
void registerTestLaunchInterfacePass() {
  PassRegistration<TestLaunchInterfacePass>();
}
} // namespace lane::test

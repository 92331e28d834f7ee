//===- ForeignDialect.cpp - A dialect outside of Lane ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace lane;
using namespace lane::test;

#include "ForeignDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ForeignOps.cpp.inc"

void ForeignDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ForeignOps.cpp.inc"
      >();
}

ReadAccess LookupOp::getReadAccess(OpOperand &operand) {
  if (&operand == &getTableMutable())
    return {AccessKind::Gather};
  return {};
}

ReadAccess ExpertsOp::getReadAccess(OpOperand &operand) {
  if (&operand != &getStackMutable())
    return {};
  return {AccessKind::Expert, static_cast<int64_t>(getActive()),
          static_cast<int64_t>(getExperts())};
}

Block *BlockOp::getPartsBlock() { return &getBody().front(); }

ArrayAttr BlockOp::getScratchAttr() { return getWorkspaceAttr(); }

void BlockOp::setScratchAttr(ArrayAttr scratch) { setWorkspaceAttr(scratch); }

void PlainOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (auto input = dyn_cast<OpResult>(getInput()))
    effects.emplace_back(MemoryEffects::Read::get(), input);
  if (auto output = dyn_cast<OpResult>(getOutput()))
    effects.emplace_back(MemoryEffects::Write::get(), output);
}

namespace {
struct PlainModel : LaunchOpInterface::ExternalModel<PlainModel, PlainOp> {};
} // namespace

namespace lane::test {
void registerForeignDialect(DialectRegistry &registry) {
  registry.insert<ForeignDialect>();
  registry.addExtension(+[](MLIRContext *ctx, ForeignDialect *) {
    PlainOp::attachInterface<PlainModel>(*ctx);
  });
}
} // namespace lane::test

//===- LaneInterfaces.cpp - Interfaces of the lane dialect ----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/IR/LaneInterfaces.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace lane;

#include "lane/Dialect/Lane/IR/LaneInterfaces.cpp.inc"

template <bool Write>
void lane::detail::getOperandsWithEffect(
    Operation *op, SmallVectorImpl<OpOperand *> &operands) {
  auto effectOp = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effectOp)
    return;
  SmallVector<MemoryEffects::EffectInstance, 8> effects;
  effectOp.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool wanted = Write ? isa<MemoryEffects::Write>(effect.getEffect())
                        : isa<MemoryEffects::Read>(effect.getEffect());
    if (!wanted)
      continue;
    // An effect refers to the operand or only to its value.
    if (auto *operand = effect.getEffectValue<OpOperand *>()) {
      operands.push_back(operand);
      continue;
    }
    Value value = effect.getValue();
    if (!value)
      continue;
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get() == value && !llvm::is_contained(operands, &operand))
        operands.push_back(&operand);
  }
}

template void
lane::detail::getOperandsWithEffect<false>(Operation *,
                                           SmallVectorImpl<OpOperand *> &);
template void
lane::detail::getOperandsWithEffect<true>(Operation *,
                                          SmallVectorImpl<OpOperand *> &);

void LaunchOpInterface::forEachPart(
    function_ref<void(LaunchOpInterface)> callback) {
  Block *parts = getPartsBlock();
  if (!parts)
    return callback(*this);
  for (Operation &part : *parts)
    if (auto launch = dyn_cast<LaunchOpInterface>(part))
      launch.forEachPart(callback);
}

Operation *lane::getBaseBuffer(Value buffer) {
  Operation *op = buffer.getDefiningOp();
  while (auto view = dyn_cast_if_present<ViewOp>(op))
    op = view.getBase().getDefiningOp();
  return op;
}

/// Checks that each scratch of a launch has a different tag.
static LogicalResult verifyScratch(Operation *op, ArrayAttr scratch) {
  llvm::SmallSet<int64_t, 4> tags;
  for (Attribute attr : scratch) {
    auto entry = dyn_cast<ScratchAttr>(attr);
    if (!entry)
      return op->emitOpError() << "scratch " << attr << " is not #lane.scratch";
    if (!tags.insert(entry.getTag()).second)
      return op->emitOpError()
             << "scratch tag " << entry.getTag() << " is used twice";
  }
  return success();
}

/// Checks that the parts of a fused launch are launches without scratch.
static LogicalResult verifyParts(Operation *op, Block &parts) {
  if (parts.empty())
    return op->emitOpError() << "has no parts";
  for (Operation &part : parts) {
    auto launch = dyn_cast<LaunchOpInterface>(part);
    if (!launch)
      return part.emitOpError()
             << "is part of a fused launch but is not a launch";
    if (launch.getPartsBlock())
      return part.emitOpError() << "is a fused launch inside a fused launch";
    if (launch.getScratchAttr())
      return part.emitOpError()
             << "has scratch, which belongs to the fused launch";
  }
  return success();
}

LogicalResult lane::detail::verifyLaunch(Operation *op) {
  auto launch = cast<LaunchOpInterface>(op);
  if (op->getNumResults() != 0)
    return op->emitOpError() << "is a launch and must have no results, got "
                             << op->getNumResults();
  if (ArrayAttr scratch = launch.getScratchAttr())
    if (failed(verifyScratch(op, scratch)))
      return failure();
  if (Block *parts = launch.getPartsBlock())
    return verifyParts(op, *parts);

  SmallVector<OpOperand *, 4> writes;
  launch.getWrites(writes);
  for (OpOperand *write : writes) {
    auto base =
        dyn_cast_if_present<BufferOpInterface>(getBaseBuffer(write->get()));
    // The verifier of the form rejects operands that are not buffers.
    if (base && isa<MatrixType>(base->getResult(0).getType()))
      return op->emitOpError() << "writes '" << base.getBufferName().getValue()
                               << "', which is a constant";
  }
  return success();
}

//===- Liveness.cpp - Lifetimes of buffers in a form's arena --------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Liveness.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace lane;

namespace {

/// The uses of a buffer, in launch order.
struct Uses {
  int64_t first = 0;
  int64_t last = 0;
  bool readFirst = false;
  bool written = false;
  bool writtenLast = false;

  /// Whether the host or the next step uses the value after the form.
  bool isKept() const { return writtenLast || (readFirst && written); }
};

/// Walks a form to collect uses, and again to build the items.
class LivenessBuilder {
public:
  explicit LivenessBuilder(FormOp form)
      : form(form),
        numerics(cast<ProgramOp>(form->getParentOp()).getNumerics()) {}

  FormLiveness run();

private:
  void addUses(LaunchOpInterface launch);
  void addUse(Value buffer, bool isWrite);
  void recordUse(Operation *buffer, bool isWrite);
  void addBuffer(BufferOpInterface buffer);
  void addScratch(LaunchOpInterface launch, int64_t launchIndex);
  void addStorage(ArenaSlot::Kind kind, Operation *op, int64_t bytes);

  FormOp form;
  Numerics numerics;
  FormLiveness liveness;
  DenseMap<Operation *, Uses> uses;
  // Reused for all launches to avoid allocations.
  SmallVector<OpOperand *> operands;
};

} // namespace

Operation *lane::getQuantizedBuffer(Value buffer) {
  Operation *op = buffer.getDefiningOp();
  while (auto view = dyn_cast_if_present<ViewOp>(op)) {
    if (view.getOffset() % kQuantizationBlockElements != 0)
      break;
    op = view.getBase().getDefiningOp();
  }
  return op;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

void LivenessBuilder::recordUse(Operation *buffer, bool isWrite) {
  int64_t launch = liveness.numLaunches;
  auto [it, isNew] = uses.try_emplace(
      buffer, Uses{launch, launch, !isWrite, isWrite, isWrite});
  if (isNew)
    return;
  it->second.last = launch;
  it->second.written |= isWrite;
  it->second.writtenLast = isWrite;
}

void LivenessBuilder::addUse(Value buffer, bool isWrite) {
  Operation *base = getBaseBuffer(buffer);
  if (!base)
    return;
  recordUse(base, isWrite);
  // A view may have its own quants and scales.
  Operation *quantized = getQuantizedBuffer(buffer);
  if (quantized != base)
    recordUse(quantized, isWrite);
}

/// Parts run in order. Each part reads before it writes.
void LivenessBuilder::addUses(LaunchOpInterface launch) {
  launch.forEachPart([&](LaunchOpInterface part) {
    operands.clear();
    part.getReads(operands);
    for (OpOperand *read : operands)
      addUse(read->get(), /*isWrite=*/false);
    operands.clear();
    part.getWrites(operands);
    for (OpOperand *write : operands)
      addUse(write->get(), /*isWrite=*/true);
  });
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

void LivenessBuilder::addStorage(ArenaSlot::Kind kind, Operation *op,
                                 int64_t bytes) {
  const Uses &use = uses.find(op)->second;
  liveness.slots.push_back({kind, op});
  liveness.problem.items.push_back(
      {bytes, use.readFirst ? 0 : use.first,
       use.isKept() ? liveness.numLaunches - 1 : use.last});
}

void LivenessBuilder::addBuffer(BufferOpInterface buffer) {
  auto type = dyn_cast<BufferType>(buffer->getResult(0).getType());
  auto alloc =
      dyn_cast_if_present<AllocOp>(getBaseBuffer(buffer->getResult(0)));
  if (!type || !alloc || alloc.getCarried() || !uses.contains(buffer))
    return;
  if (buffer == alloc && buffer.getPlainAttr())
    addStorage(ArenaSlot::Kind::Plain, buffer, type.getPlainBytes());
  if (buffer.getQuantizedAttr() &&
      getQuantizedBuffer(buffer->getResult(0)) == buffer)
    addStorage(ArenaSlot::Kind::Quantized, buffer,
               type.getQuantizedPoolBytes(numerics));
}

void LivenessBuilder::addScratch(LaunchOpInterface launch,
                                 int64_t launchIndex) {
  ArrayAttr scratch = launch.getScratchAttr();
  if (!scratch)
    return;
  for (auto [index, entry] : llvm::enumerate(scratch.getAsRange<ScratchAttr>()))
    if (!entry.getCounter()) {
      liveness.slots.push_back(
          {ArenaSlot::Kind::Scratch, launch, static_cast<unsigned>(index)});
      liveness.problem.items.push_back(
          {entry.getBytes(), launchIndex, launchIndex});
    }
}

FormLiveness LivenessBuilder::run() {
  for (auto launch : form.getBody().getOps<LaunchOpInterface>()) {
    addUses(launch);
    ++liveness.numLaunches;
  }
  int64_t launchIndex = 0;
  for (Operation &op : form.getBody().front()) {
    if (auto buffer = dyn_cast<BufferOpInterface>(op))
      addBuffer(buffer);
    else if (auto launch = dyn_cast<LaunchOpInterface>(op))
      addScratch(launch, launchIndex++);
  }
  return std::move(liveness);
}

FormLiveness lane::computeLiveness(FormOp form) {
  return LivenessBuilder(form).run();
}

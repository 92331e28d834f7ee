//===- ArenaPlan.cpp - The pass arena-plan --------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Liveness.h"
#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "lane/Dialect/Lane/Transforms/PlanAttributes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

namespace lane {
#define GEN_PASS_DEF_ARENAPLANPASS
#include "lane/Dialect/Lane/Transforms/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

namespace {
/// Writes a packed arena on a form: storages with a slot get its offset, all
/// others are in the pool. Writes only what differs; `hasChanged` returns
/// whether anything did.
class SlotWriter {
public:
  SlotWriter(FormOp form, const FormLiveness &liveness,
             const ArenaSolution &solution);

  void write();
  bool hasChanged() const { return changed; }

private:
  /// A storage of a buffer, or scratch of a launch.
  using Key = std::tuple<Operation *, unsigned, unsigned>;
  static Key getKey(Operation *op, ArenaSlot::Kind kind, unsigned index = 0) {
    return {op, static_cast<unsigned>(kind), index};
  }

  StorageAttr getPlace(BufferOpInterface buffer, ArenaSlot::Kind kind,
                       Operation *owner);
  void writeBuffer(BufferOpInterface buffer);
  void writeScratch(LaunchOpInterface launch);

  FormOp form;
  IntegerAttr arena;
  StorageAttr inPool;
  DenseMap<Key, StorageAttr> slots;
  bool changed = false;
};
} // namespace

SlotWriter::SlotWriter(FormOp form, const FormLiveness &liveness,
                       const ArenaSolution &solution)
    : form(form),
      arena(Builder(form.getContext()).getI64IntegerAttr(solution.arenaBytes)),
      inPool(StorageAttr::get(form.getContext())) {
  for (auto [slot, offset] : llvm::zip_equal(liveness.slots, solution.offsets))
    slots[getKey(slot.op, slot.kind, slot.scratchIndex)] =
        StorageAttr::get(form.getContext(), /*inArena=*/true, offset);
}

/// The place of a storage of `buffer`, whose bytes belong to `owner`. Only the
/// owner has an offset, since a view may start at one that is not aligned.
StorageAttr SlotWriter::getPlace(BufferOpInterface buffer, ArenaSlot::Kind kind,
                                 Operation *owner) {
  StorageAttr slot = slots.lookup(getKey(owner, kind));
  if (!slot)
    return inPool;
  if (owner == buffer)
    return slot;
  return StorageAttr::get(form.getContext(), /*inArena=*/true, std::nullopt);
}

void SlotWriter::writeBuffer(BufferOpInterface buffer) {
  Value result = buffer->getResult(0);
  if (StorageAttr plain = buffer.getPlainAttr()) {
    StorageAttr place =
        getPlace(buffer, ArenaSlot::Kind::Plain, getBaseBuffer(result));
    if (place != plain) {
      buffer.setPlainAttr(place);
      changed = true;
    }
  }
  if (StorageAttr quantized = buffer.getQuantizedAttr()) {
    StorageAttr place = getPlace(buffer, ArenaSlot::Kind::Quantized,
                                 getQuantizedBuffer(result));
    if (place != quantized) {
      buffer.setQuantizedAttr(place);
      changed = true;
    }
  }
}

void SlotWriter::writeScratch(LaunchOpInterface launch) {
  ArrayAttr scratch = launch.getScratchAttr();
  if (!scratch)
    return;
  SmallVector<Attribute> entries;
  for (auto [index, entry] :
       llvm::enumerate(scratch.getAsRange<ScratchAttr>())) {
    StorageAttr slot =
        slots.lookup(getKey(launch, ArenaSlot::Kind::Scratch, index));
    entries.push_back(ScratchAttr::get(form.getContext(), entry.getTag(),
                                       entry.getBytes(), entry.getCounter(),
                                       slot ? slot : inPool));
  }
  auto planned = ArrayAttr::get(form.getContext(), entries);
  if (planned == scratch)
    return;
  launch.setScratchAttr(planned);
  changed = true;
}

void SlotWriter::write() {
  for (Operation &op : form.getBody().front()) {
    if (auto buffer = dyn_cast<BufferOpInterface>(op))
      writeBuffer(buffer);
    else if (auto launch = dyn_cast<LaunchOpInterface>(op))
      writeScratch(launch);
  }
  if (form.getArenaAttr() == arena)
    return;
  form.setArenaAttr(arena);
  changed = true;
}

static void emitRemark(FormOp form, const ArenaProblem &problem,
                       const ArenaSolution &solution) {
  auto opts = remark::RemarkOpts::name("Arena").category("arena-plan");
  remark::analysis(form.getLoc(), opts)
      << remark::reason("the arena of '{0}' has {1} slots",
                        form.getSymName().str(), problem.items.size())
      << remark::metric("bytes", solution.arenaBytes)
      << remark::metric("lower_bound", problem.getLowerBoundBytes());
}

namespace {
struct ArenaPlanPass : public lane::impl::ArenaPlanPassBase<ArenaPlanPass> {
  using ArenaPlanPassBase::ArenaPlanPassBase;

  void runOnOperation() override {
    ProgramOp program = getOperation();
    bool changed = false;
    for (FormOp form : program.getBody().getOps<FormOp>()) {
      if (form.getArena() && !replan)
        continue;
      if (failed(planForm(form, changed)))
        return signalPassFailure();
    }
    if (changed)
      dropPlan(program);
    markAllAnalysesPreserved();
  }

  LogicalResult planForm(FormOp form, bool &changed) {
    // emitOpError would print the whole form.
    auto fail = [&](llvm::Error error) -> LogicalResult {
      return emitError(form.getLoc())
             << "'lane.form' op the arena of '" << form.getSymName()
             << "' cannot be planned: " << llvm::toString(std::move(error));
    };
    FormLiveness liveness = computeLiveness(form);
    if (llvm::Error error = liveness.problem.check())
      return fail(std::move(error));
    ArenaSolution solution = packArena(liveness.problem);
    if (llvm::Error error = verifyArena(liveness.problem, solution))
      return fail(std::move(error));

    SlotWriter writer(form, liveness, solution);
    writer.write();
    changed |= writer.hasChanged();
    if (getContext().getRemarkEngine())
      emitRemark(form, liveness.problem, solution);
    ++numForms;
    numSlots += liveness.slots.size();
    return success();
  }
};
} // namespace

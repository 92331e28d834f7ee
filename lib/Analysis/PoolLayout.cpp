//===- PoolLayout.cpp - Where every array of a program lies ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/PoolLayout.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace lane;

using Place = LaidOutArray::Place;

int64_t lane::getScalesOffset(MatrixType type) {
  return *pooled(type.getLength());
}

namespace {
/// The arrays of a quantized storage: levels, with two-pass numerics a second
/// plane of them, and an f32 scale a block.
struct QuantizedParts {
  int64_t levelsBytes;
  int64_t scalesBytes;
};

/// Walks a program as the planner counts it. No sum can overflow: the plan's
/// has not.
class Layouter {
public:
  Layouter(ProgramOp program, const ResidencePlan &plan)
      : program(program), plan(plan) {}

  FailureOr<PoolLayout> run();

private:
  void addUploads();
  void addLoop();
  LogicalResult addForm(FormOp form);
  LogicalResult addRef(RefOp ref);
  LogicalResult addBuffer(BufferOpInterface buffer);
  void addView(ViewOp view);
  LogicalResult addScratch(LaunchOpInterface launch, int64_t index);
  LogicalResult addQuantized(BufferOpInterface buffer, int64_t length,
                             const Twine &name);

  void add(const Twine &name, Place place, int64_t rank, int64_t offset,
           int64_t bytes, Operation *op);
  int64_t addFixed(const Twine &name, int64_t bytes, Operation *op);
  LogicalResult addStored(Operation *op, StorageAttr storage, const Twine &name,
                          int64_t bytes);

  /// Where a view finds its base's storages.
  struct Storages {
    std::optional<size_t> plain;
    std::optional<size_t> levels;
  };

  ProgramOp program;
  const ResidencePlan &plan;
  PoolLayout layout;
  std::string formName;
  llvm::DenseMap<StringAttr, Operation *> shared;
  llvm::DenseMap<Operation *, Storages> storages;
  std::optional<size_t> loopPosition;
  std::optional<size_t> batchPosition;
};
} // namespace

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

void Layouter::add(const Twine &name, Place place, int64_t rank, int64_t offset,
                   int64_t bytes, Operation *op) {
  layout.arrays.push_back({name.str(), place, rank, offset, bytes, op});
}

/// Takes the next bytes of the fixed part, and returns where they are.
int64_t Layouter::addFixed(const Twine &name, int64_t bytes, Operation *op) {
  int64_t offset = layout.fixedBytes;
  layout.fixedBytes += *pooled(bytes);
  add(name, Place::Fixed, 0, offset, bytes, op);
  return offset;
}

/// An array that lies in the arena, at the offset of its slot, or in the pool.
LogicalResult Layouter::addStored(Operation *op, StorageAttr storage,
                                  const Twine &name, int64_t bytes) {
  if (!storage.getInArena()) {
    addFixed(name, bytes, op);
    return success();
  }
  if (!storage.getOffset())
    return op->emitOpError()
           << "'" << name
           << "' has a slot without an offset: run arena-plan first";
  add(name, Place::Arena, 0, *storage.getOffset(), bytes, op);
  return success();
}

static QuantizedParts getQuantizedParts(int64_t length) {
  return {length, length / kQuantizationBlockElements * 4};
}

LogicalResult Layouter::addQuantized(BufferOpInterface buffer, int64_t length,
                                     const Twine &name) {
  StorageAttr storage = buffer.getQuantizedAttr();
  if (!storage)
    return success();
  QuantizedParts parts = getQuantizedParts(length);
  Operation *op = buffer;
  // One slot has all of them, one after the other.
  int64_t offset = layout.fixedBytes;
  if (storage.getInArena()) {
    if (!storage.getOffset())
      return op->emitOpError()
             << "'" << name
             << "' has a slot without an offset: run arena-plan first";
    offset = *storage.getOffset();
  }
  Place place = storage.getInArena() ? Place::Arena : Place::Fixed;
  int64_t start = offset;
  auto addPart = [&](const Twine &part, int64_t bytes) {
    add(name + part, place, 0, offset, bytes, op);
    offset += *pooled(bytes);
  };
  storages[op].levels = layout.arrays.size();
  addPart(".levels", parts.levelsBytes);
  addPart(".scales", parts.scalesBytes);
  if (program.getNumerics() == Numerics::TwoPass)
    addPart(".low_levels", parts.levelsBytes);
  if (place == Place::Fixed)
    layout.fixedBytes += offset - start;
  return success();
}

//===----------------------------------------------------------------------===//
// What the forms share
//===----------------------------------------------------------------------===//

/// Every upload, then what shares one: a pointer of its own to the same bytes.
void Layouter::addUploads() {
  auto addMatrix = [&](MatrixOp matrix, int64_t rank) {
    MatrixType type = matrix.getType();
    StringRef name = matrix.getSymName();
    if (type.getFormat() != NumberFormat::Q8_0)
      return add(name, Place::Upload, rank, 0, type.getCheckpointBytes(),
                 matrix);
    add(name, Place::Upload, rank, 0, type.getLength(), matrix);
    add(name + ".scales", Place::Upload, rank, getScalesOffset(type),
        type.getLength() / kQuantizationBlockElements * 2, matrix);
  };
  llvm::DenseMap<Operation *, int64_t> ranks;
  for (auto [rank, upload] : llvm::enumerate(plan.order)) {
    ranks[upload.matrix] = rank;
    addMatrix(upload.matrix, rank);
  }
  for (auto [sharer, holder] : plan.shares)
    addMatrix(sharer, ranks.lookup(MatrixOp(holder)));
}

void Layouter::addLoop() {
  int64_t runBytes = 4 * program.getContextLength();
  loopPosition = layout.arrays.size();
  addFixed("loop.position", 4, nullptr);
  addFixed("loop.run", runBytes, nullptr);
  addFixed("loop.count", 4, nullptr);
  addFixed("loop.prompt", runBytes, nullptr);
  int64_t batchRows = 0;
  for (FormOp form : program.getBody().getOps<FormOp>())
    if (form.getKind() == FormKind::Batch)
      batchRows = std::max<int64_t>(batchRows, form.getRows());
  if (batchRows == 0)
    return;
  batchPosition = layout.arrays.size();
  addFixed("loop.batch_position", 4 * batchRows, nullptr);
  addFixed("loop.batch_run", runBytes * batchRows, nullptr);
  addFixed("loop.batch_count", 4 * batchRows, nullptr);
}

/// A buffer which the forms share lies where the first form that needs it put
/// it.
LogicalResult Layouter::addRef(RefOp ref) {
  Operation *holder = shared.lookup(ref.getSymbolAttr().getAttr());
  if (!holder)
    return success();
  StringRef name = ref.getSymbol();
  // A copy: what is added below may move the others.
  Storages known = storages.lookup(holder);
  auto type = dyn_cast<BufferType>(ref.getType());
  bool needsPlain =
      isa<ValuesOp>(holder) || (isa<StateOp>(holder) && ref.getPlainAttr());
  if (needsPlain && !known.plain) {
    known.plain = layout.arrays.size();
    if (isa<ValuesOp>(holder))
      addFixed(name, type.getPlainBytes(), holder);
    else if (failed(addStored(holder, ref.getPlainAttr(), name,
                              type.getPlainBytes())))
      return failure();
  }
  if (ref.getQuantizedAttr() && !known.levels) {
    int64_t length =
        type ? type.getLength() : cast<MatrixType>(ref.getType()).getLength();
    known.levels = layout.arrays.size();
    if (failed(addQuantized(ref, length, name)))
      return failure();
  }
  storages[holder] = known;
  storages[ref] = known;
  return success();
}

//===----------------------------------------------------------------------===//
// The buffers of a form
//===----------------------------------------------------------------------===//

/// A view lies in its base, but for quantized bytes of its own.
void Layouter::addView(ViewOp view) {
  Operation *base = view.getBase().getDefiningOp();
  if (!base)
    return;
  Storages found = storages.lookup(base);
  std::string name = formName + view.getName().str();
  BufferType type = view.getType();
  Storages own;
  auto addInside = [&](size_t index, const Twine &part, int64_t offset,
                       int64_t bytes) {
    LaidOutArray whole = layout.arrays[index];
    layout.arrays.push_back({(name + part).str(), whole.place, whole.rank,
                             whole.offset + offset, bytes, view});
  };
  if (found.plain) {
    own.plain = layout.arrays.size();
    addInside(*found.plain, "", view.getOffset() * type.getElementBytes(),
              type.getPlainBytes());
  }
  bool isInBase = view.getOffset() % kQuantizationBlockElements == 0;
  if (view.getQuantizedAttr() && isInBase && found.levels) {
    QuantizedParts parts = getQuantizedParts(type.getLength());
    int64_t blocks = view.getOffset() / kQuantizationBlockElements;
    own.levels = layout.arrays.size();
    addInside(*found.levels, ".levels", view.getOffset(), parts.levelsBytes);
    addInside(*found.levels + 1, ".scales", blocks * 4, parts.scalesBytes);
    if (program.getNumerics() == Numerics::TwoPass)
      addInside(*found.levels + 2, ".low_levels", view.getOffset(),
                parts.levelsBytes);
  }
  storages[view] = own;
}

LogicalResult Layouter::addBuffer(BufferOpInterface buffer) {
  auto type = dyn_cast<BufferType>(buffer->getResult(0).getType());
  if (!type)
    return success();
  std::string name = formName + buffer.getBufferName().str();
  Operation *op = buffer;
  if (auto view = dyn_cast<ViewOp>(op)) {
    addView(view);
    if (view.getOffset() % kQuantizationBlockElements == 0)
      return success();
    return addQuantized(buffer, type.getLength(), name);
  }
  auto param = dyn_cast<ParamOp>(op);
  if (param && param.getPosition()) {
    // The loop keeps it: of a batch, one position a sequence.
    bool isBatch =
        param->getParentOfType<FormOp>().getKind() == FormKind::Batch;
    LaidOutArray kept = layout.arrays[isBatch ? *batchPosition : *loopPosition];
    kept.name = name;
    kept.op = op;
    storages[op].plain = layout.arrays.size();
    layout.arrays.push_back(std::move(kept));
    return success();
  }
  if (StorageAttr plain = buffer.getPlainAttr()) {
    storages[op].plain = layout.arrays.size();
    if (failed(addStored(op, plain, name, type.getPlainBytes())))
      return failure();
  }
  return addQuantized(buffer, type.getLength(), name);
}

LogicalResult Layouter::addScratch(LaunchOpInterface launch, int64_t index) {
  ArrayAttr scratch = launch.getScratchAttr();
  if (!scratch)
    return success();
  for (auto entry : scratch.getAsRange<ScratchAttr>()) {
    std::string name = formName + "launch" + std::to_string(index) +
                       ".scratch" + std::to_string(entry.getTag());
    if (entry.getCounter())
      addFixed(name, entry.getBytes(), launch);
    else if (failed(
                 addStored(launch, entry.getStorage(), name, entry.getBytes())))
      return failure();
  }
  return success();
}

LogicalResult Layouter::addForm(FormOp form) {
  formName = (form.getSymName() + ".").str();
  int64_t launchIndex = 0;
  for (Operation &op : form.getBody().front()) {
    LogicalResult result = success();
    if (auto ref = dyn_cast<RefOp>(op))
      result = addRef(ref);
    else if (auto launch = dyn_cast<LaunchOpInterface>(op))
      result = addScratch(launch, launchIndex++);
    else if (auto buffer = dyn_cast<BufferOpInterface>(op))
      result = addBuffer(buffer);
    if (failed(result))
      return failure();
  }
  return success();
}

FailureOr<PoolLayout> Layouter::run() {
  for (Operation &op : program.getBody().front())
    if (!isa<FormOp>(op))
      shared[SymbolTable::getSymbolName(&op)] = &op;
  addUploads();
  addLoop();
  for (FormOp form : program.getBody().getOps<FormOp>())
    if (failed(addForm(form)))
      return failure();

  // What the forms name may meet what the layout names.
  llvm::StringSet<> taken;
  for (LaidOutArray &array : layout.arrays) {
    std::string name = array.name;
    for (int64_t copy = 2; !taken.insert(name).second; ++copy)
      name = array.name + "." + std::to_string(copy);
    array.name = std::move(name);
  }
  if (layout.fixedBytes != plan.fixed.getTotal()) {
    emitError(program.getLoc())
        << "'lane.program' op '" << program.getSymName() << "' is laid out in "
        << layout.fixedBytes << " fixed bytes, but its plan has "
        << plan.fixed.getTotal();
    return failure();
  }
  return std::move(layout);
}

FailureOr<PoolLayout> lane::computePoolLayout(ProgramOp program,
                                              const ResidencePlan &plan) {
  return Layouter(program, plan).run();
}

//===- LayoutBuilder.cpp - Layout of resident arrays ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutBuilder.h"
#include "lane/Support/Bytes.h"

using namespace mlir;
using namespace lane;

/// Calls `visit` on the operations of `block` in order. A large program exceeds
/// the caches, but its operations are mostly in memory in the order in which
/// they were parsed, so prefetch the next ones: residence-plan-bench takes 288
/// ns per launch with the prefetch and 335 ns without (100,000 launches, best
/// of four runs).
static void visitOperations(Block &block,
                            function_ref<void(Operation &)> visit) {
  constexpr int kLineBytes = 64, kFirstLine = 8, kNumLines = 8;
  for (Operation &op : block) {
    const char *address = reinterpret_cast<const char *>(&op);
    for (int line = kFirstLine; line < kFirstLine + kNumLines; ++line)
      __builtin_prefetch(address + line * kLineBytes);
    visit(op);
  }
}

/// The arrays of a quantized storage: the quants, their scales, and the second
/// plane of quants of two-pass numerics.
static constexpr struct {
  ArrayKind kind;
  StringLiteral suffix;
} kQuantizedArrays[] = {{ArrayKind::Quants, ".quants"},
                        {ArrayKind::Scales, ".scales"},
                        {ArrayKind::LowQuants, ".low_quants"}};

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Takes the next bytes of the fixed part, and returns their offset.
int64_t LayoutBuilder::takeFixed(std::optional<int64_t> bytes, int64_t &term) {
  int64_t offset = fixedBytes;
  std::optional<int64_t> aligned = bytes ? alignToPool(*bytes) : std::nullopt;
  std::optional<int64_t> next =
      aligned ? checkedAddBytes(fixedBytes, *aligned) : std::nullopt;
  if (!next) {
    overflowed = true;
    return offset;
  }
  fixedBytes = *next;
  term += *aligned;
  return offset;
}

void LayoutBuilder::addFixed(Operation *op, NameFunction name,
                             std::optional<int64_t> bytes, int64_t &term,
                             int64_t tag) {
  int64_t offset = takeFixed(bytes, term);
  if (layout && bytes)
    record(name(), Place::Fixed, offset, *bytes, op, ArrayKind::Plain, tag);
}

/// Adds an array in the arena, at the offset of its slot, or in the fixed part.
void LayoutBuilder::addArray(Operation *op, StorageAttr storage,
                             NameFunction name, int64_t bytes, int64_t &term,
                             int64_t tag) {
  if (!storage.getInArena())
    return addFixed(op, name, bytes, term, tag);
  hasSlots = true;
  if (!layout)
    return;
  std::string text = name();
  if (std::optional<int64_t> offset = getSlotOffset(op, storage, text))
    record(std::move(text), Place::Arena, *offset, bytes, op, ArrayKind::Plain,
           tag);
}

/// Adds the arrays of a quantized storage unless `storage` is null. In an
/// arena, one slot contains all of them in sequence.
void LayoutBuilder::addQuantized(Operation *op, StorageAttr storage,
                                 int64_t length, NameFunction name,
                                 int64_t &term) {

  if (!storage)
    return;
  bool isInArena = storage.getInArena();
  hasSlots |= isInArena;
  if (isInArena && !layout)
    return;
  std::string stem = layout ? name() : std::string();
  int64_t slotOffset = 0;
  if (isInArena) {
    std::optional<int64_t> offset = getSlotOffset(op, storage, stem);
    if (!offset)
      return;
    slotOffset = *offset;
  }
  if (layout)
    storages[op].quants = layout->arrays.size();
  for (auto [bytes, array] :
       llvm::zip(getQuantizedArrayBytes(length, program.getNumerics()),
                 kQuantizedArrays)) {
    int64_t offset = slotOffset;
    if (isInArena)
      slotOffset += *alignToPool(bytes);
    else
      offset = takeFixed(bytes, term);
    if (layout)
      record(stem + array.suffix.str(), isInArena ? Place::Arena : Place::Fixed,
             offset, bytes, op, array.kind);
  }
}

void LayoutBuilder::record(std::string name, Place place, int64_t offset,
                           int64_t bytes, Operation *op, ArrayKind kind,
                           int64_t tag) {
  layout->arrays.push_back(
      {std::move(name), place, /*rank=*/0, offset, bytes, op, kind, tag});
}

std::optional<int64_t> LayoutBuilder::getSlotOffset(Operation *op,
                                                    StorageAttr storage,
                                                    StringRef name) {
  if (!storage.getOffset() && !hasFailed) {
    hasFailed = true;
    op->emitOpError() << "'" << name
                      << "' has a slot without an offset: run arena-plan first";
  }
  return storage.getOffset();
}

//===----------------------------------------------------------------------===//
// Constants, state and loop
//===----------------------------------------------------------------------===//

/// Lists the constants, the state and the forms of the program. Counts the
/// operations first: for a long body, growing a table costs more than a second
/// walk.
void LayoutBuilder::collectShared() {
  size_t numOperations = 0;
  visitOperations(program.getBody().front(),
                  [&](Operation &) { ++numOperations; });
  shared.reserve(numOperations);
  visitor.visitProgram(numOperations);
  MatrixIndex numMatrices = 0;
  visitOperations(program.getBody().front(), [&](Operation &op) {
    if (auto form = dyn_cast<FormOp>(op)) {
      forms.push_back(form);
      return;
    }
    SharedBuffer buffer;
    StringAttr name;
    if (auto matrix = dyn_cast<MatrixOp>(op)) {
      buffer.index = numMatrices++;
      name = matrix.getSymNameAttr();
      visitor.visitMatrix(matrix);
    } else if (auto values = dyn_cast<ValuesOp>(op)) {
      buffer.isValues = true;
      name = values.getSymNameAttr();
    } else {
      name = cast<StateOp>(op).getSymNameAttr();
    }
    shared.add(name, buffer);
    if (layout)
      sharedOps[name] = &op;
  });
}

/// Adds the arrays of the generation loop: position, run, count and prompt, and
/// for a batch form the position, run and count of each sequence.
void LayoutBuilder::addLoop() {
  auto add = [&](StringRef name, std::optional<int64_t> bytes) {
    addFixed(/*op=*/nullptr, [&] { return ("loop." + name).str(); }, bytes,
             terms.loop);
  };
  std::optional<int64_t> runBytes =
      checkedMulBytes(4, program.getContextLength());
  if (layout)
    loopPosition = layout->arrays.size();
  add("position", 4);
  add("run", runBytes);
  add("count", 4);
  add("prompt", runBytes);

  int64_t batchRows = 0;
  for (FormOp form : forms)
    if (form.getKind() == FormKind::Batch)
      batchRows = std::max<int64_t>(batchRows, form.getRows());
  if (batchRows == 0)
    return;
  if (layout)
    batchPosition = layout->arrays.size();
  add("batch_position", checkedMulBytes(4, batchRows));
  add("batch_run",
      runBytes ? checkedMulBytes(*runBytes, batchRows) : std::nullopt);
  add("batch_count", checkedMulBytes(4, batchRows));
}

MatrixIndex LayoutBuilder::lookupMatrix(RefOp ref) {
  SharedBuffer *buffer = shared.lookup(ref.getSymbolAttr().getAttr());
  return buffer ? buffer->index : kNoMatrix;
}

/// Adds the storages of a constant or of state, each one once for all forms.
void LayoutBuilder::addRef(RefOp ref, unsigned formIndex) {
  StringAttr symbol = ref.getSymbolAttr().getAttr();
  SharedBuffer *buffer = shared.lookup(symbol);
  if (!buffer)
    return;
  bool isMatrix = buffer->index != kNoMatrix;
  if (isMatrix)
    visitor.visitRef(ref, buffer->index, formIndex);
  int64_t &term = isMatrix           ? terms.buffers
                  : buffer->isValues ? terms.values
                                     : terms.state;
  auto getName = [&] { return symbol.str(); };
  Operation *op = layout ? sharedOps.lookup(symbol) : nullptr;
  // Copy the entry, since adding to the table may move it.
  Storages known = layout ? storages.lookup(op) : Storages();

  // Values always need plain bytes. A matrix has its upload instead.
  StorageAttr plain = isMatrix ? StorageAttr() : ref.getPlainAttr();
  if ((plain || buffer->isValues) && !buffer->placedPlain) {
    bool isInArena = !buffer->isValues && plain.getInArena();
    int64_t bytes = cast<BufferType>(ref.getType()).getPlainBytes();
    buffer->placedPlain = !isInArena;
    if (layout)
      known.plain = layout->arrays.size();
    if (isInArena)
      addArray(op, plain, getName, bytes, term);
    else
      addFixed(op, getName, bytes, term);
  }
  StorageAttr quantized = ref.getQuantizedAttr();
  if (quantized && !buffer->placedQuantized) {
    buffer->placedQuantized = !quantized.getInArena();
    if (layout)
      known.quants = layout->arrays.size();
    auto type = dyn_cast<BufferType>(ref.getType());
    addQuantized(ref, quantized,
                 type ? type.getLength()
                      : cast<MatrixType>(ref.getType()).getLength(),
                 getName, term);
  }
  if (!layout)
    return;
  storages[op] = known;
  storages[ref] = known;
}

//===----------------------------------------------------------------------===//
// The buffers of a form
//===----------------------------------------------------------------------===//

/// Records the arrays that a view shares with its base.
void LayoutBuilder::recordView(ViewOp view) {
  Operation *base = view.getBase().getDefiningOp();
  // After a failure, the base may have no array.
  if (!base || hasFailed)
    return;
  Storages found = storages.lookup(base), own;
  std::string name = formName + view.getName().str();
  BufferType type = view.getType();
  auto addInside = [&](size_t index, StringRef suffix, int64_t offset,
                       int64_t bytes) {
    LaidOutArray whole = layout->arrays[index];
    record(name + suffix.str(), whole.place, whole.offset + offset, bytes, view,
           whole.kind);
  };
  if (found.plain) {
    own.plain = layout->arrays.size();
    int64_t offset = view.getOffset() / type.getBlockElements();
    addInside(*found.plain, "", offset * type.getBlockBytes(),
              type.getPlainBytes());
  }
  bool isInBase = view.getOffset() % kQuantizationBlockElements == 0;
  if (view.getQuantizedAttr() && isInBase && found.quants) {
    SmallVector<int64_t, 3> bytes =
        getQuantizedArrayBytes(type.getLength(), program.getNumerics());
    int64_t offset = view.getOffset();
    int64_t offsets[] = {offset, offset / kQuantizationBlockElements * 4,
                         offset};
    own.quants = layout->arrays.size();
    for (auto [index, arrayBytes] : llvm::enumerate(bytes))
      addInside(*found.quants + index, kQuantizedArrays[index].suffix,
                offsets[index], arrayBytes);
  }
  storages[view] = own;
}

/// Records a position input, whose bytes are those of the generation loop.
void LayoutBuilder::addPosition(ParamOp param) {
  if (!layout)
    return;
  bool isBatch = param->getParentOfType<FormOp>().getKind() == FormKind::Batch;
  LaidOutArray kept = layout->arrays[isBatch ? batchPosition : loopPosition];
  kept.name = formName + param.getName().str();
  kept.op = param;
  storages[param].plain = layout->arrays.size();
  layout->arrays.push_back(std::move(kept));
}

void LayoutBuilder::addBuffer(BufferOpInterface buffer) {
  auto getName = [&] { return formName + buffer.getBufferName().str(); };
  Operation *op = buffer;
  auto getType = [&] { return cast<BufferType>(op->getResult(0).getType()); };
  if (auto view = dyn_cast<ViewOp>(op)) {
    if (layout)
      recordView(view);
    // A quantized view at a whole block shares the arrays of its base.
    if (view.getOffset() % kQuantizationBlockElements != 0)
      addQuantized(op, view.getQuantizedAttr(), view.getType().getLength(),
                   getName, terms.buffers);
    return;
  }
  auto param = dyn_cast<ParamOp>(op);
  if (param && param.getPosition())
    return addPosition(param);
  auto alloc = dyn_cast<AllocOp>(op);
  int64_t &term = alloc && alloc.getCarried() ? terms.state : terms.buffers;
  if (StorageAttr plain = buffer.getPlainAttr()) {
    if (layout)
      storages[op].plain = layout->arrays.size();
    addArray(op, plain, getName, getType().getPlainBytes(), term);
  }
  if (StorageAttr quantized = buffer.getQuantizedAttr())
    addQuantized(op, quantized, getType().getLength(), getName, term);
}

void LayoutBuilder::addScratch(LaunchOpInterface launch, int64_t launchIndex) {
  ArrayAttr scratch = launch.getScratchAttr();
  if (!scratch)
    return;
  for (auto entry : scratch.getAsRange<ScratchAttr>()) {
    auto getName = [&] {
      return formName + "launch" + std::to_string(launchIndex) + ".scratch" +
             std::to_string(entry.getTag());
    };
    if (entry.getCounter())
      addFixed(launch, getName, entry.getBytes(), terms.scratch,
               entry.getTag());
    else
      addArray(launch, entry.getStorage(), getName, entry.getBytes(),
               terms.scratch, entry.getTag());
  }
}

LogicalResult LayoutBuilder::addForm(FormOp form, unsigned formIndex) {
  hasSlots = false;
  shared.rewind();
  formName = (form.getSymName() + ".").str();
  arenaBytes = std::max<int64_t>(arenaBytes, form.getArena().value_or(0));
  FormKind kind = form.getKind();
  int64_t launchIndex = 0;
  visitOperations(form.getBody().front(), [&](Operation &op) {
    if (auto ref = dyn_cast<RefOp>(op)) {
      addRef(ref, formIndex);
    } else if (auto launch = dyn_cast<LaunchOpInterface>(op)) {
      visitor.visitLaunch(launch, kind, launchIndex);
      addScratch(launch, launchIndex++);
    } else if (auto buffer = dyn_cast<BufferOpInterface>(op)) {
      addBuffer(buffer);
    }
  });
  numLaunches += launchIndex;
  if (hasSlots && !form.getArena())
    return emitBriefOpError(form)
           << "'" << form.getSymName()
           << "' has slots in an arena without a size: run arena-plan first";
  return failure(hasFailed);
}

LogicalResult LayoutBuilder::run() {
  collectShared();
  addLoop();
  for (auto [index, form] : llvm::enumerate(forms))
    if (failed(addForm(form, index)))
      return failure();
  if (layout)
    layout->fixedBytes = fixedBytes;
  return success();
}

//===- LaneOps.cpp - Program, forms and buffers ---------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of programs, forms and buffers. They check the assumptions of the
// planner.
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "lane/Support/Bytes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace lane;

InFlightDiagnostic lane::emitBriefOpError(Operation *op) {
  return emitError(op->getLoc()) << "'" << op->getName() << "' op ";
}

//===----------------------------------------------------------------------===//
// ProgramOp
//===----------------------------------------------------------------------===//

void ProgramOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                      int64_t contextLength, Numerics numerics) {
  MLIRContext *ctx = builder.getContext();
  build(builder, state, builder.getStringAttr(name),
        builder.getI64IntegerAttr(contextLength),
        NumericsAttr::get(ctx, numerics),
        /*files=*/ArrayAttr(), PlanAttr(), PlacementAttr());
  state.regions.front()->emplaceBlock();
}

FormOp ProgramOp::getDecodeForm() {
  for (FormOp form : getBody().getOps<FormOp>())
    if (form.getKind() == FormKind::Decode)
      return form;
  return {};
}

/// Checks that the decode form references all state of the program that any
/// form references. State of only one other form must be local to that form.
static LogicalResult verifyStateIsShared(ProgramOp program, FormOp decode) {
  DenseSet<StringAttr> unreferenced;
  for (StateOp state : program.getBody().getOps<StateOp>())
    unreferenced.insert(state.getSymNameAttr());
  for (RefOp ref : decode.getBody().getOps<RefOp>())
    unreferenced.erase(ref.getSymbolAttr().getAttr());
  if (unreferenced.empty())
    return success();
  for (FormOp form : program.getBody().getOps<FormOp>())
    for (RefOp ref : form.getBody().getOps<RefOp>())
      if (unreferenced.contains(ref.getSymbolAttr().getAttr()))
        return ref.emitOpError()
               << "references the state " << ref.getSymbolAttr()
               << ", which the decode form does not reference: use "
                  "'lane.alloc carried' for state of one form";
  return success();
}

/// Checks that a plan orders matrices of the program, each at most once, and
/// that a placement is possible for that order. The passes that use a plan
/// check whether its values still match the program.
static LogicalResult verifyPlan(ProgramOp program) {
  auto emitProgramError = [&] {
    return emitBriefOpError(program) << "'" << program.getSymName() << "' ";
  };
  PlanAttr plan = program.getPlanAttr();
  PlacementAttr placement = program.getPlacementAttr();
  if (!plan) {
    if (placement)
      return emitProgramError() << "has a placement but no plan";
    return success();
  }
  DenseSet<StringAttr> matrices;
  for (MatrixOp matrix : program.getBody().getOps<MatrixOp>())
    matrices.insert(matrix.getSymNameAttr());
  DenseSet<StringAttr> ordered;
  for (auto symbol : plan.getOrder().getAsRange<FlatSymbolRefAttr>()) {
    if (!matrices.contains(symbol.getAttr()))
      return emitProgramError()
             << "orders " << symbol << ", which is not a matrix of the program";
    if (!ordered.insert(symbol.getAttr()).second)
      return emitProgramError() << "orders " << symbol << " twice";
  }
  if (!placement)
    return success();
  int64_t numUploads = plan.getOrder().size();
  if (placement.getMoved() < 0 || placement.getMoved() > numUploads)
    return emitProgramError() << "moves " << placement.getMoved() << " of "
                              << numUploads << " uploads";
  int64_t budgetBytes = placement.getBudget();
  int64_t deviceBytes = placement.getDeviceBytes();
  int64_t hostBytes = placement.getHostBytes();
  int64_t pageTableBytes = placement.getPageTableBytes();
  if (deviceBytes < 0 || hostBytes < 0 || deviceBytes > budgetBytes)
    return emitProgramError()
           << "places " << deviceBytes << " bytes on the device and "
           << hostBytes << " on the host, but the budget is " << budgetBytes;
  if (pageTableBytes < 0 || pageTableBytes > budgetBytes - deviceBytes)
    return emitProgramError()
           << "places " << deviceBytes << " bytes on the device and "
           << pageTableBytes << " of page tables, but the budget is "
           << budgetBytes;
  return success();
}

LogicalResult ProgramOp::verifyRegions() {
  SmallVector<FormOp> decodeForms;
  for (Operation &op : getBody().front()) {
    if (!isa<MatrixOp, ValuesOp, StateOp, FormOp>(op))
      return op.emitOpError() << "is not a matrix, values, state or a form";
    if (auto form = dyn_cast<FormOp>(op))
      if (form.getKind() == FormKind::Decode)
        decodeForms.push_back(form);
  }
  if (decodeForms.size() == 1)
    return failure(failed(verifyStateIsShared(*this, decodeForms.front())) ||
                   failed(verifyPlan(*this)));
  InFlightDiagnostic diagnostic = emitBriefOpError(*this)
                                  << "'" << getSymName() << "' has "
                                  << decodeForms.size()
                                  << " decode forms instead of one";
  for (FormOp form : decodeForms)
    diagnostic.attachNote(form.getLoc()) << "a decode form is here";
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// MatrixOp, ValuesOp, StateOp
//===----------------------------------------------------------------------===//

void MatrixOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     MatrixType type, ArrayRef<Attribute> rows) {
  build(builder, state, builder.getStringAttr(name), TypeAttr::get(type),
        builder.getArrayAttr(rows), /*residence=*/std::nullopt,
        FlatSymbolRefAttr(), ExtentsAttr());
}

/// Checks that `rows` add up to `expected`, and that each run of rows is in a
/// file of the program and ends within int64_t.
static LogicalResult verifyRows(Operation *op, ArrayAttr rows, int64_t rowBytes,
                                int64_t expected) {
  auto files = op->getParentOp()->getAttrOfType<ArrayAttr>("files");
  int64_t covered = 0;
  for (auto run : rows.getAsRange<RowsAttr>()) {
    std::optional<int64_t> bytes = checkedMulBytes(run.getCount(), rowBytes);
    if (!bytes || !checkedAddBytes(run.getOffset(), *bytes))
      return op->emitOpError()
             << run.getCount() << " rows of " << rowBytes << " bytes at offset "
             << run.getOffset() << " overflow int64";
    std::optional<int64_t> sum = checkedAddBytes(covered, run.getCount());
    if (!sum)
      return op->emitOpError() << "the number of rows overflows int64";
    covered = *sum;
    if (files && run.getFile() >= static_cast<int64_t>(files.size()))
      return op->emitOpError()
             << "rows are in file " << run.getFile() << ", but the program has "
             << files.size() << " files";
  }
  if (covered != expected)
    return op->emitOpError() << "rows cover " << covered << " of " << expected;
  return success();
}

/// Checks that the extents of a matrix cover each byte of its upload exactly
/// once.
static LogicalResult verifyExtents(MatrixOp matrix) {
  std::optional<ArrayRef<ExtentAttr>> extents = matrix.getExtents();
  if (!extents)
    return success();
  int64_t covered = 0;
  for (ExtentAttr extent : *extents) {
    if (extent.getOffset() > covered)
      return matrix.emitOpError() << "extents leave bytes " << covered << " to "
                                  << extent.getOffset() << " uncovered";
    if (extent.getOffset() < covered)
      return matrix.emitOpError()
             << "extent at byte " << extent.getOffset()
             << " overlaps the one before, which ends at " << covered;
    covered += extent.getBytes();
  }
  int64_t bytes = matrix.getType().getUploadBytes();
  if (covered != bytes)
    return matrix.emitOpError()
           << "extents cover " << covered << " of " << bytes << " bytes";
  return success();
}

LogicalResult MatrixOp::verify() {
  if (getResidence() && getShares())
    return emitOpError() << "has a residence and shares " << getSharesAttr();
  if (failed(verifyExtents(*this)))
    return failure();
  return verifyRows(*this, getRows(), getType().getRowBytes(),
                    getType().getNumRows());
}

LogicalResult MatrixOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!getShares())
    return success();
  auto other =
      symbols.lookupNearestSymbolFrom<MatrixOp>(*this, getSharesAttr());
  if (!other)
    return emitOpError() << "shares " << getSharesAttr()
                         << ", which is not a matrix of the program";
  if (other.getShares())
    return emitOpError() << "shares " << getSharesAttr()
                         << ", which itself shares " << other.getSharesAttr();
  if (other.getExtentsAttr() != getExtentsAttr())
    return emitOpError() << "extents differ from those of its owner "
                         << getSharesAttr();
  return success();
}

void ValuesOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     BufferType type) {
  build(builder, state, builder.getStringAttr(name), TypeAttr::get(type),
        ArrayAttr(), ElementsAttr());
}

LogicalResult ValuesOp::verify() {
  BufferType type = getType();
  if (!type.getElementType().isF32())
    return emitOpError() << "values must be f32, got " << type.getElementType();
  if (getRows() && getData())
    return emitOpError() << "has both rows and data";
  if (ElementsAttr data = getDataAttr())
    if (data.getNumElements() != type.getLength() ||
        !data.getElementType().isF32())
      return emitOpError() << "has " << data.getNumElements() << " values of "
                           << data.getElementType() << " for a buffer of "
                           << type.getLength() << " of f32";
  if (!getRows())
    return success();
  // A row of values has the length of the last dimension.
  int64_t columns = type.getShape().back();
  if (columns == 0)
    return emitOpError() << "has rows of 0 values";
  return verifyRows(*this, *getRows(), columns * 4, type.getLength() / columns);
}

void StateOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                    BufferType type) {
  build(builder, state, builder.getStringAttr(name), TypeAttr::get(type));
}

//===----------------------------------------------------------------------===//
// FormOp
//===----------------------------------------------------------------------===//

void FormOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   FormKind kind, int64_t rows) {
  build(builder, state, builder.getStringAttr(name),
        FormKindAttr::get(builder.getContext(), kind),
        builder.getI64IntegerAttr(rows), IntegerAttr());
  state.regions.front()->emplaceBlock();
}

/// Checks that `bytes` at `storage` fit into the arena of `form`.
static LogicalResult verifySlot(Operation *op, FormOp form, StorageAttr storage,
                                int64_t bytes, const Twine &what) {
  if (!storage || !storage.getOffset())
    return success();
  if (!form.getArena())
    return op->emitOpError()
           << what << " has arena offset " << *storage.getOffset() << ", but '"
           << form.getSymName() << "' has no arena";
  std::optional<int64_t> end = checkedAddBytes(*storage.getOffset(), bytes);
  if (!end || *end > static_cast<int64_t>(*form.getArena()))
    return op->emitOpError()
           << what << " of " << bytes << " bytes at arena offset "
           << *storage.getOffset() << " exceeds the arena of "
           << *form.getArena() << " bytes";
  return success();
}

static LogicalResult verifyBufferSlots(BufferOpInterface buffer, FormOp form) {
  StorageAttr plain = buffer.getPlainAttr();
  StorageAttr quantized = buffer.getQuantizedAttr();
  if (!plain && !quantized)
    return success();
  Type type = buffer->getResult(0).getType();
  auto bufferType = dyn_cast<BufferType>(type);
  if (plain && bufferType &&
      failed(verifySlot(buffer, form, plain, bufferType.getPlainBytes(),
                        "plain storage")))
    return failure();
  if (!quantized)
    return success();
  Numerics numerics = cast<ProgramOp>(form->getParentOp()).getNumerics();
  int64_t bytes = bufferType
                      ? bufferType.getQuantizedPoolBytes(numerics)
                      : cast<MatrixType>(type).getQuantizedPoolBytes(numerics);
  return verifySlot(buffer, form, quantized, bytes, "quantized storage");
}

static LogicalResult verifyScratchSlots(LaunchOpInterface launch, FormOp form) {
  ArrayAttr scratch = launch.getScratchAttr();
  if (!scratch)
    return success();
  for (auto entry : scratch.getAsRange<ScratchAttr>())
    if (failed(verifySlot(launch, form, entry.getStorage(), entry.getBytes(),
                          "scratch " + Twine(entry.getTag()))))
      return failure();
  return success();
}

static bool isBufferType(Type type) {
  return isa<BufferType, MatrixType>(type);
}

/// Checks an operation of a form that is neither a buffer nor a launch, or is a
/// launch with a region that does not contain parts. The planner does not see
/// into such an operation, so it must not define or use buffers there.
static LogicalResult verifyHidesNoBuffer(Operation *op) {
  if (llvm::any_of(op->getResultTypes(), isBufferType))
    return op->emitOpError() << "defines a buffer but does not implement "
                                "BufferOpInterface";
  if (!isa<LaunchOpInterface>(op) &&
      llvm::any_of(op->getOperandTypes(), isBufferType))
    return op->emitOpError() << "uses a buffer but does not implement "
                                "LaunchOpInterface";
  WalkResult nested = op->walk([&](Operation *inner) {
    bool uses =
        inner != op && llvm::any_of(inner->getOperandTypes(), isBufferType);
    return uses ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (nested.wasInterrupted())
    return op->emitOpError() << "has a region that uses a buffer, but is not a "
                                "fused launch";
  return success();
}

/// Checks what a launch, or each part of a fused one, cannot check itself.
static LogicalResult verifyLaunchInForm(LaunchOpInterface launch) {
  // The verifier of an attached interface does not run with its operation.
  auto verifyAttached = [](LaunchOpInterface op) {
    return isa_and_present<LaneDialect>(op->getDialect())
               ? success()
               : lane::detail::verifyLaunch(op);
  };
  LogicalResult result = verifyAttached(launch);
  if (failed(result))
    return failure();
  launch.forEachPart([&](LaunchOpInterface part) {
    if (failed(result))
      return;
    if (part != launch)
      result = verifyAttached(part);
    if (succeeded(result) && part->getNumRegions() != 0)
      result = verifyHidesNoBuffer(part);
  });
  return result;
}

LaunchOpInterface FormOp::getLaunch(int64_t index) {
  for (auto launch : getBody().getOps<LaunchOpInterface>())
    if (index-- == 0)
      return launch;
  return {};
}

LogicalResult FormOp::verifyRegions() {
  if (getKind() == FormKind::Decode && getRows() != 1)
    return emitOpError() << "a decode form must have one row, got "
                         << getRows();
  DenseSet<StringAttr> names;
  for (Operation &op : getBody().front()) {
    if (auto buffer = dyn_cast<BufferOpInterface>(op)) {
      if (!names.insert(buffer.getBufferName()).second)
        return op.emitOpError()
               << "redefines '" << buffer.getBufferName().getValue() << "'";
      if (failed(verifyBufferSlots(buffer, *this)))
        return failure();
      continue;
    }
    if (auto launch = dyn_cast<LaunchOpInterface>(op)) {
      if (failed(verifyLaunchInForm(launch)) ||
          failed(verifyScratchSlots(launch, *this)))
        return failure();
      continue;
    }
    if (failed(verifyHidesNoBuffer(&op)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Names the value after the buffer, so that printed forms are readable.
static void nameResult(Value result, StringRef name,
                       OpAsmSetValueNameFn setName) {
  setName(result, name);
}

void ParamOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResult(getResult(), getName(), setName);
}

void AllocOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResult(getResult(), getName(), setName);
}

void ViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResult(getResult(), getName(), setName);
}

void RefOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResult(getResult(), getSymbol(), setName);
}

static bool isInArena(StorageAttr storage) {
  return storage && storage.getInArena();
}

LogicalResult AllocOp::verify() {
  if (getCarried() &&
      (isInArena(getPlainAttr()) || isInArena(getQuantizedAttr())))
    return emitOpError() << "'" << getName()
                         << "' is carried, so it cannot be in the arena";
  return success();
}

int64_t ViewOp::computeOverrun(Type base, BufferType view, int64_t offset,
                               bool quantized) {
  // Use 128 bits: products of two int64 values are compared.
  using Wide = __int128;
  auto buffer = dyn_cast<BufferType>(base);
  Wide baseLength =
      buffer ? buffer.getLength() : cast<MatrixType>(base).getLength();
  // The offset of a view of a matrix is in elements for every format, and so is
  // that of a view of blocks, which is one of the same blocks.
  bool areBytes = buffer && buffer.getBlockElements() == 1;
  int64_t viewElement = areBytes ? view.getBlockBytes() : 1;
  int64_t baseElement = areBytes ? buffer.getBlockBytes() : 1;
  Wide excessBytes = Wide(offset) * baseElement +
                     Wide(view.getLength()) * viewElement -
                     baseLength * baseElement;
  Wide excess = (excessBytes + viewElement - 1) / viewElement;
  // Quants and scales are counted in elements for every element type.
  if (quantized)
    excess = std::max(excess, Wide(offset) + view.getLength() - baseLength);
  return static_cast<int64_t>(
      std::clamp<Wide>(excess, 0, std::numeric_limits<int64_t>::max()));
}

/// Checks that a view of blocks, or as blocks, is one of whole blocks of the
/// same format.
static LogicalResult verifyBlocks(ViewOp view) {
  auto base = dyn_cast<BufferType>(view.getBase().getType());
  BufferType type = view.getType();
  int64_t block = type.getBlockElements();
  bool isOfBlocks = base && base.getBlockElements() > 1;
  if (!isOfBlocks && block == 1)
    return success();
  if (!base || base.getElementType() != type.getElementType())
    return view.emitOpError()
           << "'" << view.getName() << "' of " << type << " views "
           << view.getBase().getType() << ", whose elements differ";
  if (view.getOffset() % block != 0)
    return view.emitOpError()
           << "'" << view.getName() << "' at offset " << view.getOffset()
           << " does not start at a block of " << block;
  return success();
}

LogicalResult ViewOp::verify() {
  if (failed(verifyBlocks(*this)))
    return failure();
  BufferType type = getType();
  int64_t overrun = computeOverrun(getBase().getType(), type, getOffset(),
                                   getQuantizedAttr() != nullptr);
  int64_t stated = getOverrun().value_or(0);
  if (overrun == stated)
    return success();
  InFlightDiagnostic diagnostic =
      emitOpError() << "'" << getName() << "' of " << type.getLength()
                    << " elements at offset " << getOffset()
                    << " exceeds its base by " << overrun << " elements";
  if (stated != 0)
    diagnostic << ", but states an overrun of " << stated;
  return diagnostic;
}

/// Reports a launch that writes `buffer`, or a view of it.
static LogicalResult verifyNeverWritten(Value buffer, StringRef name) {
  for (OpOperand &use : buffer.getUses()) {
    if (auto view = dyn_cast<ViewOp>(use.getOwner())) {
      if (failed(verifyNeverWritten(view.getResult(), name)))
        return failure();
      continue;
    }
    auto launch = dyn_cast<LaunchOpInterface>(use.getOwner());
    if (!launch)
      continue;
    SmallVector<OpOperand *, 4> writes;
    launch.getWrites(writes);
    if (llvm::is_contained(writes, &use))
      return launch->emitOpError()
             << "writes '" << name << "', which is a constant";
  }
  return success();
}

LogicalResult RefOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *target = symbols.lookupNearestSymbolFrom(*this, getSymbolAttr());
  Type type;
  if (auto matrix = dyn_cast_if_present<MatrixOp>(target))
    type = matrix.getType();
  else if (auto values = dyn_cast_if_present<ValuesOp>(target))
    type = values.getType();
  else if (auto state = dyn_cast_if_present<StateOp>(target))
    type = state.getType();
  else
    return emitOpError() << getSymbolAttr()
                         << " is not a matrix, values or state of the program";
  if (type != getType())
    return emitOpError() << "has type " << getType() << ", but "
                         << getSymbolAttr() << " has type " << type;
  // Quants and scales of a constant may be recomputed at each step. A program
  // may have state with a slot; the plan does not count that state.
  if (!isa<StateOp>(target) && isInArena(getPlainAttr()))
    return emitOpError() << getSymbolAttr()
                         << " is a constant, so it cannot be in the arena";
  // The verifier of each launch checks writes to matrices.
  if (isa<ValuesOp>(target))
    return verifyNeverWritten(getResult(), getSymbol());
  return success();
}

//===- LaneStepOps.cpp - Operations of steps ------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "lane/Support/Bytes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace lane;

/// The bytes of a memref; none where they are not known or overflow int64.
static std::optional<int64_t> getByteSize(MemRefType type) {
  if (!type.getElementType().isIntOrFloat())
    return std::nullopt;
  std::optional<int64_t> bytes =
      llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t dim : type.getShape())
    if (bytes)
      bytes = checkedMulBytes(*bytes, dim);
  return bytes;
}

/// The type of the buffer `name` that a form defines; null if there is none.
static Type findBufferType(FormOp form, StringAttr name) {
  for (auto buffer : form.getBody().getOps<BufferOpInterface>())
    if (!isa<RefOp>(buffer) && buffer.getBufferName() == name)
      return buffer->getResult(0).getType();
  return {};
}

/// Bytes of an array of `buffer`; none if it has no such array.
static std::optional<int64_t> getArrayBytes(Type buffer, ArrayKind kind,
                                            Numerics numerics) {
  if (auto matrix = dyn_cast<MatrixType>(buffer)) {
    if (kind == ArrayKind::Plain)
      return matrix.getCheckpointBytes();
    if (matrix.getFormat() != NumberFormat::Q8_0 ||
        kind == ArrayKind::LowQuants)
      return std::nullopt;
    return kind == ArrayKind::Quants
               ? matrix.getLength()
               : matrix.getLength() / kQuantizationBlockElements * 2;
  }
  auto type = cast<BufferType>(buffer);
  if (kind == ArrayKind::Plain)
    return type.getPlainBytes();
  SmallVector<int64_t, 3> bytes =
      getQuantizedArrayBytes(type.getLength(), numerics);
  auto index = static_cast<size_t>(kind) - 1;
  return index < bytes.size() ? std::optional<int64_t>(bytes[index])
                              : std::nullopt;
}

/// Bytes of scratch of a launch of `form`; none if there is no such scratch.
static std::optional<int64_t> getScratchBytes(FormOp form, int64_t launch,
                                              int64_t tag) {
  LaunchOpInterface op = form.getLaunch(launch);
  ArrayAttr scratch = op ? op.getScratchAttr() : ArrayAttr();
  if (scratch)
    for (auto entry : scratch.getAsRange<ScratchAttr>())
      if (entry.getTag() == tag)
        return entry.getBytes();
  return std::nullopt;
}

/// The type of what `op` names; null if it is not a buffer of a program.
static Type findType(GetMemrefOp op, Operation *target) {
  if (StringAttr name = op.getBufferAttr()) {
    auto form = dyn_cast_if_present<FormOp>(target);
    return form ? findBufferType(form, name) : Type();
  }
  if (auto matrix = dyn_cast_if_present<MatrixOp>(target))
    return matrix.getType();
  if (auto values = dyn_cast_if_present<ValuesOp>(target))
    return values.getType();
  if (auto state = dyn_cast_if_present<StateOp>(target))
    return state.getType();
  return {};
}

static LogicalResult verifyBytes(GetMemrefOp op, int64_t bytes) {
  std::optional<int64_t> memrefBytes = getByteSize(op.getType());
  if (memrefBytes == bytes)
    return success();
  InFlightDiagnostic diagnostic = op.emitOpError() << "has " << op.getType();
  if (memrefBytes)
    diagnostic << " of " << *memrefBytes << " bytes";
  else
    diagnostic << ", whose byte size is not known";
  return diagnostic << ", but the buffer has " << bytes;
}

void GetMemrefOp::build(OpBuilder &builder, OperationState &state,
                        MemRefType type, SymbolRefAttr symbol,
                        StringAttr buffer, ArrayKind array) {
  build(builder, state, type, symbol, buffer, array,
        /*scratch=*/DenseI64ArrayAttr());
}

LogicalResult GetMemrefOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *target =
      symbols.lookupNearestSymbolFrom(getOperation(), getSymbolAttr());
  if (std::optional<ArrayRef<int64_t>> scratch = getScratch()) {
    auto form = dyn_cast_if_present<FormOp>(target);
    std::optional<int64_t> bytes;
    if (form && !getBuffer() && getArray() == ArrayKind::Plain)
      bytes = getScratchBytes(form, scratch->front(), scratch->back());
    if (!bytes)
      return emitOpError() << "there is no scratch " << scratch->back()
                           << " of launch " << scratch->front() << " in "
                           << getSymbolAttr();
    return verifyBytes(*this, *bytes);
  }
  Type type = findType(*this, target);
  if (!type) {
    InFlightDiagnostic diagnostic = emitOpError();
    if (StringAttr name = getBufferAttr())
      return diagnostic << name << " is not a buffer of a form "
                        << getSymbolAttr();
    return diagnostic << getSymbolAttr()
                      << " is not a matrix, values or state of a program";
  }
  auto program = target->getParentOfType<ProgramOp>();
  std::optional<int64_t> bytes =
      getArrayBytes(type, getArray(), program.getNumerics());
  if (!bytes)
    return emitOpError() << "a buffer of type " << type << " has no "
                         << stringifyArrayKind(getArray());
  return verifyBytes(*this, *bytes);
}

void GetMemrefOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  StringAttr name = getBufferAttr();
  setName(getResult(), name ? name.getValue()
                            : getSymbolAttr().getLeafReference().getValue());
}

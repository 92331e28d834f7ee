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

LogicalResult GetMemrefOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Type type = findType(
      *this, symbols.lookupNearestSymbolFrom(getOperation(), getSymbolAttr()));
  if (!type) {
    InFlightDiagnostic diagnostic = emitOpError();
    if (StringAttr name = getBufferAttr())
      return diagnostic << name << " is not a buffer of a form "
                        << getSymbolAttr();
    return diagnostic << getSymbolAttr()
                      << " is not a matrix, values or state of a program";
  }
  auto buffer = dyn_cast<BufferType>(type);
  int64_t bytes = buffer ? buffer.getPlainBytes()
                         : cast<MatrixType>(type).getCheckpointBytes();
  std::optional<int64_t> memrefBytes = getByteSize(getType());
  if (memrefBytes == bytes)
    return success();
  InFlightDiagnostic diagnostic = emitOpError() << "has " << getType();
  if (memrefBytes)
    diagnostic << " of " << *memrefBytes << " bytes";
  else
    diagnostic << ", whose byte size is not known";
  return diagnostic << ", but the buffer has " << bytes;
}

void GetMemrefOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  StringAttr name = getBufferAttr();
  setName(getResult(), name ? name.getValue()
                            : getSymbolAttr().getLeafReference().getValue());
}

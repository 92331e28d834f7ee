//===- Types.cpp - Lane types of memrefs ----------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "lane/Conversion/Weights.h"
#include "lane/Support/Bytes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace lane;
using namespace lane::linalgtolane;

/// Fails, with an error of `op`, unless `type` is row-major with a static
/// shape.
static LogicalResult checkMemref(Operation *op, MemRefType type) {
  if (!type.hasStaticShape())
    return op->emitOpError() << "has " << type << ", whose shape is not static";
  if (!type.getLayout().isIdentity())
    return op->emitOpError() << "has " << type << ", which is not row-major";
  return success();
}

BufferType linalgtolane::getBufferType(Operation *op, MemRefType type) {
  if (failed(checkMemref(op, type)))
    return {};
  SmallVector<int64_t> shape(type.getShape());
  if (shape.empty())
    shape.push_back(1);
  return BufferType::getChecked(
      [&] { return op->emitOpError() << "has " << type << ": "; },
      op->getContext(), ArrayRef<int64_t>(shape), type.getElementType());
}

/// The byte size of a memref of integers or floats; none if it overflows int64.
static std::optional<int64_t> getByteSize(MemRefType type) {
  std::optional<int64_t> bytes =
      llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t dim : type.getShape())
    if (bytes)
      bytes = checkedMulBytes(*bytes, dim);
  return bytes;
}

/// `matrix`, if it has as many bytes as `type`.
static MatrixType checkGivenType(Operation *op, MemRefType type,
                                 MatrixType matrix) {
  if (!type.getElementType().isIntOrFloat()) {
    op->emitOpError() << "has " << type << ", whose byte size is not known";
    return {};
  }
  std::optional<int64_t> bytes = getByteSize(type);
  if (bytes == matrix.getCheckpointBytes())
    return matrix;
  InFlightDiagnostic diagnostic = op->emitOpError();
  diagnostic << "has " << type;
  if (bytes)
    diagnostic << " of " << *bytes << " bytes";
  else
    diagnostic << ", whose byte size overflows int64";
  diagnostic << ", but its lane.type " << matrix << " has "
             << matrix.getCheckpointBytes();
  return {};
}

MatrixType linalgtolane::getMatrixType(Operation *op, MemRefType type,
                                       TypeAttr given) {
  if (failed(checkMemref(op, type)))
    return {};
  if (given)
    return checkGivenType(op, type, cast<MatrixType>(given.getValue()));
  std::optional<NumberFormat> format = getElementFormat(type.getElementType());
  if (!format) {
    op->emitOpError() << "has " << type
                      << ", whose element type is not a matrix format: give "
                         "the weight a lane.type";
    return {};
  }
  SmallVector<int64_t> shape(type.getShape());
  while (shape.size() < 2)
    shape.insert(shape.begin(), 1);
  return MatrixType::getChecked(
      [&] { return op->emitOpError() << "has " << type << ": "; },
      op->getContext(), ArrayRef<int64_t>(shape), *format);
}

//===- Types.h - Lane types of memrefs --------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types of buffers and matrices that memrefs become.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_LINALGTOLANE_TYPES_H
#define LANE_LIB_CONVERSION_LINALGTOLANE_TYPES_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "mlir/IR/BuiltinTypes.h"

namespace lane::linalgtolane {

/// The buffer for a memref of `type`. Null, after an error of `op`, if the
/// memref is not row-major with a static shape, or a buffer cannot have its
/// shape and element type.
BufferType getBufferType(mlir::Operation *op, mlir::MemRefType type);

/// The matrix for a weight of `type`: the `given` type, which must have as many
/// bytes, or else a matrix in the format of the memref's elements. Null after
/// an error of `op`.
MatrixType getMatrixType(mlir::Operation *op, mlir::MemRefType type,
                         mlir::TypeAttr given);

} // namespace lane::linalgtolane

#endif // LANE_LIB_CONVERSION_LINALGTOLANE_TYPES_H

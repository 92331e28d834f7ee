//===- BlockFormats.h - Elements of a matrix --------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads elements of a matrix in the number format of its checkpoint. A row is a
// number of groups. The elements of a group of a quantized format are
// `scale * quant + offset`, with an integer `quant` for each element and one
// scale and offset for the group. The layouts of blocks are those of ggml
// (ggml-common.h, and dequantize_row_* in ggml-quants.c).
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_LANETOLINALG_BLOCKFORMATS_H
#define LANE_LIB_CONVERSION_LANETOLINALG_BLOCKFORMATS_H

#include "KernelBuilder.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include <functional>

namespace lane::lanetolinalg {

/// A group of consecutive elements of a row.
struct Group {
  /// f32; null for a format of floats, whose elements `quant` returns as f32.
  mlir::Value scale;
  /// f32, or null for 0.
  mlir::Value offset;
  /// The quant, an i32, of the element with this index in the group.
  std::function<mlir::Value(mlir::Value)> quant;
};

/// An array of a matrix as a memref.
struct MatrixArray {
  ArrayKind kind;
  mlir::MemRefType type;
};

/// The arrays that kernels read of a matrix, or none if kernels cannot read its
/// format: the quants and scales of q8_0, or the rows of elements, or the rows
/// of bytes.
llvm::SmallVector<MatrixArray, 2> getMatrixArrays(MatrixType type);

/// Reads a matrix in a kernel.
class MatrixReader {
public:
  /// `arrays` are those of getMatrixArrays.
  MatrixReader(KernelBuilder &builder, MatrixType type,
               llvm::ArrayRef<mlir::Value> arrays)
      : builder(builder), type(type), arrays(arrays) {}

  bool isQuantized() const;
  /// Elements of a group: 16 or 32, or all columns of a format of floats.
  int64_t getGroupElements() const;
  int64_t getNumGroups() const {
    return type.getNumColumns() / getGroupElements();
  }
  /// Loads the group with the index `group` of the row `row`.
  Group load(mlir::Value row, mlir::Value group);
  /// One element as f32.
  mlir::Value loadElement(mlir::Value row, mlir::Value column);

private:
  KernelBuilder &builder;
  MatrixType type;
  llvm::SmallVector<mlir::Value, 2> arrays;
};

} // namespace lane::lanetolinalg

#endif // LANE_LIB_CONVERSION_LANETOLINALG_BLOCKFORMATS_H

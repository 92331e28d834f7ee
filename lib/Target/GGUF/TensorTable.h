//===- TensorTable.h - A checkpoint's tensors as symbols --------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the tensors of a checkpoint in a program: one matrix or values each,
// with the tensor's name. Records which are read.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_TENSORTABLE_H
#define LANE_LIB_TARGET_GGUF_TENSORTABLE_H

#include "lane/Checkpoint/Checkpoint.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace lane::importer {

/// Experts of one projection of one layer, each a tensor, by number.
using ExpertStack = std::map<int64_t, const CheckpointTensor *>;

class TensorTable {
public:
  /// Declares every tensor of `checkpoint` in the program at `builder`'s
  /// insertion point, in the order of the files: vectors of f32 as values, all
  /// others as matrices. A tensor without elements is skipped. Experts that are
  /// a tensor each become one stack: all `blk.0.ffn_up.N.weight` become
  /// `blk.0.ffn_up_exps.weight`. Fails, with an error that names the tensor, if
  /// its shape is not that of a matrix.
  llvm::LogicalResult declare(const Checkpoint &checkpoint,
                              mlir::OpBuilder &builder, mlir::Location loc);

  /// Declares matrix `name` over the rows of `other`, if that is a matrix: a
  /// tied output head.
  void declareTied(llvm::StringRef name, llvm::StringRef other,
                   mlir::OpBuilder &builder, mlir::Location loc);

  bool contains(llvm::StringRef name) const { return symbols.contains(name); }

  /// Rows of the matrix of that name; 1 if it is missing or values.
  int64_t getNumRows(llvm::StringRef name) const;

  /// The matrix or values of that name, marked as read. Null, after an error
  /// that names the tensor and both shapes, if it is missing or its shape is
  /// not `shape`, which has the rows first as in the dialect.
  mlir::Operation *get(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                       mlir::Location loc);

  /// Names of all tensors, in file order.
  llvm::SmallVector<std::string> getNames() const { return order; }

  /// The matrix or values of that name, marked as read; null if missing.
  mlir::Operation *get(llvm::StringRef name);

  /// Removes the matrices and values that `get` has not returned from the
  /// program. Returns the names of their tensors, in the order of the files,
  /// and sets `sizeBytes` to their bytes, at most 2^64 - 1.
  llvm::SmallVector<std::string> eraseUnread(uint64_t &sizeBytes);

private:
  llvm::LogicalResult declareTensor(const CheckpointTensor &tensor,
                                    mlir::OpBuilder &builder,
                                    mlir::Location loc);
  llvm::LogicalResult declareStack(llvm::StringRef name,
                                   const ExpertStack &stack,
                                   mlir::OpBuilder &builder,
                                   mlir::Location loc);

  struct Symbol {
    mlir::Operation *op;
    bool isRead = false;
    /// Bytes in the files; 0 if another tensor has them.
    uint64_t sizeBytes = 0;
  };
  llvm::StringMap<Symbol> symbols;
  /// Tensors without elements.
  llvm::StringSet<> emptyTensors;
  llvm::SmallVector<std::string> order;
};

/// The type of a matrix, values or state of the program.
mlir::Type getBufferType(mlir::Operation *symbol);

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_TENSORTABLE_H

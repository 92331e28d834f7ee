//===- TensorTable.h - A checkpoint's tensors as symbols --------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the tensors of a checkpoint in a program, each as a matrix or values
// of the same name, and tracks which are read.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_TENSORTABLE_H
#define LANE_LIB_TARGET_GGUF_TENSORTABLE_H

#include "lane/Checkpoint/GGUF.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace lane::importer {

/// Experts of one projection of one layer by number; each has a tensor.
using ExpertStack = std::map<int64_t, std::pair<const gguf::Tensor *, int64_t>>;

class TensorTable {
public:
  /// Declares every tensor of `shards` in the program at `builder`'s
  /// insertion point, in file order: vectors of f32 as values, all others as
  /// matrices. Experts with one tensor each become one stack:
  /// `blk.0.ffn_up.0.weight` and so on become `blk.0.ffn_up_exps.weight`.
  /// Fails with the name of the tensor if its shape is not valid for a matrix.
  llvm::LogicalResult declare(llvm::ArrayRef<gguf::Header> shards,
                              mlir::OpBuilder &builder, mlir::Location loc);

  /// Declares matrix `name` with the rows of `other` if that is a matrix, for a
  /// tied output head.
  void declareTied(llvm::StringRef name, llvm::StringRef other,
                   mlir::OpBuilder &builder, mlir::Location loc);

  bool contains(llvm::StringRef name) const { return symbols.contains(name); }

  /// Rows of the matrix `name`; 1 if it is missing or is values.
  int64_t getNumRows(llvm::StringRef name) const;

  /// The matrix or values `name`, which is marked as read. Emits an error with
  /// both shapes and returns null if it is missing or its shape is not `shape`
  /// (rows first, as in the dialect).
  mlir::Operation *get(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                       mlir::Location loc);

  /// Names of all tensors, in file order.
  llvm::SmallVector<std::string> getNames() const { return order; }

  /// The matrix or values `name`, which is marked as read. Null if missing.
  mlir::Operation *get(llvm::StringRef name);

  /// Tensors that have not been read, in file order.
  llvm::SmallVector<llvm::StringRef> getUnread() const;

private:
  llvm::LogicalResult declareTensor(const gguf::Tensor &tensor, int64_t file,
                                    mlir::OpBuilder &builder,
                                    mlir::Location loc);
  llvm::LogicalResult declareStack(llvm::StringRef name,
                                   const ExpertStack &stack,
                                   mlir::OpBuilder &builder,
                                   mlir::Location loc);

  struct Symbol {
    mlir::Operation *op;
    bool isRead;
  };
  llvm::StringMap<Symbol> symbols;
  llvm::SmallVector<std::string> order;
};

/// Quotes `text` and escapes it so that it stays on one line.
std::string quote(llvm::StringRef text);

/// The type of a matrix, values or state of the program.
mlir::Type getBufferType(mlir::Operation *symbol);

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_TENSORTABLE_H

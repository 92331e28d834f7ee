//===- ProgramRaiser.h - Builds the lane program ----------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the program that the raised functions' forms are in: its weights, its
// state and its checkpoint files.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_LINALGTOLANE_PROGRAMRAISER_H
#define LANE_LIB_CONVERSION_LINALGTOLANE_PROGRAMRAISER_H

#include "CheckpointWeights.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace lane::linalgtolane {

/// A weight or state as its memref.global or function argument declares it.
struct Declaration {
  mlir::Operation *op;
  mlir::StringAttr name;
  /// The name in a checkpoint, which is that of its symbol or another.
  mlir::StringAttr tensorName;
  mlir::MemRefType type;
  /// The matrix type and the rows in a checkpoint, if the attributes give them.
  mlir::TypeAttr matrixType;
  mlir::ArrayAttr rows;
  /// The elements, if they are in the IR.
  mlir::ElementsAttr values;
};

/// Builds the program around the forms, with each weight and state once.
class ProgramRaiser {
public:
  /// Weights without given rows are those of `checkpoint`; if it is null, they
  /// get a place in a file of the program's own.
  ProgramRaiser(mlir::ModuleOp module, llvm::StringRef name,
                int64_t contextLength, CheckpointWeights *checkpoint);

  /// Whether the program has a symbol of that name.
  bool contains(mlir::StringAttr name) {
    return program.lookupSymbol(name) != nullptr;
  }

  /// Makes a form at the end of the program; weights and state come before the
  /// first form.
  FormOp makeForm(mlir::Location loc, llvm::StringRef name, FormKind kind,
                  int64_t rows);

  /// The symbol of a weight: values for a vector of f32, else a matrix. Null
  /// after an error.
  mlir::Operation *getWeight(const Declaration &weight);
  /// The symbol of a state. Null after an error.
  mlir::Operation *getState(const Declaration &state);

  /// The name of a global's symbol: that of its tensor if no global before it
  /// has that, or else the global's own.
  mlir::StringAttr getGlobalName(mlir::memref::GlobalOp global);

  /// Sets the program's files, once all weights are known. Fails, after an
  /// error, if the checkpoint lacks one.
  llvm::LogicalResult finish();

private:
  mlir::ArrayAttr getRows(const Declaration &weight, mlir::Type type,
                          int64_t count, int64_t rowBytes);
  mlir::ArrayAttr getCheckpointRows(const Declaration &weight, mlir::Type type,
                                    int64_t count);
  mlir::ArrayAttr getOwnRows(const Declaration &weight, int64_t count,
                             int64_t rowBytes);
  int64_t getFile(llvm::StringRef name);
  mlir::Operation *getKnown(const Declaration &declaration, mlir::Type type);
  mlir::Operation *makeValues(const Declaration &weight, BufferType type);
  mlir::Operation *makeMatrix(const Declaration &weight, MatrixType type);

  ProgramOp program;
  mlir::OpBuilder builder;
  llvm::DenseMap<mlir::StringAttr, mlir::Operation *> known;
  llvm::DenseMap<mlir::StringAttr, mlir::memref::GlobalOp> namedGlobals;
  llvm::SmallVector<mlir::Attribute> files;
  CheckpointWeights *checkpoint;
  /// The file of the weights without given rows, and its bytes so far.
  std::optional<int64_t> ownFile;
  int64_t ownBytes = 0;
};

/// The type of a weight or of state.
mlir::Type getSymbolType(mlir::Operation *symbol);

} // namespace lane::linalgtolane

#endif // LANE_LIB_CONVERSION_LINALGTOLANE_PROGRAMRAISER_H

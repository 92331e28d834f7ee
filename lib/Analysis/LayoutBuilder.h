//===- LayoutBuilder.h - Layout of resident arrays --------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only walk over a program that counts the fixed part of the device pool.
// It assigns an offset to every array of the fixed part and of the arenas, and
// records the arrays if the caller asks for a layout. Plan and layout use the
// same walk, so they cannot differ.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_ANALYSIS_LAYOUTBUILDER_H
#define LANE_LIB_ANALYSIS_LAYOUTBUILDER_H

#include "SharedBuffers.h"
#include "lane/Analysis/PoolLayout.h"
#include "llvm/ADT/DenseMap.h"

namespace lane {

/// Callbacks for the operations of the walk.
class LayoutVisitor {
public:
  virtual ~LayoutVisitor() = default;
  /// The program, with the number of operations in its body. Called first.
  virtual void visitProgram(size_t numOperations) {}
  /// A matrix. Called before any form, in the order of matrix indices from 0.
  virtual void visitMatrix(MatrixOp matrix) {}
  /// A reference to a matrix, in the form with index `formIndex`.
  virtual void visitRef(RefOp ref, MatrixIndex matrix, unsigned formIndex) {}
  /// A top-level launch, with its index in its form.
  virtual void visitLaunch(LaunchOpInterface launch, FormKind form,
                           int64_t launchIndex) {}
};

class LayoutBuilder {
public:
  /// Records the arrays in `layout` unless it is null.
  LayoutBuilder(ProgramOp program, LayoutVisitor &visitor,
                PoolLayout *layout = nullptr)
      : program(program), visitor(visitor), layout(layout) {}

  /// Walks the program. Fails, with a diagnostic, if a form has slots in an
  /// arena without a size. If arrays are recorded, also fails if a slot has no
  /// offset.
  llvm::LogicalResult run();

  /// The matrix that a reference names, or kNoMatrix.
  MatrixIndex lookupMatrix(RefOp ref);

  const FixedTerms &getTerms() const { return terms; }
  /// Whether the fixed bytes overflow int64. If so, the terms are not usable.
  bool hasOverflowed() const { return overflowed; }
  /// The largest arena of any form.
  int64_t getArenaBytes() const { return arenaBytes; }
  /// Top-level launches of all forms.
  int64_t getNumLaunches() const { return numLaunches; }

private:
  using Place = LaidOutArray::Place;
  using NameFunction = llvm::function_ref<std::string()>;

  void collectShared();
  void addLoop();
  llvm::LogicalResult addForm(FormOp form, unsigned formIndex);
  void addRef(RefOp ref, unsigned formIndex);
  void addBuffer(BufferOpInterface buffer);
  void addPosition(ParamOp param);
  void addScratch(LaunchOpInterface launch, int64_t launchIndex);

  void addArray(mlir::Operation *op, StorageAttr storage, NameFunction name,
                int64_t bytes, int64_t &term, int64_t tag = 0);
  void addQuantized(mlir::Operation *op, StorageAttr storage, int64_t length,
                    NameFunction name, int64_t &term);
  void addFixed(mlir::Operation *op, NameFunction name,
                std::optional<int64_t> bytes, int64_t &term, int64_t tag = 0);
  int64_t takeFixed(std::optional<int64_t> bytes, int64_t &term);

  // Called only if arrays are recorded.
  void record(std::string name, Place place, int64_t offset, int64_t bytes,
              mlir::Operation *op, ArrayKind kind = ArrayKind::Plain,
              int64_t tag = 0);
  void recordView(ViewOp view);
  std::optional<int64_t> getSlotOffset(mlir::Operation *op, StorageAttr storage,
                                       llvm::StringRef name);

  /// Indices of a buffer's arrays in the layout.
  struct Storages {
    std::optional<size_t> plain;
    /// The quants. Their scales and the second plane follow.
    std::optional<size_t> quants;
  };

  ProgramOp program;
  LayoutVisitor &visitor;
  PoolLayout *layout;
  FixedTerms terms;
  int64_t fixedBytes = 0;
  bool overflowed = false;
  int64_t arenaBytes = 0;
  int64_t numLaunches = 0;
  SharedBuffers shared;
  llvm::SmallVector<FormOp> forms;
  /// Whether the current form has slots in its arena.
  bool hasSlots = false;
  bool hasFailed = false;

  std::string formName;
  llvm::DenseMap<mlir::Operation *, Storages> storages;
  /// The constants and the state of the program, by name.
  llvm::DenseMap<mlir::StringAttr, mlir::Operation *> sharedOps;
  size_t loopPosition = 0;
  size_t batchPosition = 0;
};

} // namespace lane

#endif // LANE_LIB_ANALYSIS_LAYOUTBUILDER_H

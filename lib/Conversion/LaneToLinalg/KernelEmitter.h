//===- KernelEmitter.h - The kernel of a launch -----------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is a private function over memrefs that does the work of a launch.
// Its arguments are arrays of the launch's operands, and scratch. Launches that
// only differ in their buffers share one kernel.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_LANETOLINALG_KERNELEMITTER_H
#define LANE_LIB_CONVERSION_LANETOLINALG_KERNELEMITTER_H

#include "BlockFormats.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace lane::lanetolinalg {

/// An argument of a kernel.
struct KernelArgument {
  /// The operand whose array it is; none for scratch.
  std::optional<unsigned> operand;
  ArrayKind kind = ArrayKind::Plain;
  /// The tag of scratch.
  int64_t tag = 0;
  mlir::MemRefType type;
};

/// A buffer that a kernel reads, as rows of `columns` elements.
class Activation {
public:
  int64_t rows = 0, columns = 0;
  /// Elements of any type; null if the kernel reads the quantized storage.
  mlir::Value plain;
  /// The quantized storage. `lowQuants` is null with one-pass numerics.
  mlir::Value quants, scales, lowQuants;

  bool isQuantized() const { return bool(quants); }
  /// One element, as f32.
  mlir::Value load(KernelBuilder &b, mlir::Value row, mlir::Value column) const;
};

/// A buffer that a kernel writes, as rows of `columns` elements: its plain
/// storage, its quantized storage, or both.
class Output {
public:
  /// Returns the element of a row and a column, as f32.
  using Element = llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)>;

  int64_t rows = 0, columns = 0;
  mlir::Value plain, quants, scales, lowQuants;

  /// Writes all elements, each in any thread.
  void write(KernelBuilder &b, Element element) const;
  /// Writes `count` elements of a row, from `first` on, in one thread. If the
  /// buffer has a quantized storage, both are multiples of its block.
  void writeRange(KernelBuilder &b, mlir::Value row, mlir::Value first,
                  int64_t count, Element element) const;
  /// Whether ranges of `count` elements can be written apart.
  bool canWriteRanges(int64_t count) const;

private:
  void writeBlock(KernelBuilder &b, mlir::Value row, mlir::Value block,
                  mlir::Value values, Element element) const;
};

class KernelEmitter {
public:
  /// Emits into `function`, which has no argument yet.
  KernelEmitter(mlir::Operation *launch, FormOp form, Numerics numerics,
                mlir::func::FuncOp function);

  /// Emits the code of the launch. Fails, with a diagnostic at the launch, if
  /// it has no code.
  llvm::LogicalResult emit();

  FormOp getForm() const { return form; }
  llvm::ArrayRef<KernelArgument> getArguments() const { return arguments; }
  /// The bytes of each scratch, by its tag.
  llvm::ArrayRef<int64_t> getScratchBytes() const { return scratchBytes; }

  //===--------------------------------------------------------------------===//
  // For the code of one launch
  //===--------------------------------------------------------------------===//

  KernelBuilder b;

  /// A buffer as rows of `columns` elements. If `isProduct`, it is multiplied
  /// by a quantized matrix, and its quantized storage is read if it has one.
  Activation read(mlir::OpOperand &operand, int64_t columns,
                  bool isProduct = false);
  Output write(mlir::OpOperand &operand, int64_t columns);
  /// A buffer with its elements in one dimension, to be read and written.
  mlir::Value getElements(mlir::OpOperand &operand,
                          llvm::ArrayRef<int64_t> shape);
  /// A matrix, or a constant vector as a matrix with one row.
  MatrixReader readMatrix(mlir::OpOperand &operand);
  mlir::Value addScratch(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  /// The position of a row: one for each row, or that of the first row.
  mlir::Value loadPosition(mlir::Value positions, mlir::Value row,
                           int64_t rows);
  mlir::InFlightDiagnostic refuse();
  bool hasFailed() const { return failed; }

private:
  mlir::Value addArgument(KernelArgument argument);
  mlir::Value addArray(mlir::OpOperand &operand, ArrayKind kind,
                       llvm::ArrayRef<int64_t> shape, mlir::Type element);

  mlir::Operation *launch;
  FormOp form;
  Numerics numerics;
  mlir::func::FuncOp function;
  llvm::SmallVector<KernelArgument> arguments;
  llvm::SmallVector<int64_t> scratchBytes;
  bool failed = false;
};

/// The rows of a cache of each sequence.
struct CacheShape {
  int64_t sequences = 1, rows = 0;
};

/// The shape of a cache with rows of `columns` elements, in a form of `rows`
/// rows; none if the cache has no such rows. A row of a batch uses the cache of
/// its own sequence.
std::optional<CacheShape> getCacheShape(BufferType type, int64_t columns,
                                        int64_t rows);

/// Number of elements of a buffer or a matrix.
int64_t getLength(mlir::Value buffer);

/// The sum of the products of a row of a matrix and a row of `input`.
mlir::Value dot(KernelBuilder &b, MatrixReader &matrix, mlir::Value matrixRow,
                const Activation &input, mlir::Value inputRow);
/// An elementwise function of its inputs.
mlir::Value apply(KernelBuilder &b, ElementwiseKind kind,
                  mlir::ValueRange inputs, double factor);

// The code of each launch, in a file for each kind.
llvm::LogicalResult emitLaunch(GatherOp op, KernelEmitter &emitter);
llvm::LogicalResult emitLaunch(MatmulOp op, KernelEmitter &emitter);
llvm::LogicalResult emitLaunch(BatchMatmulOp op, KernelEmitter &emitter);
llvm::LogicalResult emitLaunch(MoeOp op, KernelEmitter &emitter);
llvm::LogicalResult emitLaunch(NormOp op, KernelEmitter &emitter);
llvm::LogicalResult emitLaunch(RopeOp op, KernelEmitter &emitter);
llvm::LogicalResult emitLaunch(AttentionOp op, KernelEmitter &emitter);
llvm::LogicalResult emitLaunch(ElementwiseOp op, KernelEmitter &emitter);
llvm::LogicalResult emitLaunch(CopyOp op, KernelEmitter &emitter);
llvm::LogicalResult emitLaunch(SampleOp op, KernelEmitter &emitter);
llvm::LogicalResult emitLaunch(SplitOp op, KernelEmitter &emitter);
llvm::LogicalResult emitLaunch(JoinOp op, KernelEmitter &emitter);

} // namespace lane::lanetolinalg

#endif // LANE_LIB_CONVERSION_LANETOLINALG_KERNELEMITTER_H

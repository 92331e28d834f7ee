//===- KernelBuilder.h - Loops and arithmetic of kernels --------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the body of a kernel: loops, and arithmetic on f32, i32 and index.
// Parallel loops are what a GPU runs in threads; other loops run in a thread.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_LANETOLINALG_KERNELBUILDER_H
#define LANE_LIB_CONVERSION_LANETOLINALG_KERNELBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace lane::lanetolinalg {

class KernelBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  using Values = llvm::SmallVector<Value, 4>;
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  //===--------------------------------------------------------------------===//
  // Constants and types
  //===--------------------------------------------------------------------===//

  Value index(int64_t value);
  Value integer(int64_t value);
  Value number(double value);
  Value toIndex(Value integer);
  Value toInteger(Value index);
  /// An integer or a float of any width, as f32. Integers are signed.
  Value toNumber(Value value);
  /// An f32 as a float of `type`, rounded to nearest even.
  Value fromNumber(Value number, mlir::Type type);

  //===--------------------------------------------------------------------===//
  // Arithmetic on two f32, two i32 or two index
  //===--------------------------------------------------------------------===//

  Value add(Value lhs, Value rhs);
  /// A sum of f32 whose terms the compiler may reorder, to add several at once.
  Value addInAnyOrder(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  /// Signed division and remainder of integers, which are not negative, or
  /// division of f32.
  Value div(Value lhs, Value rhs);
  Value rem(Value lhs, Value rhs);
  Value div(Value lhs, int64_t rhs);
  Value rem(Value lhs, int64_t rhs);
  Value add(Value lhs, int64_t rhs);
  Value mul(Value lhs, int64_t rhs);
  Value max(Value lhs, Value rhs);
  Value min(Value lhs, Value rhs);
  Value exp(Value number);
  /// 1 / (1 + exp(-x)).
  Value sigmoid(Value number);
  /// Whether `lhs` is less than `rhs`.
  Value isLess(Value lhs, Value rhs);
  Value isEqual(Value lhs, Value rhs);
  Value select(Value condition, Value ifTrue, Value ifFalse);
  /// Bits of an i32: `(value >> shift) & mask`.
  Value bits(Value value, Value shift, int64_t mask);
  Value bits(Value value, int64_t shift, int64_t mask);
  Value bitOr(Value lhs, Value rhs);
  Value shiftLeft(Value value, int64_t shift);

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  Value load(Value memref, ValueRange indices);
  void store(Value value, Value memref, ValueRange indices);
  /// `length` f32 on the stack of a thread, in a parallel loop.
  Value stackArray(int64_t length);

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  /// A parallel loop over all indices below `sizes`. Its body may allocate on
  /// the stack of a thread.
  void parallel(llvm::ArrayRef<int64_t> sizes,
                llvm::function_ref<void(ValueRange)> body);
  /// A loop from `first` up to, but not including, `end`.
  void loop(Value first, Value end, llvm::function_ref<void(Value)> body);
  void loop(int64_t end, llvm::function_ref<void(Value)> body);
  /// The same, with values that each iteration replaces. Returns the last ones.
  Values reduce(Value first, Value end, ValueRange init,
                llvm::function_ref<Values(Value, ValueRange)> body);
  Value sum(int64_t end, Value init, llvm::function_ref<Value(Value)> term);
  /// Runs `body` if the condition holds.
  void runIf(Value condition, llvm::function_ref<void()> body);
};

} // namespace lane::lanetolinalg

#endif // LANE_LIB_CONVERSION_LANETOLINALG_KERNELBUILDER_H

//===- KernelBuilder.cpp - Loops and arithmetic of kernels ----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace lane::lanetolinalg;

//===----------------------------------------------------------------------===//
// Constants and types
//===----------------------------------------------------------------------===//

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(*this, value);
}

Value KernelBuilder::integer(int64_t value) {
  return arith::ConstantIntOp::create(*this, value, 32);
}

Value KernelBuilder::number(double value) {
  return arith::ConstantFloatOp::create(*this, getF32Type(),
                                        llvm::APFloat(float(value)));
}

Value KernelBuilder::toIndex(Value integer) {
  return arith::IndexCastOp::create(*this, getIndexType(), integer);
}

Value KernelBuilder::toInteger(Value index) {
  return arith::IndexCastOp::create(*this, getI32Type(), index);
}

Value KernelBuilder::toNumber(Value value) {
  Type type = value.getType();
  if (isa<IntegerType>(type))
    return arith::SIToFPOp::create(*this, getF32Type(), value);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 32)
    return arith::ExtFOp::create(*this, getF32Type(), value);
  if (width > 32)
    return arith::TruncFOp::create(*this, getF32Type(), value);
  return value;
}

Value KernelBuilder::fromNumber(Value number, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 32)
    return arith::TruncFOp::create(*this, type, number);
  if (width > 32)
    return arith::ExtFOp::create(*this, type, number);
  return number;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static bool isNumber(Value value) { return isa<FloatType>(value.getType()); }

/// Operations on f32 or on integers.
template <typename FloatOp, typename IntegerOp>
static Value applyOp(KernelBuilder &builder, Value lhs, Value rhs) {
  if (isNumber(lhs))
    return FloatOp::create(builder, lhs, rhs);
  return IntegerOp::create(builder, lhs, rhs);
}

Value KernelBuilder::add(Value lhs, Value rhs) {
  return applyOp<arith::AddFOp, arith::AddIOp>(*this, lhs, rhs);
}
Value KernelBuilder::addInAnyOrder(Value lhs, Value rhs) {
  return arith::AddFOp::create(*this, lhs, rhs, arith::FastMathFlags::reassoc);
}
Value KernelBuilder::sub(Value lhs, Value rhs) {
  return applyOp<arith::SubFOp, arith::SubIOp>(*this, lhs, rhs);
}
Value KernelBuilder::mul(Value lhs, Value rhs) {
  return applyOp<arith::MulFOp, arith::MulIOp>(*this, lhs, rhs);
}
Value KernelBuilder::div(Value lhs, Value rhs) {
  return applyOp<arith::DivFOp, arith::DivUIOp>(*this, lhs, rhs);
}
Value KernelBuilder::rem(Value lhs, Value rhs) {
  return arith::RemUIOp::create(*this, lhs, rhs);
}

/// A constant of the type of `like`, which is not a float.
static Value like(KernelBuilder &builder, Value like, int64_t value) {
  return isa<IndexType>(like.getType()) ? builder.index(value)
                                        : builder.integer(value);
}

Value KernelBuilder::div(Value lhs, int64_t rhs) {
  return div(lhs, like(*this, lhs, rhs));
}
Value KernelBuilder::rem(Value lhs, int64_t rhs) {
  return rem(lhs, like(*this, lhs, rhs));
}
Value KernelBuilder::add(Value lhs, int64_t rhs) {
  return add(lhs, like(*this, lhs, rhs));
}
Value KernelBuilder::mul(Value lhs, int64_t rhs) {
  return mul(lhs, like(*this, lhs, rhs));
}

Value KernelBuilder::max(Value lhs, Value rhs) {
  return applyOp<arith::MaximumFOp, arith::MaxSIOp>(*this, lhs, rhs);
}
Value KernelBuilder::min(Value lhs, Value rhs) {
  return applyOp<arith::MinimumFOp, arith::MinSIOp>(*this, lhs, rhs);
}

Value KernelBuilder::exp(Value number) {
  return math::ExpOp::create(*this, number);
}

Value KernelBuilder::sigmoid(Value x) {
  Value negated = arith::NegFOp::create(*this, x);
  return div(number(1), add(number(1), exp(negated)));
}

Value KernelBuilder::isLess(Value lhs, Value rhs) {
  if (isNumber(lhs))
    return arith::CmpFOp::create(*this, arith::CmpFPredicate::OLT, lhs, rhs);
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::slt, lhs, rhs);
}

Value KernelBuilder::isEqual(Value lhs, Value rhs) {
  if (isNumber(lhs))
    return arith::CmpFOp::create(*this, arith::CmpFPredicate::OEQ, lhs, rhs);
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::eq, lhs, rhs);
}

Value KernelBuilder::select(Value condition, Value ifTrue, Value ifFalse) {
  return arith::SelectOp::create(*this, condition, ifTrue, ifFalse);
}

Value KernelBuilder::bits(Value value, Value shift, int64_t mask) {
  Value shifted = arith::ShRUIOp::create(*this, value, shift);
  return arith::AndIOp::create(*this, shifted, integer(mask));
}

Value KernelBuilder::bits(Value value, int64_t shift, int64_t mask) {
  return bits(value, integer(shift), mask);
}

Value KernelBuilder::bitOr(Value lhs, Value rhs) {
  return arith::OrIOp::create(*this, lhs, rhs);
}

Value KernelBuilder::shiftLeft(Value value, int64_t shift) {
  return arith::ShLIOp::create(*this, value, integer(shift));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value KernelBuilder::load(Value memref, ValueRange indices) {
  return memref::LoadOp::create(*this, memref, indices);
}

void KernelBuilder::store(Value value, Value memref, ValueRange indices) {
  memref::StoreOp::create(*this, value, memref, indices);
}

Value KernelBuilder::stackArray(int64_t length) {
  return memref::AllocaOp::create(*this,
                                  MemRefType::get({length}, getF32Type()));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void KernelBuilder::parallel(ArrayRef<int64_t> sizes,
                             function_ref<void(ValueRange)> body) {
  Values first, end, step;
  for (int64_t size : sizes) {
    first.push_back(index(0));
    end.push_back(index(size));
    step.push_back(index(1));
  }
  auto loop = scf::ParallelOp::create(*this, first, end, step);
  InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVars());
}

void KernelBuilder::loop(Value first, Value end,
                         function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(*this, first, end, index(1));
  InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void KernelBuilder::loop(int64_t end, function_ref<void(Value)> body) {
  loop(index(0), index(end), body);
}

KernelBuilder::Values
KernelBuilder::reduce(Value first, Value end, ValueRange init,
                      function_ref<Values(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(*this, first, end, index(1), init);
  InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(*this,
                       body(loop.getInductionVar(), loop.getRegionIterArgs()));
  return Values(loop.getResults());
}

Value KernelBuilder::sum(int64_t end, Value init,
                         function_ref<Value(Value)> term) {
  return reduce(index(0), index(end), init,
                [&](Value i, ValueRange total) -> Values {
                  return {add(total.front(), term(i))};
                })
      .front();
}

void KernelBuilder::runIf(Value condition, function_ref<void()> body) {
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  body();
}

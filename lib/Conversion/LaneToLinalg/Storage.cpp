//===- Storage.cpp - Buffers that kernels read and write ------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The quantized storage of a buffer: an element is
// `scale * (quant + low_quant / 256)`. The scale of a block is its largest
// absolute value over 127, as in ggml's q8_0 but in f32. Quants are rounded to
// the nearest integer, halves away from zero.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "lane/Support/Bytes.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace lane;
using namespace lane::lanetolinalg;

static constexpr double kLargestQuant = 127, kLowQuantSteps = 256;

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

Value Activation::load(KernelBuilder &b, Value row, Value column) const {
  if (plain)
    return b.toNumber(b.load(plain, {row, column}));
  Value value = b.toNumber(b.load(quants, {row, column}));
  if (lowQuants)
    value = b.add(value, b.mul(b.toNumber(b.load(lowQuants, {row, column})),
                               b.number(1 / kLowQuantSteps)));
  Value block = b.div(column, kQuantizationBlockElements);
  return b.mul(b.load(scales, {row, block}), value);
}

/// The sum of products with the quants of a group, and with 1.
static std::pair<Value, Value> sumQuants(KernelBuilder &b, const Group &group,
                                         Value plane, Value row, Value start,
                                         int64_t elements) {
  Value zero = b.integer(0);
  KernelBuilder::Values init = {zero};
  if (group.offset)
    init.push_back(zero);
  auto sums =
      b.reduce(b.index(0), b.index(elements), init,
               [&](Value i, ValueRange totals) -> KernelBuilder::Values {
                 Value quant = arith::ExtSIOp::create(
                     b, b.getI32Type(), b.load(plane, {row, b.add(start, i)}));
                 KernelBuilder::Values next = {
                     b.add(totals[0], b.mul(quant, group.quant(i)))};
                 if (group.offset)
                   next.push_back(b.add(totals[1], quant));
                 return next;
               });
  Value products = b.toNumber(sums[0]);
  return {products, group.offset ? b.toNumber(sums[1]) : Value()};
}

/// The dot product of a group with 8-bit quants: sums of integers, so that only
/// one product of scales is rounded.
static Value dotQuants(KernelBuilder &b, const Group &group,
                       const Activation &input, Value row, Value start,
                       int64_t elements) {
  auto [products, total] =
      sumQuants(b, group, input.quants, row, start, elements);
  if (input.lowQuants) {
    auto [lowProducts, lowTotal] =
        sumQuants(b, group, input.lowQuants, row, start, elements);
    Value step = b.number(1 / kLowQuantSteps);
    products = b.add(products, b.mul(lowProducts, step));
    if (total)
      total = b.add(total, b.mul(lowTotal, step));
  }
  Value value = b.mul(group.scale, products);
  if (total)
    value = b.add(value, b.mul(group.offset, total));
  Value block = b.div(start, kQuantizationBlockElements);
  return b.mul(b.load(input.scales, {row, block}), value);
}

/// The dot product of a group with elements of any type.
static Value dotElements(KernelBuilder &b, const Group &group,
                         const Activation &input, Value row, Value start,
                         int64_t elements) {
  Value zero = b.number(0);
  KernelBuilder::Values init = {zero};
  if (group.offset)
    init.push_back(zero);
  auto sums = b.reduce(
      b.index(0), b.index(elements), init,
      [&](Value i, ValueRange totals) -> KernelBuilder::Values {
        Value value = input.load(b, row, b.add(start, i));
        Value product = b.mul(value, b.toNumber(group.quant(i)));
        KernelBuilder::Values next = {b.addInAnyOrder(totals[0], product)};
        if (group.offset)
          next.push_back(b.addInAnyOrder(totals[1], value));
        return next;
      });
  Value result = group.scale ? b.mul(group.scale, sums[0]) : sums[0];
  return group.offset ? b.add(result, b.mul(group.offset, sums[1])) : result;
}

Value lanetolinalg::dot(KernelBuilder &b, MatrixReader &matrix, Value matrixRow,
                        const Activation &input, Value inputRow) {
  int64_t elements = matrix.getGroupElements();
  return b.sum(matrix.getNumGroups(), b.number(0), [&](Value index) {
    Group group = matrix.load(matrixRow, index);
    Value start = b.mul(index, elements);
    return input.isQuantized() && matrix.isQuantized()
               ? dotQuants(b, group, input, inputRow, start, elements)
               : dotElements(b, group, input, inputRow, start, elements);
  });
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

/// Rounds to the nearest integer, halves away from zero.
static Value roundToInteger(KernelBuilder &b, Value number) {
  Value half = math::CopySignOp::create(b, b.number(0.5), number);
  return arith::FPToSIOp::create(b, b.getI32Type(), b.add(number, half));
}

static Value toByte(KernelBuilder &b, Value integer) {
  return arith::TruncIOp::create(b, b.getI8Type(), integer);
}

/// Quantizes the block of 32 `values`.
static void quantize(KernelBuilder &b, const Output &output, Value values,
                     Value row, Value block) {
  Value largest =
      b.reduce(b.index(0), b.index(kQuantizationBlockElements), b.number(0),
               [&](Value i, ValueRange most) -> KernelBuilder::Values {
                 Value magnitude = math::AbsFOp::create(b, b.load(values, {i}));
                 return {b.max(most.front(), magnitude)};
               })
          .front();
  Value scale = b.mul(largest, b.number(1 / kLargestQuant));
  b.store(scale, output.scales, {row, block});
  Value zero = b.number(0);
  Value inverse =
      b.select(b.isEqual(scale, zero), zero, b.div(b.number(1), scale));
  Value start = b.mul(block, kQuantizationBlockElements);
  b.loop(kQuantizationBlockElements, [&](Value i) {
    Value column = b.add(start, i);
    Value scaled = b.mul(b.load(values, {i}), inverse);
    Value quant = roundToInteger(b, scaled);
    b.store(toByte(b, quant), output.quants, {row, column});
    if (!output.lowQuants)
      return;
    Value rest =
        b.mul(b.sub(scaled, b.toNumber(quant)), b.number(kLowQuantSteps));
    Value low = b.min(roundToInteger(b, rest), b.integer(127));
    b.store(toByte(b, low), output.lowQuants, {row, column});
  });
}

void Output::writeBlock(KernelBuilder &b, Value row, Value block, Value values,
                        Element element) const {
  Value start = b.mul(block, kQuantizationBlockElements);
  b.loop(kQuantizationBlockElements, [&](Value i) {
    Value column = b.add(start, i);
    Value value = element(row, column);
    b.store(value, values, {i});
    if (plain)
      b.store(b.fromNumber(value, getElementTypeOrSelf(plain.getType())), plain,
              {row, column});
  });
  quantize(b, *this, values, row, block);
}

void Output::write(KernelBuilder &b, Element element) const {
  if (!quants) {
    Type type = getElementTypeOrSelf(plain.getType());
    b.parallel({rows, columns}, [&](ValueRange at) {
      b.store(b.fromNumber(element(at[0], at[1]), type), plain, at);
    });
    return;
  }
  b.parallel({rows, columns / kQuantizationBlockElements}, [&](ValueRange at) {
    Value values = b.stackArray(kQuantizationBlockElements);
    writeBlock(b, at[0], at[1], values, element);
  });
}

bool Output::canWriteRanges(int64_t count) const {
  return !quants || count % kQuantizationBlockElements == 0;
}

void Output::writeRange(KernelBuilder &b, Value row, Value first, int64_t count,
                        Element element) const {
  if (!quants) {
    Type type = getElementTypeOrSelf(plain.getType());
    b.loop(count, [&](Value i) {
      Value column = b.add(first, i);
      b.store(b.fromNumber(element(row, column), type), plain, {row, column});
    });
    return;
  }
  Value values = b.stackArray(kQuantizationBlockElements);
  Value firstBlock = b.div(first, kQuantizationBlockElements);
  b.loop(count / kQuantizationBlockElements, [&](Value i) {
    writeBlock(b, row, b.add(firstBlock, i), values, element);
  });
}

//===- BlockFormats.cpp - Elements of a matrix ----------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockFormats.h"
#include "lane/Support/Bytes.h"

using namespace mlir;
using namespace lane;
using namespace lane::lanetolinalg;

namespace {

/// The bytes of one block.
class BlockReader {
public:
  BlockReader(KernelBuilder &builder, Value bytes, Value row, Value start)
      : builder(builder), bytes(bytes), row(row), start(start) {}

  /// The byte at `offset`, as an i32 without its sign.
  Value byte(Value offset) const {
    Value value = builder.load(bytes, {row, builder.add(start, offset)});
    return arith::ExtUIOp::create(builder, builder.getI32Type(), value);
  }
  Value byte(int64_t offset) const { return byte(builder.index(offset)); }
  Value signedByte(Value offset) const {
    Value value = builder.load(bytes, {row, builder.add(start, offset)});
    return arith::ExtSIOp::create(builder, builder.getI32Type(), value);
  }
  Value word(Value offset) const {
    return builder.bitOr(byte(offset),
                         builder.shiftLeft(byte(builder.add(offset, 1)), 8));
  }
  /// The fp16 at `offset`, as f32.
  Value half(int64_t offset) const {
    Value bits = arith::TruncIOp::create(builder, builder.getI16Type(),
                                         word(builder.index(offset)));
    return builder.toNumber(
        arith::BitcastOp::create(builder, builder.getF16Type(), bits));
  }

private:
  KernelBuilder &builder;
  Value bytes, row, start;
};

/// Reads the groups of one format. `group` is the index of a group in its
/// block.
using LoadGroup = Group (*)(KernelBuilder &builder, BlockReader block,
                            Value group);

struct BlockFormat {
  NumberFormat format;
  int64_t groupElements;
  LoadGroup load;
};

} // namespace

//===----------------------------------------------------------------------===//
// Blocks of 32: 16 bytes have the low bits of the first and the last 16
// elements.
//===----------------------------------------------------------------------===//

/// The 4 bits of element `i` of 32, in 16 bytes from `offset` on.
static Value loadNibble(KernelBuilder &b, const BlockReader &block, Value i,
                        Value offset) {
  Value byte = block.byte(b.add(offset, b.rem(i, 16)));
  Value shift = b.toInteger(b.mul(b.div(i, 16), 4));
  return b.bits(byte, shift, 15);
}

/// Bit `i` of 32 bits that start at the byte `offset`.
static Value loadBit(KernelBuilder &b, const BlockReader &block, Value i,
                     int64_t offset) {
  Value byte = block.byte(b.add(b.div(i, 8), offset));
  return b.bits(byte, b.toInteger(b.rem(i, 8)), 1);
}

/// Five bits of element `i`: four of `nibbles`, and one of `high`.
static Value loadFiveBits(KernelBuilder &b, const BlockReader &block, Value i,
                          int64_t nibbles, int64_t high) {
  return b.bitOr(loadNibble(b, block, i, b.index(nibbles)),
                 b.shiftLeft(loadBit(b, block, i, high), 4));
}

static Group loadQ4_0(KernelBuilder &b, BlockReader block, Value) {
  return {block.half(0), Value(), [&b, block](Value i) {
            return b.add(loadNibble(b, block, i, b.index(2)), -8);
          }};
}

static Group loadQ4_1(KernelBuilder &b, BlockReader block, Value) {
  return {block.half(0), block.half(2),
          [&b, block](Value i) { return loadNibble(b, block, i, b.index(4)); }};
}

static Group loadQ5_0(KernelBuilder &b, BlockReader block, Value) {
  return {block.half(0), Value(), [&b, block](Value i) {
            return b.add(loadFiveBits(b, block, i, 6, 2), -16);
          }};
}

static Group loadQ5_1(KernelBuilder &b, BlockReader block, Value) {
  return {block.half(0), block.half(2),
          [&b, block](Value i) { return loadFiveBits(b, block, i, 8, 4); }};
}

/// Element `index`, an i32 below 16, of a table of bytes.
static Value lookUp(KernelBuilder &b, ArrayRef<int8_t> table, Value index) {
  auto pack = [&](ArrayRef<int8_t> bytes) -> Value {
    uint64_t packed = 0;
    for (auto [i, value] : llvm::enumerate(bytes))
      packed |= uint64_t(uint8_t(value)) << (8 * i);
    return arith::ConstantIntOp::create(b, int64_t(packed), 64);
  };
  Value isHigh = b.isEqual(b.bits(index, 3, 1), b.integer(1));
  Value half =
      b.select(isHigh, pack(table.drop_front(8)), pack(table.take_front(8)));
  Value shift = arith::ExtUIOp::create(b, b.getI64Type(),
                                       b.mul(b.bits(index, int64_t(0), 7), 8));
  Value shifted = arith::ShRUIOp::create(b, half, shift);
  Value byte = arith::TruncIOp::create(b, b.getI8Type(), shifted);
  return arith::ExtSIOp::create(b, b.getI32Type(), byte);
}

static constexpr int8_t kNonLinear[16] = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
/// Twice the values of e2m1.
static constexpr int8_t kE2M1[16] = {0, 1,  2,  3,  4,  6,  8,  12,
                                     0, -1, -2, -3, -4, -6, -8, -12};

static Group loadIQ4_NL(KernelBuilder &b, BlockReader block, Value) {
  return {block.half(0), Value(), [&b, block](Value i) {
            return lookUp(b, kNonLinear, loadNibble(b, block, i, b.index(2)));
          }};
}

/// The scale is half of 2^(e - 127), as the table has twice the values.
static Group loadMXFP4(KernelBuilder &b, BlockReader block, Value) {
  Value exponent = block.byte(int64_t(0));
  Value normal = b.shiftLeft(b.add(exponent, -1), 23);
  Value denormal = arith::ShLIOp::create(b, b.integer(0x00200000), exponent);
  Value bits = b.select(b.isLess(exponent, b.integer(2)), denormal, normal);
  Value scale = arith::BitcastOp::create(b, b.getF32Type(), bits);
  return {scale, Value(), [&b, block](Value i) {
            return lookUp(b, kE2M1, loadNibble(b, block, i, b.index(1)));
          }};
}

//===----------------------------------------------------------------------===//
// Blocks of 256
//===----------------------------------------------------------------------===//

/// `-scale * step` as f32: the offset of a group with a minimum.
static Value makeOffset(KernelBuilder &b, Value scale, Value step) {
  return b.mul(arith::NegFOp::create(b, scale), b.toNumber(step));
}

/// A group of 16 is one half of 32 elements. Four such share 32 bytes: the
/// 128 elements that it is in, the pair of bits or nibble, and the half.
struct Sixteen {
  Value part, pair, half;
};

static Sixteen splitSixteen(KernelBuilder &b, Value group) {
  return {b.div(group, 8), b.div(b.rem(group, 8), 2), b.rem(group, 2)};
}

static Group loadQ2_K(KernelBuilder &b, BlockReader block, Value group) {
  Sixteen at = splitSixteen(b, group);
  Value steps = block.byte(group);
  Value scale =
      b.mul(block.half(80), b.toNumber(b.bits(steps, int64_t(0), 15)));
  Value offset = makeOffset(b, block.half(82), b.bits(steps, 4, 15));
  Value start =
      b.add(b.add(b.mul(at.part, 32), b.mul(at.half, 16)), int64_t(16));
  Value shift = b.toInteger(b.mul(at.pair, 2));
  return {scale, offset, [&b, block, start, shift](Value i) {
            return b.bits(block.byte(b.add(start, i)), shift, 3);
          }};
}

static Group loadQ3_K(KernelBuilder &b, BlockReader block, Value group) {
  Sixteen at = splitSixteen(b, group);
  Value isHigh = b.toInteger(b.div(group, 8));
  Value low = b.bits(block.byte(b.add(b.rem(group, 8), int64_t(96))),
                     b.mul(isHigh, 4), 15);
  Value high = b.bits(block.byte(b.add(b.rem(group, 4), int64_t(104))),
                      b.toInteger(b.mul(b.div(group, 4), 2)), 3);
  Value step = b.add(b.bitOr(low, b.shiftLeft(high, 4)), -32);
  Value scale = b.mul(block.half(108), b.toNumber(step));
  Value inPart = b.mul(at.half, 16);
  Value start = b.add(b.add(b.mul(at.part, 32), inPart), int64_t(32));
  Value shift = b.toInteger(b.mul(at.pair, 2));
  Value bit = b.toInteger(b.add(b.mul(at.part, 4), at.pair));
  return {scale, Value(), [&b, block, start, inPart, shift, bit](Value i) {
            Value low = b.bits(block.byte(b.add(start, i)), shift, 3);
            Value high = b.bits(block.byte(b.add(inPart, i)), bit, 1);
            return b.add(b.bitOr(low, b.shiftLeft(high, 2)), -4);
          }};
}

/// The 6-bit scale and minimum of a group of 32 in q4_K and q5_K, whose 12
/// bytes start at byte 4.
static std::pair<Value, Value>
loadSteps(KernelBuilder &b, const BlockReader &block, Value group) {
  auto byte = [&](Value index, int64_t offset) {
    return block.byte(b.add(index, 4 + offset));
  };
  // Reads of the other case must stay in the block.
  Value inFirst = b.rem(group, 4);
  Value low = byte(inFirst, 0), middle = byte(inFirst, 4),
        high = byte(inFirst, 8);
  Value isFirst = b.isLess(group, b.index(4));
  auto join = [&](int64_t shift, Value first) {
    return b.bitOr(b.bits(high, shift, 15),
                   b.shiftLeft(b.bits(first, 6, 3), 4));
  };
  return {b.select(isFirst, b.bits(low, int64_t(0), 63), join(0, low)),
          b.select(isFirst, b.bits(middle, int64_t(0), 63), join(4, middle))};
}

/// The 4 bits of element `i` of a group of 32: two groups share 32 bytes.
static Value loadPairNibble(KernelBuilder &b, const BlockReader &block,
                            Value group, Value i, int64_t offset) {
  Value byte = block.byte(b.add(b.add(b.mul(b.div(group, 2), 32), i), offset));
  return b.bits(byte, b.toInteger(b.mul(b.rem(group, 2), 4)), 15);
}

static Group loadQ4_K(KernelBuilder &b, BlockReader block, Value group) {
  auto [scale, minimum] = loadSteps(b, block, group);
  return {b.mul(block.half(0), b.toNumber(scale)),
          makeOffset(b, block.half(2), minimum), [&b, block, group](Value i) {
            return loadPairNibble(b, block, group, i, 16);
          }};
}

static Group loadQ5_K(KernelBuilder &b, BlockReader block, Value group) {
  auto [scale, minimum] = loadSteps(b, block, group);
  return {b.mul(block.half(0), b.toNumber(scale)),
          makeOffset(b, block.half(2), minimum), [&b, block, group](Value i) {
            Value high =
                b.bits(block.byte(b.add(i, 16)), b.toInteger(group), 1);
            return b.bitOr(loadPairNibble(b, block, group, i, 48),
                           b.shiftLeft(high, 4));
          }};
}

static Group loadQ6_K(KernelBuilder &b, BlockReader block, Value group) {
  Sixteen at = splitSixteen(b, group);
  Value scale = b.mul(block.half(208),
                      b.toNumber(block.signedByte(b.add(group, int64_t(192)))));
  Value inPart = b.mul(at.half, 16);
  Value lowStart =
      b.add(b.add(b.mul(at.part, 64), b.mul(b.rem(at.pair, 2), 32)), inPart);
  Value highStart = b.add(b.add(b.mul(at.part, 32), inPart), int64_t(128));
  Value lowShift = b.toInteger(b.mul(b.div(at.pair, 2), 4));
  Value highShift = b.toInteger(b.mul(at.pair, 2));
  return {scale, Value(),
          [&b, block, lowStart, highStart, lowShift, highShift](Value i) {
            Value low = b.bits(block.byte(b.add(lowStart, i)), lowShift, 15);
            Value high = b.bits(block.byte(b.add(highStart, i)), highShift, 3);
            return b.add(b.bitOr(low, b.shiftLeft(high, 4)), -32);
          }};
}

static Group loadIQ4_XS(KernelBuilder &b, BlockReader block, Value group) {
  Value low = b.bits(block.byte(b.add(b.div(group, 2), int64_t(4))),
                     b.toInteger(b.mul(b.rem(group, 2), 4)), 15);
  Value high = b.bits(block.word(b.index(2)), b.toInteger(b.mul(group, 2)), 3);
  Value step = b.add(b.bitOr(low, b.shiftLeft(high, 4)), -32);
  Value start = b.add(b.mul(group, 16), int64_t(8));
  return {b.mul(block.half(0), b.toNumber(step)), Value(),
          [&b, block, start](Value i) {
            return lookUp(b, kNonLinear, loadNibble(b, block, i, start));
          }};
}

//===----------------------------------------------------------------------===//
// MatrixReader
//===----------------------------------------------------------------------===//

static constexpr BlockFormat kBlockFormats[] = {
    {NumberFormat::Q4_0, 32, loadQ4_0},
    {NumberFormat::Q4_1, 32, loadQ4_1},
    {NumberFormat::Q5_0, 32, loadQ5_0},
    {NumberFormat::Q5_1, 32, loadQ5_1},
    {NumberFormat::Q2_K, 16, loadQ2_K},
    {NumberFormat::Q3_K, 16, loadQ3_K},
    {NumberFormat::Q4_K, 32, loadQ4_K},
    {NumberFormat::Q5_K, 32, loadQ5_K},
    {NumberFormat::Q6_K, 16, loadQ6_K},
    {NumberFormat::IQ4_NL, 32, loadIQ4_NL},
    {NumberFormat::IQ4_XS, 32, loadIQ4_XS},
    {NumberFormat::MXFP4, 32, loadMXFP4}};

static const BlockFormat *lookupFormat(NumberFormat format) {
  const auto *found =
      llvm::find_if(kBlockFormats, [&](const BlockFormat &known) {
        return known.format == format;
      });
  return found == std::end(kBlockFormats) ? nullptr : found;
}

/// The element type of a format of floats; null for other formats.
static Type getFloatType(MLIRContext *ctx, NumberFormat format) {
  switch (format) {
  case NumberFormat::F32:
    return Float32Type::get(ctx);
  case NumberFormat::F16:
    return Float16Type::get(ctx);
  case NumberFormat::BF16:
    return BFloat16Type::get(ctx);
  case NumberFormat::F64:
    return Float64Type::get(ctx);
  default:
    return {};
  }
}

SmallVector<MatrixArray, 2> lanetolinalg::getMatrixArrays(MatrixType type) {
  MLIRContext *ctx = type.getContext();
  int64_t rows = type.getNumRows(), columns = type.getNumColumns();
  Type byte = IntegerType::get(ctx, 8);
  if (type.getFormat() == NumberFormat::Q8_0)
    return {{ArrayKind::Quants, MemRefType::get({rows, columns}, byte)},
            {ArrayKind::Scales,
             MemRefType::get({rows, columns / kQuantizationBlockElements},
                             Float16Type::get(ctx))}};
  if (Type element = getFloatType(ctx, type.getFormat()))
    return {{ArrayKind::Plain, MemRefType::get({rows, columns}, element)}};
  if (lookupFormat(type.getFormat()))
    return {
        {ArrayKind::Plain, MemRefType::get({rows, type.getRowBytes()}, byte)}};
  return {};
}

bool MatrixReader::isQuantized() const {
  return !getFloatType(type.getContext(), type.getFormat());
}

int64_t MatrixReader::getGroupElements() const {
  if (!isQuantized())
    return type.getNumColumns();
  const BlockFormat *format = lookupFormat(type.getFormat());
  return format ? format->groupElements : kQuantizationBlockElements;
}

Group MatrixReader::load(Value row, Value group) {
  KernelBuilder &b = builder;
  if (!isQuantized()) {
    Value elements = arrays.front();
    return {Value(), Value(), [&b, elements, row](Value i) {
              return b.toNumber(b.load(elements, {row, i}));
            }};
  }
  if (type.getFormat() == NumberFormat::Q8_0) {
    Value quants = arrays[0];
    Value start = b.mul(group, kQuantizationBlockElements);
    return {b.toNumber(b.load(arrays[1], {row, group})), Value(),
            [&b, quants, row, start](Value i) -> Value {
              Value quant = b.load(quants, {row, b.add(start, i)});
              return arith::ExtSIOp::create(b, b.getI32Type(), quant);
            }};
  }
  const BlockFormat *format = lookupFormat(type.getFormat());
  int64_t blockElements = getBlockElements(type.getFormat());
  int64_t groups = blockElements / format->groupElements;
  int64_t blockBytes =
      type.getRowBytes() / (type.getNumColumns() / blockElements);
  BlockReader block(b, arrays.front(), row,
                    b.mul(b.div(group, groups), blockBytes));
  return format->load(b, block, b.rem(group, groups));
}

Value MatrixReader::loadElement(Value row, Value column) {
  KernelBuilder &b = builder;
  if (!isQuantized())
    return load(row, b.index(0)).quant(column);
  int64_t elements = getGroupElements();
  Group group = load(row, b.div(column, elements));
  Value value =
      b.mul(group.scale, b.toNumber(group.quant(b.rem(column, elements))));
  return group.offset ? b.add(value, group.offset) : value;
}

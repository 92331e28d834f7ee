//===- LaneTypes.cpp - Types of the lane dialect --------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Support/Bytes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lane;

#define GET_TYPEDEF_CLASSES
#include "lane/Dialect/Lane/IR/LaneTypes.cpp.inc"

void LaneDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "lane/Dialect/Lane/IR/LaneTypes.cpp.inc"
      >();
}

/// The product of `shape`, or none if it overflows int64_t.
static std::optional<int64_t> getNumElements(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t dim : shape) {
    std::optional<int64_t> next = checkedMulBytes(product, dim);
    if (!next)
      return std::nullopt;
    product = *next;
  }
  return product;
}

/// Sum of `parts`, each aligned to the pool; none if it overflows int64_t.
static std::optional<int64_t>
sumAligned(ArrayRef<std::optional<int64_t>> parts) {
  int64_t sum = 0;
  for (std::optional<int64_t> part : parts) {
    std::optional<int64_t> padded = part ? alignToPool(*part) : std::nullopt;
    std::optional<int64_t> next =
        padded ? checkedAddBytes(sum, *padded) : std::nullopt;
    if (!next)
      return std::nullopt;
    sum = *next;
  }
  return sum;
}

SmallVector<int64_t, 3> lane::getQuantizedArrayBytes(int64_t length,
                                                     Numerics numerics) {
  int64_t scales = length / kQuantizationBlockElements * 4;
  if (numerics == Numerics::TwoPass)
    return {length, scales, length};
  return {length, scales};
}

static std::optional<int64_t> computeQuantizedPoolBytes(int64_t length,
                                                        Numerics numerics) {
  return sumAligned(llvm::to_vector_of<std::optional<int64_t>>(
      getQuantizedArrayBytes(length, numerics)));
}

//===----------------------------------------------------------------------===//
// BlockType
//===----------------------------------------------------------------------===//

Type BlockType::parse(AsmParser &parser) {
  StringRef keyword;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<NumberFormat> format = symbolizeNumberFormat(keyword);
  if (!format) {
    parser.emitError(loc) << "'" << keyword << "' is not a number format";
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<BlockType>(loc, parser.getContext(), *format);
}

void BlockType::print(AsmPrinter &printer) const {
  printer << '<' << stringifyNumberFormat(getFormat()) << '>';
}

LogicalResult BlockType::verify(function_ref<InFlightDiagnostic()> emitError,
                                NumberFormat format) {
  if (lane::getBlockElements(format) == 1)
    return emitError() << "format " << stringifyNumberFormat(format)
                       << " has no blocks";
  return success();
}

//===----------------------------------------------------------------------===//
// BufferType
//===----------------------------------------------------------------------===//

/// Parses the name of a format with blocks, if there is one.
static std::optional<NumberFormat> parseOptionalBlockFormat(AsmParser &parser) {
  SmallVector<StringRef> names;
  for (NumberFormat format : getAllNumberFormats())
    if (getBlockElements(format) > 1)
      names.push_back(stringifyNumberFormat(format));
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword, names)))
    return std::nullopt;
  return symbolizeNumberFormat(keyword);
}

Type BufferType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false))
    return {};
  if (std::optional<NumberFormat> format = parseOptionalBlockFormat(parser))
    elementType = BlockType::get(parser.getContext(), *format);
  else if (parser.parseType(elementType))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<BufferType>(loc, parser.getContext(), shape,
                                       elementType);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << 'x';
  if (auto block = dyn_cast<BlockType>(getElementType()))
    printer << stringifyNumberFormat(block.getFormat());
  else
    printer << getElementType();
  printer << '>';
}

namespace {
/// Elements and bytes of what a buffer stores as a unit.
struct BlockSize {
  int64_t elements;
  int64_t bytes;
};
} // namespace

static BlockSize getBlockSize(Type elementType) {
  if (auto block = dyn_cast<BlockType>(elementType))
    return {getBlockElements(block.getFormat()),
            getBlockBytes(block.getFormat())};
  return {1, elementType.getIntOrFloatBitWidth() / 8};
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType) {
  if (!isa<BlockType>(elementType) &&
      (!elementType.isIntOrFloat() ||
       elementType.getIntOrFloatBitWidth() % 8 != 0 ||
       elementType.getIntOrFloatBitWidth() == 0))
    return emitError() << "element type " << elementType
                       << " is not an integer or a float of whole bytes";
  if (shape.empty())
    return emitError() << "a buffer must have at least one dimension";
  for (int64_t dim : shape)
    if (dim < 0)
      return emitError() << "dimension " << dim << " is negative";
  BlockSize block = getBlockSize(elementType);
  if (shape.back() % block.elements != 0)
    return emitError() << "rows of " << shape.back()
                       << " elements are not a multiple of the "
                       << stringifyNumberFormat(
                              cast<BlockType>(elementType).getFormat())
                       << " block of " << block.elements;
  // No computation on buffers exceeds their plain bytes and two-pass bytes.
  std::optional<int64_t> length = getNumElements(shape);
  std::optional<int64_t> plain =
      length ? checkedMulBytes(*length / block.elements, block.bytes)
             : std::nullopt;
  if (!plain || !alignToPool(*plain) ||
      !computeQuantizedPoolBytes(*length, Numerics::TwoPass))
    return emitError() << "the bytes of the buffer overflow int64";
  return success();
}

int64_t BufferType::getLength() const { return *getNumElements(getShape()); }

int64_t BufferType::getBlockElements() const {
  return getBlockSize(getElementType()).elements;
}

int64_t BufferType::getBlockBytes() const {
  return getBlockSize(getElementType()).bytes;
}

int64_t BufferType::getPlainBytes() const {
  return getLength() / getBlockElements() * getBlockBytes();
}

int64_t BufferType::getQuantizedPoolBytes(Numerics numerics) const {
  return *computeQuantizedPoolBytes(getLength(), numerics);
}

//===----------------------------------------------------------------------===//
// MatrixType
//===----------------------------------------------------------------------===//

Type MatrixType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  StringRef keyword;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false))
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<NumberFormat> format = symbolizeNumberFormat(keyword);
  if (!format) {
    parser.emitError(loc) << "'" << keyword << "' is not a number format";
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MatrixType>(loc, parser.getContext(), shape,
                                       *format);
}

void MatrixType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << 'x' << stringifyNumberFormat(getFormat()) << '>';
}

/// Bytes of the upload in a pool, or none if they overflow int64_t.
static std::optional<int64_t> computeUploadBytes(int64_t rows, int64_t columns,
                                                 int64_t rowBytes,
                                                 NumberFormat format) {
  if (format == NumberFormat::Q8_0)
    return sumAligned({checkedMulBytes(rows, columns),
                       checkedMulBytes(rows, columns / 32 * 2)});
  // A staged read runs past the last block by up to this much.
  constexpr int64_t kStagedReadBytes = 32;
  std::optional<int64_t> blocks = checkedMulBytes(rows, rowBytes);
  return sumAligned(
      {blocks ? checkedAddBytes(*blocks, kStagedReadBytes) : std::nullopt});
}

LogicalResult MatrixType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, NumberFormat format) {
  if (shape.size() < 2)
    return emitError() << "a matrix must have at least two dimensions, got "
                       << shape.size();
  for (int64_t dim : shape)
    if (dim <= 0)
      return emitError() << "dimension " << dim << " is not positive";
  int64_t columns = shape.back();
  int64_t block = getBlockElements(format);
  if (columns % block != 0)
    return emitError() << "rows of " << columns
                       << " elements are not a multiple of the "
                       << stringifyNumberFormat(format) << " block of "
                       << block;
  std::optional<int64_t> rows = getNumElements(shape.drop_back());
  std::optional<int64_t> length = getNumElements(shape);
  std::optional<int64_t> rowBytes = lane::getRowBytes(format, columns);
  if (!rows || !length || !rowBytes ||
      !computeUploadBytes(*rows, columns, *rowBytes, format) ||
      !computeQuantizedPoolBytes(*length, Numerics::TwoPass))
    return emitError() << "the bytes of the matrix overflow int64";
  return success();
}

int64_t MatrixType::getNumRows() const {
  return *getNumElements(getShape().drop_back());
}

int64_t MatrixType::getRowBytes() const {
  return *lane::getRowBytes(getFormat(), getNumColumns());
}

int64_t MatrixType::getUploadBytes() const {
  return *computeUploadBytes(getNumRows(), getNumColumns(), getRowBytes(),
                             getFormat());
}

int64_t MatrixType::getQuantizedPoolBytes(Numerics numerics) const {
  return *computeQuantizedPoolBytes(getLength(), numerics);
}

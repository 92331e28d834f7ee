//===- KernelEmitter.cpp - The kernel of a launch -------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lane;
using namespace lane::lanetolinalg;

int64_t lanetolinalg::getLength(Value buffer) {
  if (auto matrix = dyn_cast<MatrixType>(buffer.getType()))
    return matrix.getLength();
  return cast<BufferType>(buffer.getType()).getLength();
}

KernelEmitter::KernelEmitter(Operation *launch, FormOp form, Numerics numerics,
                             func::FuncOp function)
    : b(launch->getLoc(), launch->getContext()), launch(launch), form(form),
      numerics(numerics), function(function) {
  b.setInsertionPointToStart(&function.getBody().front());
}

LogicalResult KernelEmitter::emit() {
  LogicalResult result =
      llvm::TypeSwitch<Operation *, LogicalResult>(launch)
          .Case<GatherOp, MatmulOp, BatchMatmulOp, MoeOp, NormOp, RopeOp,
                AttentionOp, ElementwiseOp, CopyOp, SampleOp, SplitOp, JoinOp>(
              [&](auto op) { return emitLaunch(op, *this); })
          .Case<KernelLaunchOp>([&](KernelLaunchOp op) {
            return refuse()
                   << "has no code for kernel \"" << op.getKernel() << "\"";
          })
          .Default([&](Operation *) { return refuse() << "has no code"; });
  if (mlir::failed(result) || failed)
    return failure();
  func::ReturnOp::create(b, ValueRange());
  return success();
}

InFlightDiagnostic KernelEmitter::refuse() {
  failed = true;
  return launch->emitOpError();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Value KernelEmitter::addArgument(KernelArgument argument) {
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, argument.type, DictionaryAttr(),
                                launch->getLoc());
  arguments.push_back(argument);
  return function.getArgument(index);
}

Value KernelEmitter::addArray(OpOperand &operand, ArrayKind kind,
                              ArrayRef<int64_t> shape, Type element) {
  KernelArgument argument;
  argument.operand = operand.getOperandNumber();
  argument.kind = kind;
  argument.type = MemRefType::get(shape, element);
  return addArgument(argument);
}

Value KernelEmitter::addScratch(ArrayRef<int64_t> shape, Type element) {
  KernelArgument argument;
  argument.tag = scratchBytes.size();
  argument.type = MemRefType::get(shape, element);
  std::optional<int64_t> bytes = element.getIntOrFloatBitWidth() / 8;
  for (int64_t dim : shape)
    bytes = bytes ? checkedMulBytes(*bytes, dim) : std::nullopt;
  if (!bytes)
    refuse() << "needs scratch whose bytes overflow int64";
  scratchBytes.push_back(bytes.value_or(0));
  return addArgument(argument);
}

static bool hasPlain(Value buffer) {
  auto op = buffer.getDefiningOp<BufferOpInterface>();
  auto ref = dyn_cast<RefOp>(op.getOperation());
  // Values always have plain bytes.
  return op.getPlainAttr() ||
         (ref && isa<BufferType>(ref.getType()) &&
          isa_and_nonnull<ValuesOp>(
              SymbolTable::lookupNearestSymbolFrom(ref, ref.getSymbolAttr())));
}

static bool hasQuantized(Value buffer) {
  return bool(buffer.getDefiningOp<BufferOpInterface>().getQuantizedAttr());
}

/// The arrays of the quantized storage.
template <typename BufferT, typename AddT>
static void addQuantized(BufferT &buffer, MLIRContext *ctx, Numerics numerics,
                         AddT add) {
  Type byte = IntegerType::get(ctx, 8);
  int64_t blocks = buffer.columns / kQuantizationBlockElements;
  buffer.quants = add(ArrayKind::Quants, buffer.columns, byte);
  buffer.scales = add(ArrayKind::Scales, blocks, Float32Type::get(ctx));
  if (numerics == Numerics::TwoPass)
    buffer.lowQuants = add(ArrayKind::LowQuants, buffer.columns, byte);
}

Activation KernelEmitter::read(OpOperand &operand, int64_t columns,
                               bool isProduct) {
  Value buffer = operand.get();
  Activation input;
  input.columns = columns;
  input.rows = getLength(buffer) / columns;
  auto add = [&](ArrayKind kind, int64_t width, Type element) {
    return addArray(operand, kind, {input.rows, width}, element);
  };
  bool isWhole = columns % kQuantizationBlockElements == 0;
  bool isQuantized = hasQuantized(buffer) && isWhole;
  if (isQuantized && (isProduct || !hasPlain(buffer))) {
    addQuantized(input, b.getContext(), numerics, add);
    return input;
  }
  if (!hasPlain(buffer))
    refuse() << "reads operand " << operand.getOperandNumber()
             << ", which has no storage";
  input.plain = add(ArrayKind::Plain, columns,
                    cast<BufferType>(buffer.getType()).getElementType());
  return input;
}

Output KernelEmitter::write(OpOperand &operand, int64_t columns) {
  Value buffer = operand.get();
  Output output;
  output.columns = columns;
  output.rows = getLength(buffer) / columns;
  auto add = [&](ArrayKind kind, int64_t width, Type element) {
    return addArray(operand, kind, {output.rows, width}, element);
  };
  if (hasPlain(buffer))
    output.plain = add(ArrayKind::Plain, columns,
                       cast<BufferType>(buffer.getType()).getElementType());
  if (!hasQuantized(buffer)) {
    if (!output.plain)
      refuse() << "writes operand " << operand.getOperandNumber()
               << ", which has no storage";
    return output;
  }
  if (columns % kQuantizationBlockElements != 0)
    refuse() << "writes quantized rows of " << columns
             << " elements, which are not blocks of "
             << kQuantizationBlockElements;
  addQuantized(output, b.getContext(), numerics, add);
  return output;
}

Value KernelEmitter::getElements(OpOperand &operand, ArrayRef<int64_t> shape) {
  auto type = dyn_cast<BufferType>(operand.get().getType());
  if (!type || !hasPlain(operand.get())) {
    refuse() << "uses operand " << operand.getOperandNumber()
             << ", which has no plain storage";
    type = BufferType::get(b.getContext(), shape, b.getF32Type());
  }
  return addArray(operand, ArrayKind::Plain, shape, type.getElementType());
}

MatrixReader KernelEmitter::readMatrix(OpOperand &operand) {
  auto type = dyn_cast<MatrixType>(operand.get().getType());
  if (!type) {
    // Values are f32.
    int64_t length = getLength(operand.get());
    type = MatrixType::get(b.getContext(), {1, length}, NumberFormat::F32);
  }
  SmallVector<Value, 2> arrays;
  for (const MatrixArray &array : getMatrixArrays(type))
    arrays.push_back(addArray(operand, array.kind, array.type.getShape(),
                              array.type.getElementType()));
  if (arrays.empty()) {
    refuse() << "reads a matrix of format "
             << stringifyNumberFormat(type.getFormat())
             << ", which kernels cannot read";
    type = MatrixType::get(b.getContext(), type.getShape(), NumberFormat::F32);
    arrays.push_back(addArray(operand, ArrayKind::Plain,
                              {type.getNumRows(), type.getNumColumns()},
                              b.getF32Type()));
  }
  return MatrixReader(b, type, arrays);
}

Value KernelEmitter::loadPosition(Value positions, Value row, int64_t rows) {
  if (cast<MemRefType>(positions.getType()).getNumElements() == rows)
    return b.toIndex(b.load(positions, {row}));
  // Rows of a prompt follow each other.
  return b.add(b.toIndex(b.load(positions, {b.index(0)})), row);
}

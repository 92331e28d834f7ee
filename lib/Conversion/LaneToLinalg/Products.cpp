//===- Products.cpp - Launches that read matrices -------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace lane;
using namespace lane::lanetolinalg;

static ArrayRef<int64_t> getShape(Value buffer) {
  if (auto matrix = dyn_cast<MatrixType>(buffer.getType()))
    return matrix.getShape();
  return cast<BufferType>(buffer.getType()).getShape();
}

LogicalResult lanetolinalg::emitLaunch(GatherOp op, KernelEmitter &emitter) {
  KernelBuilder &b = emitter.b;
  int64_t numIndices = getLength(op.getIndices());
  Value indices = emitter.getElements(op.getIndicesMutable(), numIndices);
  MatrixReader table = emitter.readMatrix(op.getTableMutable());
  Output output =
      emitter.write(op.getOutputMutable(), getShape(op.getTable()).back());
  if (emitter.hasFailed())
    return failure();
  output.write(b, [&](Value row, Value column) {
    return table.loadElement(b.toIndex(b.load(indices, {row})), column);
  });
  return success();
}

LogicalResult lanetolinalg::emitLaunch(MatmulOp op, KernelEmitter &emitter) {
  KernelBuilder &b = emitter.b;
  int64_t columns = getShape(op.getWeight()).back();
  int64_t rows = getLength(op.getWeight()) / columns;
  MatrixReader weight = emitter.readMatrix(op.getWeightMutable());
  Activation input =
      emitter.read(op.getInputMutable(), columns, weight.isQuantized());
  Value bias;
  for (OpOperand &operand : op.getBiasMutable())
    bias = emitter.getElements(operand, rows);
  Output output = emitter.write(op.getOutputMutable(), rows);
  if (emitter.hasFailed())
    return failure();
  output.write(b, [&](Value row, Value column) {
    Value product = dot(b, weight, column, input, row);
    return bias ? b.add(product, b.load(bias, {column})) : product;
  });
  return success();
}

LogicalResult lanetolinalg::emitLaunch(BatchMatmulOp op,
                                       KernelEmitter &emitter) {
  KernelBuilder &b = emitter.b;
  ArrayRef<int64_t> shape = getShape(op.getWeight());
  int64_t heads = shape[0], rows = shape[1], columns = shape[2];
  MatrixReader weight = emitter.readMatrix(op.getWeightMutable());
  Activation input =
      emitter.read(op.getInputMutable(), columns, weight.isQuantized());
  Output output = emitter.write(op.getOutputMutable(), rows);
  if (emitter.hasFailed())
    return failure();
  // A row of the input is of one head; the heads of a token are consecutive.
  output.write(b, [&](Value row, Value column) {
    Value first = b.mul(b.rem(row, heads), rows);
    return dot(b, weight, b.add(first, column), input, row);
  });
  return success();
}

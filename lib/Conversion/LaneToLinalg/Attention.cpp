//===- Attention.cpp - Attention over cached keys and values --------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace lane;
using namespace lane::lanetolinalg;

std::optional<CacheShape>
lanetolinalg::getCacheShape(BufferType type, int64_t columns, int64_t rows) {
  if (columns == 0 || type.getLength() % columns != 0)
    return std::nullopt;
  int64_t all = type.getLength() / columns;
  // The caches of a batch are one for each of its rows.
  bool isBatch = type.getShape().size() == 3 && type.getShape()[0] == rows &&
                 type.getShape()[2] == columns && rows > 1;
  return isBatch ? CacheShape{rows, all / rows} : CacheShape{1, all};
}

namespace {
/// The code of one attention launch.
class AttentionCode {
public:
  AttentionCode(AttentionOp op, KernelEmitter &emitter)
      : op(op), emitter(emitter), b(emitter.b) {}

  LogicalResult emit();

private:
  LogicalResult readOperands();
  Value getFirstPosition(Value position);
  Value computeScore(Value row, Value head, Value sequence, Value cacheRow);
  void emitHead(Value row, Value head);

  AttentionOp op;
  KernelEmitter &emitter;
  KernelBuilder &b;
  int64_t rows = 0, heads = 0, headsPerKey = 0;
  int64_t keyLength = 0, valueLength = 0;
  CacheShape cache;
  Activation query;
  Value keys, values, positions, sinks;
  Output output;
};
} // namespace

LogicalResult AttentionCode::readOperands() {
  MutableOperandRange operands = op.getInputsMutable();
  rows = emitter.getForm().getRows();
  heads = op.getHeads();
  int64_t keyHeads = op.getKvHeads();
  headsPerKey = heads / keyHeads;
  keyLength = getLength(operands[0].get()) / rows / heads;
  valueLength = getLength(op.getOutput()) / rows / heads;
  auto keyType = dyn_cast<BufferType>(operands[1].get().getType());
  auto valueType = dyn_cast<BufferType>(operands[2].get().getType());
  // The values of latent attention are the first elements of the keys.
  bool isShared = operands[1].get() == operands[2].get();
  int64_t valueColumns = isShared ? keyLength : valueLength;
  std::optional<CacheShape> keyShape, valueShape;
  if (keyType && valueType) {
    keyShape = getCacheShape(keyType, keyHeads * keyLength, rows);
    valueShape = getCacheShape(valueType, keyHeads * valueColumns, rows);
  }
  if (!keyShape || !valueShape || valueLength > valueColumns ||
      keyShape->rows != valueShape->rows ||
      keyShape->sequences != valueShape->sequences)
    return emitter.refuse()
           << "has caches of " << operands[1].get().getType() << " and "
           << operands[2].get().getType() << " for " << keyHeads << " heads of "
           << keyLength << " and " << valueLength << " elements";
  cache = *keyShape;
  if (operands.size() > 5)
    return emitter.refuse() << "has biases, which have no code";
  query = emitter.read(operands[0], heads * keyLength);
  keys = emitter.getElements(
      operands[1], {cache.sequences, cache.rows, keyHeads, keyLength});
  values = emitter.getElements(
      operands[2], {cache.sequences, cache.rows, keyHeads, valueColumns});
  positions = emitter.getElements(operands[3], getLength(operands[3].get()));
  if (operands.size() > 4)
    sinks = emitter.getElements(operands[4], heads);
  output = emitter.write(op.getOutputMutable(), heads * valueLength);
  if (emitter.hasFailed())
    return failure();
  if (!output.canWriteRanges(valueLength))
    return emitter.refuse()
           << "writes quantized heads of " << valueLength << " elements";
  return success();
}

/// The first position that a row attends to.
Value AttentionCode::getFirstPosition(Value position) {
  Value zero = b.index(0);
  if (!op.getWindow())
    return zero;
  int64_t window = *op.getWindow();
  if (op.getChunked())
    return b.mul(b.div(position, window), window);
  Value end = b.add(position, 1);
  Value isWhole = b.isLess(b.index(window), end);
  return b.select(isWhole, b.sub(end, b.index(window)), zero);
}

Value AttentionCode::computeScore(Value row, Value head, Value sequence,
                                  Value cacheRow) {
  Value keyHead = b.div(head, headsPerKey);
  Value first = b.mul(head, keyLength);
  Value product =
      b.reduce(b.index(0), b.index(keyLength), b.number(0),
               [&](Value i, ValueRange total) -> KernelBuilder::Values {
                 Value x = query.load(b, row, b.add(first, i));
                 Value y =
                     b.toNumber(b.load(keys, {sequence, cacheRow, keyHead, i}));
                 return {b.addInAnyOrder(total.front(), b.mul(x, y))};
               })
          .front();
  double scale = op.getScale() ? op.getScale()->convertToDouble()
                               : 1 / std::sqrt(double(keyLength));
  Value score = b.mul(product, b.number(scale));
  if (!op.getSoftcap())
    return score;
  return apply(b, ElementwiseKind::Softcap, score,
               op.getSoftcap()->convertToDouble());
}

/// One head of one row: a softmax that is computed while its terms are added,
/// so that no score is kept. (Milakov and Gimelshein, "Online normalizer
/// calculation for softmax", 2018.)
void AttentionCode::emitHead(Value row, Value head) {
  Value position = emitter.loadPosition(positions, row, rows);
  Value sequence = cache.sequences == 1 ? b.index(0) : row;
  Value keyHead = b.div(head, headsPerKey);
  Value sums = b.stackArray(valueLength);
  Value zero = b.number(0);
  b.loop(valueLength, [&](Value i) { b.store(zero, sums, {i}); });
  Value most = sinks ? b.load(sinks, {head})
                     : b.number(-std::numeric_limits<double>::infinity());
  Value total = sinks ? b.number(1) : zero;
  auto last = b.reduce(
      getFirstPosition(position), b.add(position, 1), {most, total},
      [&](Value p, ValueRange state) -> KernelBuilder::Values {
        Value cacheRow = b.rem(p, cache.rows);
        Value score = computeScore(row, head, sequence, cacheRow);
        Value next = b.max(state[0], score);
        Value shrink = b.exp(b.sub(state[0], next));
        Value weight = b.exp(b.sub(score, next));
        b.loop(valueLength, [&](Value i) {
          Value value =
              b.toNumber(b.load(values, {sequence, cacheRow, keyHead, i}));
          Value sum =
              b.add(b.mul(b.load(sums, {i}), shrink), b.mul(weight, value));
          b.store(sum, sums, {i});
        });
        return {next, b.add(b.mul(state[1], shrink), weight)};
      });
  Value inverse = b.div(b.number(1), last[1]);
  Value first = b.mul(head, valueLength);
  output.writeRange(b, row, first, valueLength, [&](Value, Value column) {
    return b.mul(b.load(sums, {b.sub(column, first)}), inverse);
  });
}

LogicalResult AttentionCode::emit() {
  if (failed(readOperands()))
    return failure();
  b.parallel({rows, heads}, [&](ValueRange at) { emitHead(at[0], at[1]); });
  return success();
}

LogicalResult lanetolinalg::emitLaunch(AttentionOp op, KernelEmitter &emitter) {
  return AttentionCode(op, emitter).emit();
}

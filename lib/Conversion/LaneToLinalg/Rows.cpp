//===- Rows.cpp - Launches that compute rows of activations ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace lane;
using namespace lane::lanetolinalg;

//===----------------------------------------------------------------------===//
// Elementwise functions
//===----------------------------------------------------------------------===//

/// The approximation with tanh, which ggml uses.
static Value applyGelu(KernelBuilder &b, Value x) {
  Value cube = b.mul(b.mul(x, x), x);
  Value inner = b.mul(b.number(std::sqrt(2 / M_PI)),
                      b.add(x, b.mul(b.number(0.044715), cube)));
  Value tanh = math::TanhOp::create(b, inner);
  return b.mul(b.mul(b.number(0.5), x), b.add(b.number(1), tanh));
}

static Value applySilu(KernelBuilder &b, Value x) {
  return b.mul(x, b.sigmoid(x));
}

Value lanetolinalg::apply(KernelBuilder &b, ElementwiseKind kind,
                          ValueRange inputs, double factor) {
  Value x = inputs.front();
  switch (kind) {
  case ElementwiseKind::Add:
  case ElementwiseKind::Mul: {
    Value result = x;
    for (Value next : inputs.drop_front())
      result = kind == ElementwiseKind::Add ? b.add(result, next)
                                            : b.mul(result, next);
    return result;
  }
  case ElementwiseKind::Scale:
    return b.mul(x, b.number(factor));
  case ElementwiseKind::Silu:
    return applySilu(b, x);
  case ElementwiseKind::Gelu:
    return applyGelu(b, x);
  case ElementwiseKind::Sigmoid:
    return b.sigmoid(x);
  case ElementwiseKind::Softplus: {
    // log(1 + exp(x)) is x to the precision of f32 from 20 on.
    Value log = math::Log1pOp::create(b, b.exp(b.min(x, b.number(20))));
    return b.select(b.isLess(b.number(20), x), x, log);
  }
  case ElementwiseKind::Tanh:
    return math::TanhOp::create(b, x);
  case ElementwiseKind::Softcap: {
    Value tanh = math::TanhOp::create(b, b.mul(x, b.number(1 / factor)));
    return b.mul(tanh, b.number(factor));
  }
  case ElementwiseKind::SwiGlu:
    return b.mul(applySilu(b, x), inputs[1]);
  case ElementwiseKind::SwiGluOai: {
    Value limit = b.number(7), gate = b.min(x, limit);
    Value value = b.max(b.min(inputs[1], limit), b.number(-7));
    Value gated = b.mul(gate, b.sigmoid(b.mul(gate, b.number(1.702))));
    return b.mul(gated, b.add(value, b.number(1)));
  }
  case ElementwiseKind::GeGlu:
    return b.mul(applyGelu(b, x), inputs[1]);
  }
  llvm_unreachable("unknown function");
}

LogicalResult lanetolinalg::emitLaunch(ElementwiseOp op,
                                       KernelEmitter &emitter) {
  KernelBuilder &b = emitter.b;
  bool needsFactor = op.getKind() == ElementwiseKind::Scale ||
                     op.getKind() == ElementwiseKind::Softcap;
  if (needsFactor && !op.getFactor())
    return emitter.refuse() << "has no factor";
  bool isGated = op.getKind() == ElementwiseKind::SwiGlu ||
                 op.getKind() == ElementwiseKind::GeGlu ||
                 op.getKind() == ElementwiseKind::SwiGluOai;
  if (isGated && op.getInputs().size() != 2)
    return emitter.refuse() << "has " << op.getInputs().size()
                            << " inputs instead of a gate and a value";
  int64_t columns =
      cast<BufferType>(op.getOutput().getType()).getShape().back();
  Output output = emitter.write(op.getOutputMutable(), columns);
  SmallVector<Activation> inputs;
  for (OpOperand &operand : op.getInputsMutable()) {
    int64_t length = getLength(operand.get());
    // One element for each row, or for all.
    bool isColumn = length == output.rows && length != columns;
    int64_t width = isColumn || length == 1 ? 1 : columns;
    if (length % width != 0 ||
        (length / width != 1 && length / width != output.rows))
      return emitter.refuse()
             << "has an input of " << length << " elements for " << output.rows
             << " rows of " << columns;
    inputs.push_back(emitter.read(operand, width));
  }
  if (emitter.hasFailed())
    return failure();
  output.write(b, [&](Value row, Value column) {
    SmallVector<Value> values;
    for (const Activation &input : inputs)
      values.push_back(input.load(b, input.rows == 1 ? b.index(0) : row,
                                  input.columns == 1 ? b.index(0) : column));
    double factor = op.getFactor() ? op.getFactor()->convertToDouble() : 1;
    return apply(b, op.getKind(), values, factor);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

namespace {
/// What a norm subtracts from and multiplies with each element.
struct Statistics {
  Value mean, factor;
};
} // namespace

static Statistics computeStatistics(KernelBuilder &b, NormOp op,
                                    function_ref<Value(Value)> load,
                                    int64_t length) {
  Value zero = b.number(0);
  Value epsilon = b.number(op.getEpsilon().convertToDouble());
  Value mean;
  if (op.getKind() == NormKind::Layer)
    mean = b.mul(b.sum(length, zero, load), b.number(1.0 / length));
  Value squares = b.sum(length, zero, [&](Value i) {
    Value x = mean ? b.sub(load(i), mean) : load(i);
    return b.mul(x, x);
  });
  Value one = b.number(1);
  if (op.getKind() == NormKind::L2) {
    Value root = math::SqrtOp::create(b, squares);
    return {mean, b.div(one, b.max(root, epsilon))};
  }
  Value average = b.mul(squares, b.number(1.0 / length));
  Value root = math::SqrtOp::create(b, b.add(average, epsilon));
  return {mean, b.div(one, root)};
}

LogicalResult lanetolinalg::emitLaunch(NormOp op, KernelEmitter &emitter) {
  KernelBuilder &b = emitter.b;
  auto type = cast<BufferType>(op.getOutput().getType());
  MutableOperandRange operands = op.getInputsMutable();
  int64_t numOperands = operands.size();
  // The elements that are normalized together.
  int64_t length = op.getLength().value_or(
      numOperands > 1 ? getLength(op.getInputs()[1]) : type.getShape().back());
  int64_t columns = std::max(length, type.getShape().back());
  if (columns % length != 0 || type.getLength() % columns != 0)
    return emitter.refuse()
           << "normalizes groups of " << length << " elements in rows of "
           << type.getShape().back();
  Activation input = emitter.read(operands[0], columns);
  Value weights, bias;
  if (numOperands > 1)
    weights = emitter.getElements(operands[1], length);
  if (numOperands > 2)
    bias = emitter.getElements(operands[2], length);
  Output output = emitter.write(op.getOutputMutable(), columns);
  if (emitter.hasFailed())
    return failure();
  if (!output.canWriteRanges(length))
    return emitter.refuse()
           << "writes quantized groups of " << length << " elements";
  b.parallel({output.rows, columns / length}, [&](ValueRange at) {
    Value row = at[0];
    Value first = b.mul(at[1], length);
    Statistics statistics = computeStatistics(
        b, op, [&](Value i) { return input.load(b, row, b.add(first, i)); },
        length);
    output.writeRange(b, row, first, length, [&](Value, Value column) {
      Value x = input.load(b, row, column);
      if (statistics.mean)
        x = b.sub(x, statistics.mean);
      x = b.mul(x, statistics.factor);
      Value i = b.rem(column, length);
      if (weights)
        x = b.mul(x, b.load(weights, {i}));
      return bias ? b.add(x, b.load(bias, {i})) : x;
    });
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Rotary position embedding
//===----------------------------------------------------------------------===//

/// The scale of the positions of a pair.
static Value scalePair(KernelBuilder &b, RopeOp op, Value pair) {
  double scale =
      op.getPositionScale() ? op.getPositionScale()->convertToDouble() : 1;
  std::optional<ArrayRef<double>> ramp = op.getRamp();
  if (!ramp)
    return b.number(scale);
  double length = std::max(0.001, ramp->back() - ramp->front());
  Value at =
      b.mul(b.sub(b.toNumber(b.toInteger(pair)), b.number(ramp->front())),
            b.number(1 / length));
  Value share = b.min(b.max(at, b.number(0)), b.number(1));
  return b.add(b.number(1), b.mul(share, b.number(scale - 1)));
}

LogicalResult lanetolinalg::emitLaunch(RopeOp op, KernelEmitter &emitter) {
  KernelBuilder &b = emitter.b;
  auto type = cast<BufferType>(op.getOutput().getType());
  int64_t dimensions = op.getDimensions();
  int64_t head = op.getHeadLength().value_or(dimensions);
  int64_t rows = emitter.getForm().getRows();
  int64_t columns = type.getLength() / rows;
  if (type.getLength() % rows != 0 || columns % head != 0 ||
      dimensions > head || dimensions % 2 != 0)
    return emitter.refuse()
           << "rotates " << dimensions << " of " << head << " elements in "
           << rows << " rows of " << type.getLength() << " elements";
  int64_t pairs = dimensions / 2;
  Activation input = emitter.read(op.getInputMutable(), columns);
  Value factors;
  for (OpOperand &operand : op.getFactorsMutable())
    factors = emitter.getElements(operand, pairs);
  Output output = emitter.write(op.getOutputMutable(), columns);
  if (emitter.hasFailed())
    return failure();
  bool isNeox = op.getKind() == RopeKind::Neox;
  double base = op.getBase().convertToDouble();
  double magnitude =
      op.getMagnitude() ? op.getMagnitude()->convertToDouble() : 1;
  Value positions = emitter.getElements(op.getPositionsMutable(),
                                        getLength(op.getPositions()));
  output.write(b, [&](Value row, Value column) {
    Value inHead = b.rem(column, head);
    Value x = input.load(b, row, column);
    // Elements that do not rotate compute with a pair of their own.
    Value pair = isNeox ? b.rem(inHead, pairs) : b.rem(b.div(inHead, 2), pairs);
    Value isSecond = isNeox ? b.isLess(b.index(pairs - 1), inHead)
                            : b.isEqual(b.rem(inHead, 2), b.index(1));
    Value distance = b.index(isNeox ? pairs : 1);
    Value doesRotate = b.isLess(inHead, b.index(dimensions));
    Value partner =
        b.select(isSecond, b.sub(column, distance), b.add(column, distance));
    Value y = input.load(b, row, b.select(doesRotate, partner, column));
    Value exponent =
        b.mul(b.toNumber(b.toInteger(pair)), b.number(-2.0 / dimensions));
    Value frequency = math::PowFOp::create(b, b.number(base), exponent);
    if (factors)
      frequency = b.div(frequency, b.load(factors, {pair}));
    Value position = emitter.loadPosition(positions, row, rows);
    Value angle =
        b.mul(b.mul(b.toNumber(b.toInteger(position)), scalePair(b, op, pair)),
              frequency);
    Value cosine = math::CosOp::create(b, angle);
    Value sine = math::SinOp::create(b, angle);
    sine = b.select(isSecond, sine, arith::NegFOp::create(b, sine));
    Value rotated =
        b.mul(b.number(magnitude), b.add(b.mul(x, cosine), b.mul(y, sine)));
    return b.select(doesRotate, rotated, x);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Copies and samples
//===----------------------------------------------------------------------===//

LogicalResult lanetolinalg::emitLaunch(CopyOp op, KernelEmitter &emitter) {
  KernelBuilder &b = emitter.b;
  auto type = cast<BufferType>(op.getOutput().getType());
  if (!op.getPositions()) {
    int64_t columns = type.getShape().back();
    Activation input = emitter.read(op.getInputMutable(), columns);
    Output output = emitter.write(op.getOutputMutable(), columns);
    if (emitter.hasFailed())
      return failure();
    output.write(
        b, [&](Value row, Value column) { return input.load(b, row, column); });
    return success();
  }
  int64_t rows = emitter.getForm().getRows();
  Activation input =
      emitter.read(op.getInputMutable(), getLength(op.getInput()) / rows);
  std::optional<CacheShape> shape = getCacheShape(type, input.columns, rows);
  if (!shape)
    return emitter.refuse()
           << "stores rows of " << input.columns << " elements in " << type;
  Value cache = emitter.getElements(
      op.getOutputMutable(), {shape->sequences, shape->rows, input.columns});
  OpOperand &operand = *op.getPositionsMutable().begin();
  Value positions = emitter.getElements(operand, getLength(operand.get()));
  if (emitter.hasFailed())
    return failure();
  b.parallel({rows, input.columns}, [&](ValueRange at) {
    Value position =
        b.rem(emitter.loadPosition(positions, at[0], rows), shape->rows);
    Value sequence = shape->sequences == 1 ? b.index(0) : at[0];
    Value value = input.load(b, at[0], at[1]);
    b.store(b.fromNumber(value, type.getElementType()), cache,
            {sequence, position, at[1]});
  });
  return success();
}

LogicalResult lanetolinalg::emitLaunch(SplitOp op, KernelEmitter &emitter) {
  KernelBuilder &b = emitter.b;
  int64_t rows = emitter.getForm().getRows();
  int64_t groups = op.getGroups();
  int64_t columns = getLength(op.getInput()) / rows;
  int64_t groupElements = columns / groups, first = 0;
  Activation input = emitter.read(op.getInputMutable(), columns);
  for (OpOperand &operand : op.getOutputsMutable()) {
    int64_t width = getLength(operand.get()) / rows / groups;
    Output output = emitter.write(operand, width * groups);
    if (emitter.hasFailed())
      return failure();
    output.write(b, [&](Value row, Value column) {
      Value start = b.mul(b.div(column, width), groupElements);
      return input.load(b, row,
                        b.add(b.add(start, b.rem(column, width)), first));
    });
    first += width;
  }
  return success();
}

LogicalResult lanetolinalg::emitLaunch(JoinOp op, KernelEmitter &emitter) {
  KernelBuilder &b = emitter.b;
  int64_t rows = emitter.getForm().getRows();
  int64_t groups = op.getGroups();
  int64_t columns = getLength(op.getOutput()) / rows;
  Value output = emitter.getElements(op.getOutputMutable(),
                                     {rows, groups, columns / groups});
  int64_t first = 0, groupElements = columns / groups;
  // Inputs of one group for all take what the others leave.
  for (OpOperand &operand : op.getInputsMutable()) {
    int64_t width = getLength(operand.get()) / rows;
    Activation input = emitter.read(operand, width);
    if (emitter.hasFailed())
      return failure();
    bool isLast = &operand == &op.getInputsMutable()[op.getInputs().size() - 1];
    int64_t part = isLast ? groupElements - first : width / groups;
    bool isShared = groups > 1 && part == width;
    if (part <= 0 || (!isShared && part * groups != width))
      return emitter.refuse()
             << "joins an input of " << width << " elements to " << groups
             << " groups of " << groupElements;
    b.parallel({rows, groups, part}, [&](ValueRange at) {
      Value column = isShared ? at[2] : b.add(b.mul(at[1], part), at[2]);
      b.store(input.load(b, at[0], column), output,
              {at[0], at[1], b.add(at[2], first)});
    });
    first += part;
  }
  return success();
}

LogicalResult lanetolinalg::emitLaunch(SampleOp op, KernelEmitter &emitter) {
  KernelBuilder &b = emitter.b;
  if (op.getKind() != SampleKind::Argmax)
    return emitter.refuse()
           << "has no code for " << stringifySampleKind(op.getKind());
  int64_t rows = getLength(op.getOutput());
  int64_t columns = getLength(op.getLogits()) / rows;
  Activation logits = emitter.read(op.getLogitsMutable(), columns);
  Value tokens = emitter.getElements(op.getOutputMutable(), rows);
  if (emitter.hasFailed())
    return failure();
  b.parallel(rows, [&](ValueRange at) {
    Value row = at[0];
    Value first = logits.load(b, row, b.index(0));
    // The first of equal logits.
    auto best =
        b.reduce(b.index(1), b.index(columns), {first, b.index(0)},
                 [&](Value i, ValueRange most) -> KernelBuilder::Values {
                   Value value = logits.load(b, row, i);
                   Value isMore = b.isLess(most[0], value);
                   return {b.select(isMore, value, most[0]),
                           b.select(isMore, i, most[1])};
                 });
    b.store(b.toInteger(best[1]), tokens, {row});
  });
  return success();
}

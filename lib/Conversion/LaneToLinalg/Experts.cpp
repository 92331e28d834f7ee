//===- Experts.cpp - Mixtures of experts ----------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include <limits>

using namespace mlir;
using namespace lane;
using namespace lane::lanetolinalg;

namespace {
/// The code of one mixture of experts, in three parallel loops: the active
/// experts of each row, their hidden rows, and the weighted sum of their
/// results.
class ExpertsCode {
public:
  ExpertsCode(MoeOp op, KernelEmitter &emitter)
      : op(op), emitter(emitter), b(emitter.b) {}

  LogicalResult emit();

private:
  void computeProbabilities(Value row, Value probabilities);
  void emitSelection();
  void emitHidden(MatrixReader &up, MatrixReader *gate,
                  const Activation &input);

  MoeOp op;
  KernelEmitter &emitter;
  KernelBuilder &b;
  int64_t rows = 0, experts = 0, active = 0, width = 0, columns = 0;
  Activation scores;
  Value selectionBias;
  SmallVector<MatrixReader, 3> biases;
  /// Scratch: the active experts of each row, their weights, and the hidden row
  /// of each.
  Value ids, weights, hidden;
};
} // namespace

/// The softmax, or the sigmoid, of the scores of all experts.
void ExpertsCode::computeProbabilities(Value row, Value probabilities) {
  auto load = [&](Value i) { return scores.load(b, row, i); };
  if (op.getGating() == MoeGating::Sigmoid) {
    b.loop(experts,
           [&](Value i) { b.store(b.sigmoid(load(i)), probabilities, {i}); });
    return;
  }
  if (op.getGating() == MoeGating::SoftmaxOfActive) {
    b.loop(experts, [&](Value i) { b.store(load(i), probabilities, {i}); });
    return;
  }
  Value most = b.reduce(b.index(0), b.index(experts),
                        b.number(-std::numeric_limits<double>::infinity()),
                        [&](Value i, ValueRange last) -> KernelBuilder::Values {
                          return {b.max(last.front(), load(i))};
                        })
                   .front();
  Value total = b.sum(experts, b.number(0), [&](Value i) {
    Value power = b.exp(b.sub(load(i), most));
    b.store(power, probabilities, {i});
    return power;
  });
  b.loop(experts, [&](Value i) {
    b.store(b.div(b.load(probabilities, {i}), total), probabilities, {i});
  });
}

void ExpertsCode::emitSelection() {
  double infinity = std::numeric_limits<double>::infinity();
  b.parallel(rows, [&](ValueRange at) {
    Value row = at[0];
    Value probabilities = b.stackArray(experts);
    computeProbabilities(row, probabilities);
    // What experts are selected by.
    Value keys = b.stackArray(experts);
    b.loop(experts, [&](Value i) {
      Value key = b.load(probabilities, {i});
      b.store(selectionBias ? b.add(key, b.load(selectionBias, {i})) : key,
              keys, {i});
    });
    b.loop(active, [&](Value slot) {
      // The first of equal experts.
      auto best = b.reduce(
          b.index(0), b.index(experts), {b.number(-infinity), b.index(0)},
          [&](Value i, ValueRange most) -> KernelBuilder::Values {
            Value value = b.load(keys, {i});
            Value isMore = b.isLess(most[0], value);
            return {b.select(isMore, value, most[0]),
                    b.select(isMore, i, most[1])};
          });
      b.store(b.number(-infinity), keys, {best[1]});
      b.store(b.toInteger(best[1]), ids, {row, slot});
      b.store(b.load(probabilities, {best[1]}), weights, {row, slot});
    });
    auto loadWeight = [&](Value slot) { return b.load(weights, {row, slot}); };
    if (op.getGating() == MoeGating::SoftmaxOfActive) {
      // The first has the highest score.
      Value most = loadWeight(b.index(0));
      b.loop(active, [&](Value slot) {
        b.store(b.exp(b.sub(loadWeight(slot), most)), weights, {row, slot});
      });
    }
    Value factor =
        b.number(op.getScale() ? op.getScale()->convertToDouble() : 1.0);
    if (op.getNormalized() || op.getGating() == MoeGating::SoftmaxOfActive) {
      Value total = b.sum(active, b.number(0), loadWeight);
      // The smallest normal fp16, as in llama.cpp.
      factor = b.div(factor, b.max(total, b.number(6.103515625e-5)));
    }
    b.loop(active, [&](Value slot) {
      b.store(b.mul(loadWeight(slot), factor), weights, {row, slot});
    });
  });
}

void ExpertsCode::emitHidden(MatrixReader &up, MatrixReader *gate,
                             const Activation &input) {
  // Without `gate`, the rows of the gate come first.
  int64_t upRows = gate ? width : 2 * width;
  b.parallel({rows, active, width}, [&](ValueRange at) {
    Value expert = b.toIndex(b.load(ids, {at[0], at[1]}));
    Value first = b.add(b.mul(expert, upRows), at[2]);
    Value gateRow = gate ? b.add(b.mul(expert, width), at[2]) : first;
    Value upRow = gate ? first : b.add(first, width);
    Value gated = dot(b, gate ? *gate : up, gateRow, input, at[0]);
    Value upped = dot(b, up, upRow, input, at[0]);
    if (!biases.empty()) {
      MatrixReader &gateBias = gate ? biases[1] : biases[0];
      Value column = gate ? at[2] : b.add(at[2], width);
      gated = b.add(gated, gateBias.loadElement(expert, at[2]));
      upped = b.add(upped, biases[0].loadElement(expert, column));
    }
    b.store(apply(b, op.getActivation(), {gated, upped}, 1), hidden, at);
  });
}

LogicalResult ExpertsCode::emit() {
  if (op.getGating() == MoeGating::SigmoidOfInput)
    return emitter.refuse()
           << "has no code for " << stringifyMoeGating(op.getGating());
  if (!op.getExtra().empty())
    return emitter.refuse() << "has scales, which have no code";
  auto downShape = cast<MatrixType>(op.getDown().getType()).getShape();
  experts = downShape[0], columns = downShape[1], width = downShape[2];
  active = op.getActive();
  rows = getLength(op.getInput()) / columns;
  MatrixReader up = emitter.readMatrix(op.getUpMutable());
  std::optional<MatrixReader> gate;
  for (OpOperand &operand : op.getGateMutable())
    gate.emplace(emitter.readMatrix(operand));
  MatrixReader down = emitter.readMatrix(op.getDownMutable());
  Activation input =
      emitter.read(op.getInputMutable(), columns, up.isQuantized());
  scores = emitter.read(op.getRouterMutable(), experts);
  for (OpOperand &operand : op.getSelectionBiasMutable())
    selectionBias = emitter.getElements(operand, experts);
  for (OpOperand &operand : op.getBiasesMutable())
    biases.push_back(emitter.readMatrix(operand));
  Output output = emitter.write(op.getOutputMutable(), columns);
  ids = emitter.addScratch({rows, active}, b.getI32Type());
  weights = emitter.addScratch({rows, active}, b.getF32Type());
  hidden = emitter.addScratch({rows, active, width}, b.getF32Type());
  if (emitter.hasFailed())
    return failure();
  emitSelection();
  emitHidden(up, gate ? &*gate : nullptr, input);
  Activation hiddenRows;
  hiddenRows.rows = rows * active;
  hiddenRows.columns = width;
  Value flat = memref::CollapseShapeOp::create(
      b, hidden, ArrayRef<ReassociationIndices>{{0, 1}, {2}});
  hiddenRows.plain = flat;
  output.write(b, [&](Value row, Value column) {
    return b.sum(active, b.number(0), [&](Value slot) {
      Value expert = b.toIndex(b.load(ids, {row, slot}));
      Value result = dot(b, down, b.add(b.mul(expert, columns), column),
                         hiddenRows, b.add(b.mul(row, active), slot));
      if (!biases.empty())
        result = b.add(result, biases.back().loadElement(expert, column));
      return b.mul(result, b.load(weights, {row, slot}));
    });
  });
  return success();
}

LogicalResult lanetolinalg::emitLaunch(MoeOp op, KernelEmitter &emitter) {
  return ExpertsCode(op, emitter).emit();
}

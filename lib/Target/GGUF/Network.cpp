//===- Network.cpp - Feed-forward networks and experts --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transformer.h"

using namespace mlir;
using namespace lane;
using namespace lane::importer;

/// Uses the tensors `prefix`up`suffix` and so on.
Value Transformer::buildDense(const std::string &prefix,
                              const std::string &suffix, Value x,
                              int64_t width) {
  int64_t embedding = params.embeddingLength;
  auto project = [&](const Twine &name, int64_t rows) {
    return form.project(prefix + name + suffix, x, embedding, rows,
                        architecture.networkBias);
  };
  Value up, gate;
  if (architecture.hasFusedGate) {
    Value both = project("up", 2 * width);
    auto parts = form.split(both, {{prefix + "gate_half" + suffix, width},
                                   {prefix + "up_half" + suffix, width}});
    gate = parts[0], up = parts[1];
  } else if (!architecture.hasGate) {
    up = project("up", width);
  } else {
    if (architecture.projectsUpFirst)
      up = project("up", width);
    gate = project("gate", width);
    if (!architecture.projectsUpFirst)
      up = project("up", width);
  }
  std::string activation =
      prefix + stringifyElementwiseKind(architecture.activation).str();
  SmallVector<Value, 2> inputs;
  if (architecture.hasGate)
    inputs.push_back(gate);
  inputs.push_back(up);
  Value hidden =
      form.elementwise(activation + suffix, architecture.activation, inputs);
  return form.project(prefix + "down" + suffix, hidden, width, embedding,
                      architecture.networkBias);
}

Value Transformer::buildExperts(int64_t layer, Value x) {
  int64_t embedding = params.embeddingLength;
  // Pruned models have fewer experts in some layers than the key gives.
  int64_t experts = form.getTensorRows(inLayer(layer, "ffn_gate_inp.weight"));
  int64_t width = params.layers[layer].expertFeedForwardLength;
  Presence bias =
      architecture.hasExpertBiases ? Presence::Always : Presence::Never;
  Value router = form.projectInto(inLayer(layer, "ffn_router"),
                                  inLayer(layer, "ffn_gate_inp"), x, embedding,
                                  experts, bias);
  ExpertTensors tensors;
  std::string selectionBias = inLayer(layer, "exp_probs_b.bias");
  if (architecture.selectionBias == Presence::Always ||
      (architecture.selectionBias == Presence::WhereGiven &&
       form.hasTensor(selectionBias)))
    tensors.selectionBias = form.tensor(selectionBias, {experts});
  // A stack, followed by the tensors for its experts.
  auto getStack = [&](const Twine &name, int64_t rows, int64_t columns) {
    std::string stem = inLayer(layer, name);
    Value stack = form.tensor(stem + ".weight", {experts, rows, columns});
    if (architecture.hasExpertBiases)
      tensors.biases.push_back(form.tensor(stem + ".bias", {experts, rows}));
    if (form.hasTensor(stem + ".scale"))
      tensors.scales.push_back(form.tensor(stem + ".scale", {experts}));
    return stack;
  };
  Value up, gate;
  if (form.hasTensor(inLayer(layer, "ffn_gate_up_exps.weight"))) {
    up = getStack("ffn_gate_up_exps", 2 * width, embedding);
  } else {
    up = getStack("ffn_up_exps", width, embedding);
    gate = getStack("ffn_gate_exps", width, embedding);
  }
  Value down = getStack("ffn_down_exps", embedding, width);
  return form.moe(inLayer(layer, "ffn_moe"), x, router, up, gate, down, tensors,
                  {std::min(params.expertUsedCount, experts), params.gating,
                   params.normalizesExperts, params.expertScale,
                   architecture.activation});
}

Value Transformer::buildSharedExpert(int64_t layer, Value x) {
  Value output = buildDense(inLayer(layer, "ffn_"), "_shexp", x,
                            params.sharedExpertLength);
  std::string gate = inLayer(layer, "ffn_gate_inp_shexp");
  if (!form.hasTensor(gate + ".weight"))
    return output;
  Value score = form.matmul(
      gate, x, form.tensor(gate + ".weight", {params.embeddingLength}));
  score = form.elementwise(inLayer(layer, "ffn_shexp_sigmoid"),
                           ElementwiseKind::Sigmoid, score);
  return form.elementwise(inLayer(layer, "ffn_shexp_gated"),
                          ElementwiseKind::Mul, {output, score});
}

Value Transformer::buildNetwork(int64_t layer, Value x) {
  const LayerParameters &own = params.layers[layer];
  if (!own.hasExperts)
    return buildDense(inLayer(layer, "ffn_"), "", x, own.feedForwardLength);
  Value output = buildExperts(layer, x);
  if (architecture.sharedExpert == Presence::Never ||
      (architecture.sharedExpert == Presence::WhereGiven &&
       !form.hasTensor(inLayer(layer, "ffn_up_shexp.weight"))))
    return output;
  return form.elementwise(inLayer(layer, "ffn_experts"), ElementwiseKind::Add,
                          {output, buildSharedExpert(layer, x)});
}

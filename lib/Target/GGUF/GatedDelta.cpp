//===- GatedDelta.cpp - Gated delta nets ----------------------------------===//
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

/// A layer without keys and values: a short convolution over the last
/// positions, then a state per head, which each position decays and updates.
Value Transformer::buildGatedDelta(int64_t layer, Value x) {
  int64_t embedding = params.embeddingLength;
  int64_t inner = params.innerSize;
  int64_t steps = params.timeStepRank;
  int64_t mixedLength = inner + 2 * params.groupCount * params.stateSize;
  Value mixed, gate;
  if (form.hasTensor(inLayer(layer, "ssm_in.weight"))) {
    // Older files have one tensor for both.
    Value joined = form.project(inLayer(layer, "ssm_in"), x, embedding,
                                mixedLength + inner);
    auto parts = form.splitGroups(
        "split_groups", joined,
        {{inLayer(layer, "qkv"), mixedLength}, {inLayer(layer, "z"), inner}});
    mixed = parts[0], gate = parts[1];
  } else {
    mixed = form.project(inLayer(layer, "attn_qkv"), x, embedding, mixedLength);
  }
  const LayerState &own = state[layer];
  SmallVector<Value, 1> history;
  if (own.convolution)
    history.push_back(
        state.get(form, inLayer(layer, "state_conv"), own.convolution));
  mixed = form.recurrent(
      inLayer(layer, "conv"), RecurrentKind::Convolution,
      {mixed, form.tensor(inLayer(layer, "ssm_conv1d.weight"),
                          {mixedLength, params.convolutionLength})},
      history, mixedLength);
  mixed = form.elementwise(inLayer(layer, "conv_silu"), ElementwiseKind::Silu,
                           mixed);
  Value rates = form.project(inLayer(layer, "ssm_ba"), x, embedding, 2 * steps);
  auto rateParts = form.split(
      rates,
      {{inLayer(layer, "beta"), steps}, {inLayer(layer, "alpha"), steps}},
      params.groupCount);
  Value beta = form.elementwise(inLayer(layer, "beta_sigmoid"),
                                ElementwiseKind::Sigmoid, rateParts[0]);
  Value decay = form.elementwise(
      inLayer(layer, "alpha_biased"), ElementwiseKind::Add,
      {rateParts[1], form.tensor(inLayer(layer, "ssm_dt.bias"), {steps})});
  decay = form.elementwise(inLayer(layer, "alpha_softplus"),
                           ElementwiseKind::Softplus, decay);
  decay =
      form.elementwise(inLayer(layer, "decay"), ElementwiseKind::Mul,
                       {decay, form.tensor(inLayer(layer, "ssm_a"), {steps})});
  Value output = form.recurrent(
      inLayer(layer, "delta"), RecurrentKind::GatedDelta, {mixed, beta, decay},
      state.get(form, inLayer(layer, "state_delta"), own.recurrence), inner);
  output = buildNorm(inLayer(layer, "ssm_norm"), output, inner / steps);
  if (!gate)
    gate = form.project(inLayer(layer, "attn_gate"), x, embedding, inner);
  output = form.elementwise(inLayer(layer, "delta_gated"),
                            ElementwiseKind::SwiGlu, {gate, output});
  return form.project(inLayer(layer, "ssm_out"), output, inner, embedding);
}

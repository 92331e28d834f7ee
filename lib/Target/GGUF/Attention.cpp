//===- Attention.cpp - Attention over cached keys and values --------------===//
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

Value Transformer::buildQueryKeyNorm(int64_t layer, const Twine &name,
                                     Value input, int64_t headLength,
                                     int64_t rowLength) {
  std::string stem = inLayer(layer, name);
  switch (architecture.queryKeyNorm) {
  case QueryKeyNorm::None:
    return input;
  case QueryKeyNorm::HeadWhereGiven:
    if (!form.hasTensor(stem + ".weight"))
      return input;
    return buildNorm(stem, input, headLength);
  case QueryKeyNorm::Head:
    return buildNorm(stem, input, headLength);
  case QueryKeyNorm::Row:
    return buildNorm(stem, input, rowLength);
  case QueryKeyNorm::Length:
    // The largest models of this architecture have no norm.
    if (!params.layers[layer].rotates || params.expertCount == 128)
      return input;
    return form.norm(stem, NormKind::Rms, input, /*weight=*/{}, /*bias=*/{},
                     params.epsilon, headLength);
  }
  llvm_unreachable("unknown norm");
}

Value Transformer::getRopeFactors() {
  int64_t pairs = params.ropeDimensions / 2;
  if (form.hasTensor("rope_freqs.weight"))
    return form.tensor("rope_freqs.weight", {pairs});
  // Use the factors that match the context length.
  if (!form.hasTensor("rope_factors_long.weight"))
    return {};
  return form.tensor(contextLength > params.originalContextLength
                         ? "rope_factors_long.weight"
                         : "rope_factors_short.weight",
                     {pairs});
}

RopeOptions Transformer::getRopeOptions(int64_t layer,
                                        int64_t headLength) const {
  RopeOptions options = params.rope;
  options.headLength = headLength;
  // Windows are shorter than the context that was trained.
  if (params.layers[layer].window && architecture.window.ropeBase != 0)
    options.positionScale = 1;
  return options;
}

Value Transformer::buildRope(int64_t layer, const Twine &name, Value input,
                             int64_t headLength) {
  if (!params.layers[layer].rotates)
    return input;
  return form.rope(inLayer(layer, name), architecture.rope, input, positions,
                   getRopeFactors(), params.ropeDimensions,
                   params.layers[layer].ropeBase,
                   getRopeOptions(layer, headLength));
}

void Transformer::buildCacheUpdate(int64_t layer, Value key, Value value) {
  const LayerState &caches = state[layer];
  Value keys = state.get(form, inLayer(layer, "cache_k"), caches.keys);
  Value values;
  if (caches.values)
    values = state.get(form, inLayer(layer, "cache_v"), caches.values);
  form.appendToCache(key, keys, positions);
  if (caches.values)
    form.appendToCache(value, values, positions);
  layerKeys = keys;
  layerValues = caches.values ? values : keys;
}

Value Transformer::buildCachedAttention(int64_t layer, Value query) {
  const LayerParameters &own = params.layers[layer];
  SmallVector<Value, 5> inputs = {query, layerKeys, layerValues, positions};
  if (architecture.hasSinks)
    inputs.push_back(
        form.tensor(inLayer(layer, "attn_sinks.weight"), {own.headCount}));
  return form.attention(
      inLayer(layer, "attn"), inputs, own.headCount * params.valueLength,
      {own.headCount, own.headCountKv, own.window, own.isChunked,
       params.attentionScale, params.attentionSoftcap});
}

Value Transformer::buildOutputProjection(int64_t layer, Value attended) {
  return form.project(inLayer(layer, "attn_output"), attended,
                      params.layers[layer].headCount * params.valueLength,
                      params.embeddingLength, architecture.attentionOutputBias);
}

Value Transformer::buildQuery(int64_t layer, Value query) {
  if (architecture.rotatesBeforeNorm)
    query = buildRope(layer, "rope_q", query, params.keyLength);
  query = buildQueryKeyNorm(layer, "attn_q_norm", query, params.keyLength,
                            params.layers[layer].headCount * params.keyLength);
  if (architecture.rotatesBeforeNorm)
    return query;
  return buildRope(layer, "rope_q", query, params.keyLength);
}

Value Transformer::buildKey(int64_t layer, Value key) {
  if (architecture.rotatesBeforeNorm)
    key = buildRope(layer, "rope_k", key, params.keyLength);
  key = buildQueryKeyNorm(layer, "attn_k_norm", key, params.keyLength,
                          params.layers[layer].headCountKv * params.keyLength);
  if (architecture.rotatesBeforeNorm)
    return key;
  return buildRope(layer, "rope_k", key, params.keyLength);
}

Value Transformer::buildAttention(int64_t layer, Value x) {
  const LayerParameters &own = params.layers[layer];
  int64_t embedding = params.embeddingLength;
  int64_t queryLength = own.headCount * params.keyLength;
  int64_t keyLength = own.headCountKv * params.keyLength;
  int64_t valueLength = own.headCountKv * params.valueLength;
  bool hasCache = own.cacheLayer == layer;
  bool isGated = architecture.attention == AttentionKind::GatedOrDelta;
  auto project = [&](const Twine &name, int64_t rows) {
    return form.project(inLayer(layer, name), x, embedding, rows,
                        architecture.attentionBias);
  };
  Value query, key, value, gate;
  if (!isGated && form.hasTensor(inLayer(layer, "attn_qkv.weight"))) {
    Value joined = project("attn_qkv", queryLength + keyLength + valueLength);
    auto parts = form.split(joined, {{inLayer(layer, "attn_q"), queryLength},
                                     {inLayer(layer, "attn_k"), keyLength},
                                     {inLayer(layer, "attn_v"), valueLength}});
    query = buildQuery(layer, parts[0]);
    key = buildKey(layer, parts[1]);
    value = parts[2];
  } else {
    query = project("attn_q", queryLength * (isGated ? 2 : 1));
    if (isGated) {
      auto parts = form.split(query,
                              {{inLayer(layer, "query"), queryLength},
                               {inLayer(layer, "query_gate"), queryLength}},
                              own.headCount);
      query = parts[0], gate = parts[1];
    }
    query = buildQuery(layer, query);
    // llama.cpp has a graph for models with windows, and one for all others.
    if (hasCache && params.hasWindows)
      key = buildKey(layer, project("attn_k", keyLength));
    if (hasCache)
      value = project("attn_v", valueLength);
    if (hasCache && !params.hasWindows)
      key = buildKey(layer, project("attn_k", keyLength));
  }
  if (hasCache) {
    if (architecture.hasAltUp)
      value = form.norm(inLayer(layer, "attn_v_norm"), NormKind::Rms, value,
                        /*weight=*/{}, /*bias=*/{}, params.epsilon,
                        params.valueLength);
    buildCacheUpdate(layer, key, value);
  } else {
    const LayerState &caches = state[own.cacheLayer];
    layerKeys = state.get(form, inLayer(layer, "cache_k"), caches.keys);
    layerValues = state.get(form, inLayer(layer, "cache_v"), caches.values);
  }
  Value attended = buildCachedAttention(layer, query);
  if (isGated)
    attended = form.elementwise(
        inLayer(layer, "attn_gated"), ElementwiseKind::Mul,
        {attended, form.elementwise(inLayer(layer, "attn_sigmoid"),
                                    ElementwiseKind::Sigmoid, gate)});
  return buildOutputProjection(layer, attended);
}

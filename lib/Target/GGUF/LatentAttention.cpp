//===- LatentAttention.cpp - Multi-head latent attention ------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transformer.h"
#include <cmath>

using namespace mlir;
using namespace lane;
using namespace lane::importer;

/// The keys that are cached may be longer than those that are multiplied.
AttentionOptions Transformer::getLatentOptions(int64_t heads,
                                               int64_t kvHeads) const {
  AttentionOptions options;
  options.heads = heads;
  options.kvHeads = kvHeads;
  options.scale = params.attentionScale.value_or(
      1 / std::sqrt(double(params.latentKeyLength)));
  return options;
}

/// Builds attention over cached latent rows. The keys of all heads are
/// projections of one latent row. Applying this projection to the query instead
/// gives the same scores, so the latent row itself is the cached key and value.
/// `absorbed` is the query after that.
Value Transformer::buildAbsorbedAttention(int64_t layer, Value absorbed,
                                          Value queryRope, Value latent,
                                          Value keyRope) {
  int64_t heads = params.layers[layer].headCount;
  int64_t rank = params.kvRank;
  int64_t cached = rank + params.ropeDimensions;
  Value query = form.join(inLayer(layer, "query"), {absorbed, queryRope},
                          heads * cached, heads);
  Value key = form.join(inLayer(layer, "key"), {latent, keyRope}, cached);
  buildCacheUpdate(layer, key, /*value=*/{});
  Value attended = form.attention(
      inLayer(layer, "attn"), {query, layerKeys, layerValues, positions},
      heads * rank, getLatentOptions(heads, /*kvHeads=*/1));
  return form.batchMatmul(inLayer(layer, "v_expanded"), attended,
                          form.tensor(inLayer(layer, "attn_v_b.weight"),
                                      {heads, params.latentValueLength, rank}));
}

/// Builds attention for files that have one tensor for the matrices of keys and
/// values: computes and caches the keys and values of each head.
Value Transformer::buildExpandedAttention(int64_t layer, Value queryPlain,
                                          Value queryRope, Value latent,
                                          Value keyRope) {
  int64_t heads = params.layers[layer].headCount;
  int64_t keyLength = params.latentKeyLength;
  int64_t valueLength = params.latentValueLength;
  int64_t plain = keyLength - params.ropeDimensions;
  Value expanded = form.project(inLayer(layer, "attn_kv_b"), latent,
                                params.kvRank, heads * (plain + valueLength));
  auto parts = form.split(expanded,
                          {{inLayer(layer, "k_plain"), heads * plain},
                           {inLayer(layer, "value"), heads * valueLength}},
                          heads);
  Value query = form.join(inLayer(layer, "query"), {queryPlain, queryRope},
                          heads * keyLength, heads);
  Value key = form.join(inLayer(layer, "key"), {parts[0], keyRope},
                        heads * keyLength, heads);
  buildCacheUpdate(layer, key, parts[1]);
  return form.attention(inLayer(layer, "attn"),
                        {query, layerKeys, layerValues, positions},
                        heads * valueLength, getLatentOptions(heads, heads));
}

Value Transformer::buildLatentAttention(int64_t layer, Value x) {
  int64_t heads = params.layers[layer].headCount;
  int64_t embedding = params.embeddingLength;
  int64_t rotated = params.ropeDimensions;
  int64_t plain = params.latentKeyLength - rotated;
  Value query;
  if (params.queryRank != 0) {
    query = form.project(inLayer(layer, "attn_q_a"), x, embedding,
                         params.queryRank);
    query = buildNorm(inLayer(layer, "attn_q_a_norm"), query, params.queryRank);
    query = form.project(inLayer(layer, "attn_q_b"), query, params.queryRank,
                         heads * params.latentKeyLength);
  } else {
    query = form.project(inLayer(layer, "attn_q"), x, embedding,
                         heads * params.latentKeyLength);
  }
  auto queryParts = form.split(query,
                               {{inLayer(layer, "q_plain"), heads * plain},
                                {inLayer(layer, "q_rope"), heads * rotated}},
                               heads);
  Value queryPlain = queryParts[0];
  bool hasLatentCache = !state[layer].values;
  if (hasLatentCache)
    queryPlain = form.batchMatmul(inLayer(layer, "q_absorbed"), queryPlain,
                                  form.tensor(inLayer(layer, "attn_k_b.weight"),
                                              {heads, params.kvRank, plain}));
  Value compressed = form.project(inLayer(layer, "attn_kv_a_mqa"), x, embedding,
                                  params.kvRank + rotated);
  auto keyParts =
      form.split(compressed, {{inLayer(layer, "kv_latent"), params.kvRank},
                              {inLayer(layer, "k_rope"), rotated}});
  Value queryRope = buildRope(layer, "rope_q", queryParts[1], rotated);
  Value keyRope = buildRope(layer, "rope_k", keyParts[1], rotated);
  Value latent =
      buildNorm(inLayer(layer, "attn_kv_a_norm"), keyParts[0], params.kvRank);
  Value attended = hasLatentCache
                       ? buildAbsorbedAttention(layer, queryPlain, queryRope,
                                                latent, keyRope)
                       : buildExpandedAttention(layer, queryPlain, queryRope,
                                                latent, keyRope);
  return form.project(inLayer(layer, "attn_output"), attended,
                      heads * params.latentValueLength, embedding);
}

//===- Transformer.cpp - Forms of a transformer ---------------------------===//
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

Value Transformer::buildNorm(const Twine &name, Value input, int64_t length) {
  std::string stem = name.str();
  Value weight = form.tensor(stem + ".weight", {length});
  Value bias;
  if (architecture.hasNormBias)
    bias = form.tensor(stem + ".bias", {length});
  return form.norm(stem, architecture.norm, input, weight, bias,
                   params.epsilon);
}

Value Transformer::buildMixer(int64_t layer, Value x) {
  if (params.layers[layer].isRecurrent)
    return buildGatedDelta(layer, x);
  if (architecture.attention == AttentionKind::Latent)
    return buildLatentAttention(layer, x);
  return buildAttention(layer, x);
}

Value Transformer::buildLayer(int64_t layer, Value x) {
  if (architecture.hasAltUp)
    return buildAltUpLayer(layer, x);
  int64_t embedding = params.embeddingLength;
  Value input = x;
  if (!architecture.attentionNorm.empty())
    input = buildNorm(inLayer(layer, architecture.attentionNorm), x, embedding);
  Value mixed = buildMixer(layer, input);
  if (architecture.hasPostNorms)
    mixed = buildNorm(inLayer(layer, "post_attention_norm"), mixed, embedding);
  x = form.elementwise(inLayer(layer, "attn_residual"), ElementwiseKind::Add,
                       {x, mixed});
  input = x;
  if (!architecture.networkNorm.empty())
    input = buildNorm(inLayer(layer, architecture.networkNorm), x, embedding);
  Value output = buildNetwork(layer, input);
  if (architecture.hasPostNorms)
    output = buildNorm(inLayer(layer, "post_ffw_norm"), output, embedding);
  return form.elementwise(inLayer(layer, "ffn_residual"), ElementwiseKind::Add,
                          {x, output});
}

void Transformer::buildHead(Value x) {
  int64_t embedding = params.embeddingLength;
  if (architecture.hasAltUp)
    x = buildAltUpOutput(x);
  // Only the last token of a prompt needs a prediction.
  if (form.getKind() == FormKind::Prefill && form.getRows() > 1)
    x = form.viewRows("last", x, form.getRows() - 1, 1, embedding);
  Value normed = buildNorm("output_norm", x, embedding);
  // The head may have fewer rows than the table of embeddings.
  Value logits = form.projectInto(
      params.capsLogits ? "logits_uncapped" : "logits", "output", normed,
      embedding, form.getTensorRows("output.weight"), architecture.outputBias);
  if (params.capsLogits)
    logits = form.elementwise("logits", ElementwiseKind::Softcap, logits,
                              params.logitSoftcap);
  form.sample("token", logits);
}

LogicalResult Transformer::build() {
  bool isPrefill = form.getKind() == FormKind::Prefill;
  Value ids = form.param("ids", form.getRows(), /*isPosition=*/false);
  // The positions of a prefill follow that of its first row.
  positions = form.param("position", isPrefill ? 1 : form.getRows(),
                         /*isPosition=*/true);
  Value x = form.gather("embedding", ids,
                        form.tensor("token_embd.weight",
                                    {vocabularySize, params.embeddingLength}));
  if (architecture.scalesEmbedding)
    x = form.elementwise("embedding_scaled", ElementwiseKind::Scale, x,
                         std::sqrt(double(params.embeddingLength)));
  if (architecture.hasAltUp)
    x = buildAltUpInputs(ids, x);
  for (int64_t layer = 0, end = params.layers.size();
       layer < end && !form.hasFailed(); ++layer)
    x = buildLayer(layer, x);
  buildHead(x);
  if (form.hasFailed())
    return failure();
  form.setUsedStorages();
  return success();
}

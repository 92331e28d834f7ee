//===- AltUp.cpp - Four streams of activations: gemma-3n ------------------===//
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

/// The streams: the embedding and its further projections, one stream after
/// another.
Value Transformer::buildAltUpInputs(Value ids, Value x) {
  int64_t embedding = params.embeddingLength;
  int64_t streams = params.streamCount;
  int64_t length = params.perLayerEmbeddingLength * params.layers.size();
  embeddings = x;
  perLayerEmbeddings = form.gather(
      "per_layer_embedding", ids,
      form.tensor("per_layer_token_embd.weight", {vocabularySize, length}));
  // Each further stream has a matrix. All are read, as in a stack of heads.
  Value further =
      form.launch("batch_matmul_shared", "altup_proj",
                  {x, form.tensor("altup_proj.weight",
                                  {streams - 1, embedding, embedding})},
                  (streams - 1) * form.getRows(), embedding);
  return form.launch("join_streams", "streams", {x, further},
                     streams * form.getRows(), embedding);
}

/// The inputs of all layers that are computed from the tokens.
Value Transformer::buildPerLayerInputs() {
  int64_t own = params.perLayerEmbeddingLength;
  Value projected =
      form.project("per_layer_model_proj", embeddings, params.embeddingLength,
                   own * params.layers.size());
  projected = buildNorm("per_layer_proj_norm", projected, own);
  return form.elementwise("per_layer_inputs", ElementwiseKind::Add,
                          {perLayerEmbeddings, projected});
}

/// The weight of each stream, computed from the active stream.
Value Transformer::buildAltUpRouter(int64_t layer, const Twine &name,
                                    Value active) {
  std::string prefix = inLayer(layer, name);
  int64_t embedding = params.embeddingLength;
  Value normed = form.norm(
      prefix + "_norm", NormKind::Rms, active,
      form.tensor(inLayer(layer, "altup_router_norm.weight"), {embedding}),
      /*bias=*/{}, params.epsilon);
  Value scores = form.projectInto(prefix, inLayer(layer, "altup_router"),
                                  normed, embedding, params.streamCount);
  return form.elementwise(prefix + "_tanh", ElementwiseKind::Tanh, scores);
}

Value Transformer::buildAltUpLayer(int64_t layer, Value streams) {
  int64_t embedding = params.embeddingLength;
  int64_t count = params.streamCount;
  int64_t rows = form.getRows();
  // The active stream is the first.
  Value active = form.viewRows(inLayer(layer, "active"), streams, /*first=*/0,
                               rows, embedding);
  Value coefficients =
      form.project(inLayer(layer, "altup_predict_coef"),
                   buildAltUpRouter(layer, "altup_predict_router", active),
                   count, count * count);
  Value predictions =
      form.launch("altup_predict", inLayer(layer, "predictions"),
                  {streams, coefficients}, count * rows, embedding);
  Value x = form.viewRows(inLayer(layer, "predicted"), predictions,
                          /*first=*/0, rows, embedding);

  Value normed = buildNorm(inLayer(layer, "attn_norm"), x, embedding);
  Value attended = buildNorm(inLayer(layer, "post_attention_norm"),
                             buildAttention(layer, normed), embedding);
  attended = form.elementwise(inLayer(layer, "attn_residual"),
                              ElementwiseKind::Add, {x, attended});
  int64_t laurelRank = form.getTensorRows(inLayer(layer, "laurel_l.weight"));
  Value laurel =
      form.project(inLayer(layer, "laurel_l"), normed, embedding, laurelRank);
  laurel =
      form.project(inLayer(layer, "laurel_r"), laurel, laurelRank, embedding);
  laurel = buildNorm(inLayer(layer, "laurel_post_norm"), laurel, embedding);
  laurel = form.elementwise(inLayer(layer, "laurel"), ElementwiseKind::Add,
                            {normed, laurel});
  attended = form.elementwise(inLayer(layer, "attn_laurel"),
                              ElementwiseKind::Add, {attended, laurel});
  attended =
      form.elementwise(inLayer(layer, "attn_scaled"), ElementwiseKind::Scale,
                       attended, 1 / std::sqrt(2.0));
  Value output = buildNetwork(
      layer, buildNorm(inLayer(layer, "ffn_norm"), attended, embedding));
  output = buildNorm(inLayer(layer, "post_ffw_norm"), output, embedding);
  output = form.elementwise(inLayer(layer, "ffn_residual"),
                            ElementwiseKind::Add, {attended, output});

  coefficients = form.project(
      inLayer(layer, "altup_correct_coef"),
      buildAltUpRouter(layer, "altup_correct_router", output), count, count);
  Value corrected =
      form.launch("altup_correct", inLayer(layer, "corrected"),
                  {predictions, output, coefficients}, count * rows, embedding);
  Value first = form.viewRows(inLayer(layer, "corrected_active"), corrected,
                              /*first=*/0, rows, embedding);
  first = form.elementwise(
      inLayer(layer, "corrected_scaled"), ElementwiseKind::Mul,
      {first,
       form.tensor(inLayer(layer, "altup_correct_scale.weight"), {embedding})});
  int64_t own = params.perLayerEmbeddingLength;
  Value gated = form.project(inLayer(layer, "inp_gate"), first, embedding, own);
  if (layer == 0)
    perLayerInputs = buildPerLayerInputs();
  gated = form.launch("gelu_mul_layer_input", inLayer(layer, "inp_gated"),
                      {gated, perLayerInputs}, rows, own);
  gated = form.project(inLayer(layer, "proj"), gated, own, embedding);
  gated = buildNorm(inLayer(layer, "post_norm"), gated, embedding);
  return form.launch("add_to_further_streams", inLayer(layer, "streams"),
                     {corrected, gated}, count * rows, embedding);
}

/// Combines the streams: the mean of the active stream and the others, each
/// projected back.
Value Transformer::buildAltUpOutput(Value streams) {
  int64_t embedding = params.embeddingLength;
  int64_t count = params.streamCount;
  int64_t rows = form.getRows();
  Value further = form.viewRows("further_streams", streams, rows,
                                (count - 1) * rows, embedding);
  further = form.batchMatmul("altup_unembd_proj", further,
                             form.tensor("altup_unembd_proj.weight",
                                         {count - 1, embedding, embedding}));
  Value active = form.viewRows("active", streams, /*first=*/0, rows, embedding);
  return form.launch("mean_of_streams", "unembedded", {active, further}, rows,
                     embedding);
}

//===- ModelParameters.cpp - Hyperparameters of a checkpoint --------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelParameters.h"
#include "KeyReader.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace lane;
using namespace lane::importer;

/// Sets which layers have a window: all but the last of each period.
static void readWindows(KeyReader &keys, const Architecture &architecture,
                        ModelParameters &params) {
  const WindowPattern &pattern = architecture.window;
  int64_t numLayers = params.layers.size();
  if (pattern.period == 0 ||
      (pattern.layerCount != 0 && pattern.layerCount != numLayers))
    return;
  std::optional<int64_t> otherwise;
  if (pattern.defaultLength != WindowPattern::kRequired)
    otherwise = pattern.defaultLength;
  int64_t window = keys.getInteger("attention.sliding_window", 0,
                                   kMaxContextLength, otherwise);
  if (window == 0)
    return;
  params.hasWindows = true;
  // All such models have the same chunk length.
  if (pattern.isChunked)
    window = pattern.defaultLength;
  SmallVector<int64_t> isWindowed = keys.getPeriodic(
      "attention.sliding_window_pattern", numLayers, pattern.period);
  for (auto [layer, windowed] : zip(params.layers, isWindowed)) {
    layer.rotates &= windowed || !pattern.rotatesOnlyInWindow;
    if (!windowed)
      continue;
    layer.window = window;
    layer.isChunked = pattern.isChunked;
  }
}

/// Sets the layers whose caches the layers from `firstShared` on read.
static void shareCaches(int64_t firstShared, ModelParameters &params) {
  int64_t numLayers = params.layers.size();
  for (int64_t layer = firstShared; layer < numLayers; ++layer) {
    int64_t source = firstShared - 1;
    while (source > 0 &&
           params.layers[source].window != params.layers[layer].window)
      --source;
    params.layers[layer].cacheLayer = source;
  }
}

static void readExperts(KeyReader &keys, const Architecture &architecture,
                        int64_t blockCount, ModelParameters &params) {
  params.expertCount = keys.getInteger("expert_count", 0, kMaxDimension, 0);
  params.expertUsedCount =
      keys.getInteger("expert_used_count", 0, params.expertCount, 0);
  bool hasExperts =
      architecture.experts == Presence::Always ||
      (architecture.experts == Presence::WhereGiven && params.expertCount != 0);
  int64_t leadingDense =
      keys.getInteger("leading_dense_block_count", 0, kMaxLayers, 0);
  // A step of 0 means no such layer.
  int64_t step = keys.getInteger("interleave_moe_layer_step", 0, kMaxLayers, 1);
  SmallVector<int64_t> widths =
      keys.getPerLayer("feed_forward_length", blockCount, 0, kMaxDimension);
  // Without its own key an expert is as wide as the dense network.
  SmallVector<int64_t> expertWidths = widths;
  if (keys.contains("expert_feed_forward_length"))
    expertWidths = keys.getPerLayer("expert_feed_forward_length", blockCount, 0,
                                    kMaxDimension);
  for (auto [index, layer] : enumerate(params.layers)) {
    layer.hasExperts = hasExperts &&
                       static_cast<int64_t>(index) >= leadingDense &&
                       step != 0 && (index + 1) % step == 0;
    layer.feedForwardLength = widths[index];
    layer.expertFeedForwardLength = expertWidths[index];
  }
  // Without shared experts no tensor has their width.
  int64_t shared = keys.getInteger("expert_shared_count", 0, 1024, 1);
  params.sharedExpertLength =
      keys.getInteger("expert_shared_feed_forward_length", 0, kMaxDimension,
                      std::min(kMaxDimension, expertWidths.back() * shared));
}

/// Keys of ggml's functions of the router's scores.
static MoeGating getGating(KeyReader &keys, MoeGating fallback) {
  switch (keys.getInteger("expert_gating_func", 0, 3, 0)) {
  case 1:
    return MoeGating::Softmax;
  case 2:
    return MoeGating::Sigmoid;
  case 3:
    return MoeGating::SoftmaxOfActive;
  default:
    return fallback;
  }
}

static void readScores(KeyReader &keys, const Architecture &architecture,
                       ModelParameters &params) {
  params.gating = getGating(keys, architecture.gating);
  params.normalizesExperts =
      keys.getBool("expert_weights_norm", architecture.normalizesExperts);
  double scale = keys.getNumber("expert_weights_scale", 0);
  params.expertScale = scale == 0 ? 1 : scale;
  double softcap =
      keys.getNumber("attn_logit_softcapping", architecture.attentionSoftcap);
  if (softcap != 0)
    params.attentionSoftcap = softcap;
  double attention = keys.getNumber("attention.scale", 0);
  if (attention != 0)
    params.attentionScale = attention;
}

/// The pair that turns `turns` times in the context that was trained. (Peng et
/// al., "YaRN", 2023, as in ggml_rope_yarn_corr_dim.)
static double getPairOfTurns(const ModelParameters &params, double base,
                             double turns) {
  constexpr double kTurn = 2 * 3.14159265358979323846;
  return static_cast<double>(params.ropeDimensions) *
         std::log(static_cast<double>(params.originalContextLength) /
                  (turns * kTurn)) /
         (2 * std::log(base));
}

static void readRopeScaling(KeyReader &keys, double base,
                            ModelParameters &params) {
  double factor = keys.getNumber("rope.scaling.factor",
                                 keys.getNumber("rope.scale_linear", 0));
  std::string kind = keys.getString("rope.scaling.type", "linear");
  params.rope.magnitude = keys.getNumber("rope.scaling.attn_factor", 1);
  if (factor > 0 && (kind == "linear" || kind == "yarn"))
    params.rope.positionScale = 1 / factor;
  if (kind != "yarn")
    return;
  if (factor > 1)
    params.rope.magnitude *= 0.1 * std::log(factor) + 1;
  double low = getPairOfTurns(
      params, base, keys.getNumber("rope.scaling.yarn_beta_fast", 32));
  double high = getPairOfTurns(
      params, base, keys.getNumber("rope.scaling.yarn_beta_slow", 1));
  params.rope.ramp = {std::max(0.0, std::floor(low)),
                      std::min(static_cast<double>(params.ropeDimensions - 1),
                               std::ceil(high))};
}

static void readLatent(KeyReader &keys, ModelParameters &params) {
  params.queryRank =
      keys.getInteger("attention.q_lora_rank", 0, kMaxDimension, 0);
  params.kvRank = keys.getInteger("attention.kv_lora_rank", 1, kMaxDimension);
  params.latentKeyLength = keys.getInteger("attention.key_length_mla", 1,
                                           kMaxDimension, params.keyLength);
  params.latentValueLength = keys.getInteger("attention.value_length_mla", 1,
                                             kMaxDimension, params.valueLength);
}

/// Reads gated delta nets: all layers but each `full_attention_interval`th.
static void readRecurrent(KeyReader &keys, ModelParameters &params) {
  params.convolutionLength = keys.getInteger("ssm.conv_kernel", 1, 1024);
  params.innerSize = keys.getInteger("ssm.inner_size", 1, kMaxDimension);
  params.stateSize = keys.getInteger("ssm.state_size", 1, kMaxDimension);
  params.timeStepRank = keys.getInteger("ssm.time_step_rank", 1, kMaxDimension);
  params.groupCount = keys.getInteger("ssm.group_count", 1, kMaxDimension);
  int64_t interval =
      keys.getInteger("full_attention_interval", 1, kMaxLayers, 4);
  for (auto [index, layer] : enumerate(params.layers))
    layer.isRecurrent = (index + 1) % interval != 0;
}

/// Checks that `count` times `length`, which is a width, is in range.
static Error checkWidth(const gguf::Header &header, StringRef what,
                        int64_t count, int64_t length) {
  if (count <= kMaxDimension / std::max<int64_t>(1, length))
    return Error::success();
  return createStringError(
      formatv("{0}: {1} {2} of {3} elements are more than {4} in all",
              header.getName(), count, what, length, kMaxDimension)
          .str());
}

/// Checks conditions on more than one key.
static Error checkParameters(const gguf::Header &header,
                             const Architecture &architecture,
                             const ModelParameters &params) {
  auto refuse = [&](const formatv_object_base &why) {
    return createStringError(header.getName() + ": " + why.str());
  };
  if (params.expertCount != 0 && params.expertUsedCount == 0)
    return refuse(formatv("key '{0}.expert_used_count' is 0 for {1} experts",
                          architecture.name, params.expertCount));
  int64_t widest = std::max({params.keyLength, params.valueLength,
                             params.latentKeyLength + params.latentValueLength,
                             params.kvRank + params.ropeDimensions});
  for (auto [index, layer] : enumerate(params.layers)) {
    if (layer.headCount % layer.headCountKv != 0)
      return refuse(formatv(
          "key '{0}.attention.head_count' is {1}, not a multiple "
          "of layer {2}'s {3} key and value heads",
          architecture.name, layer.headCount, index, layer.headCountKv));
    if (Error error = checkWidth(header, "heads", layer.headCount, widest))
      return error;
  }
  if (architecture.attention == AttentionKind::Latent &&
      params.latentKeyLength <= params.ropeDimensions)
    return refuse(formatv("keys have {0} elements, expected more than the {1} "
                          "that rotate",
                          params.latentKeyLength, params.ropeDimensions));
  if (Error error =
          checkWidth(header, "groups", params.groupCount, params.stateSize))
    return error;
  if (architecture.attention == AttentionKind::GatedOrDelta &&
      params.innerSize % params.timeStepRank != 0)
    return refuse(formatv("key '{0}.ssm.inner_size' is {1}, not a multiple of "
                          "{2} time steps",
                          architecture.name, params.innerSize,
                          params.timeStepRank));
  if (Error error =
          checkWidth(header, "layers' embeddings", params.layers.size(),
                     params.perLayerEmbeddingLength))
    return error;
  return checkWidth(header, "streams", params.streamCount,
                    std::max(params.embeddingLength, params.streamCount));
}

Expected<ModelParameters>
lane::importer::readModelParameters(const gguf::Header &header,
                                    const Architecture &architecture) {
  KeyReader keys(header, architecture.name);
  ModelParameters params;
  int64_t blockCount = keys.getInteger("block_count", 1, kMaxLayers);
  // The layers that predict further tokens count as blocks.
  int64_t numLayers = blockCount - keys.getInteger("nextn_predict_layers", 0,
                                                   blockCount - 1, 0);
  params.layers.resize(numLayers);
  params.contextLength =
      keys.getInteger("context_length", 1, kMaxContextLength);
  params.embeddingLength =
      keys.getInteger("embedding_length", 1, kMaxDimension);
  SmallVector<int64_t> heads =
      keys.getPerLayer("attention.head_count", blockCount, 1, kMaxDimension);
  SmallVector<int64_t> kvHeads = heads;
  if (keys.contains("attention.head_count_kv"))
    kvHeads = keys.getPerLayer("attention.head_count_kv", blockCount, 1,
                               kMaxDimension);
  int64_t headLength =
      std::max<int64_t>(1, params.embeddingLength / heads.front());
  params.keyLength =
      keys.getInteger("attention.key_length", 1, kMaxDimension, headLength);
  params.valueLength =
      keys.getInteger("attention.value_length", 1, kMaxDimension, headLength);
  params.ropeDimensions = keys.getInteger("rope.dimension_count", 1,
                                          params.keyLength, params.keyLength);
  params.originalContextLength =
      keys.getInteger("rope.scaling.original_context_length", 1,
                      kMaxContextLength, params.contextLength);
  double ropeBase = keys.getNumber("rope.freq_base", 10000);
  params.epsilon = keys.getNumber(architecture.norm == NormKind::Rms
                                      ? "attention.layer_norm_rms_epsilon"
                                      : "attention.layer_norm_epsilon");
  params.logitSoftcap =
      keys.getNumber("final_logit_softcapping", architecture.logitSoftcap);
  params.capsLogits = params.logitSoftcap != 0;
  for (auto [index, layer] : enumerate(params.layers)) {
    layer.headCount = heads[index];
    layer.headCountKv = kvHeads[index];
    layer.cacheLayer = index;
    layer.rotates = architecture.unrotatedPeriod == 0 ||
                    (index + 1) % architecture.unrotatedPeriod != 0;
  }
  readWindows(keys, architecture, params);
  if (architecture.firstSharedLayer != 0)
    shareCaches(architecture.firstSharedLayer, params);
  double windowRopeBase =
      keys.getNumber("rope.freq_base_swa", architecture.window.ropeBase != 0
                                               ? architecture.window.ropeBase
                                               : ropeBase);
  for (LayerParameters &layer : params.layers)
    layer.ropeBase = layer.window ? windowRopeBase : ropeBase;
  readExperts(keys, architecture, blockCount, params);
  readScores(keys, architecture, params);
  readRopeScaling(keys, ropeBase, params);
  if (architecture.attention == AttentionKind::Latent)
    readLatent(keys, params);
  if (architecture.attention == AttentionKind::GatedOrDelta)
    readRecurrent(keys, params);
  if (architecture.hasAltUp) {
    params.streamCount = keys.getInteger("altup.num_inputs", 2, 1024);
    params.perLayerEmbeddingLength =
        keys.getInteger("embedding_length_per_layer_input", 1, kMaxDimension);
  }
  if (Error error = keys.takeError())
    return std::move(error);
  if (Error error = checkParameters(header, architecture, params))
    return std::move(error);
  return params;
}

//===- GenericParameters.cpp - What a layer of any model carries ----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes are those of llama.cpp, which names tensors and keys of all
// architectures alike.
//
//===----------------------------------------------------------------------===//

#include "Generic.h"
#include "KeyReader.h"

using namespace llvm;
using namespace lane;
using namespace lane::importer;

namespace {
/// Which kinds of tensors a layer has.
struct LayerTensors {
  bool hasKeys = false;
  bool hasJoined = false;
  bool hasLatent = false;
  bool hasKeyExpansion = false;
  bool hasIndexer = false;
  bool hasStateSpace = false;
  bool hasShortConvolution = false;
  bool hasTimeMix = false;
};

/// Reads the parameters of one checkpoint.
class GenericReader {
public:
  GenericReader(const gguf::Checkpoint &checkpoint, StringRef architecture)
      : architecture(architecture),
        keys(checkpoint.getMetadata(), architecture),
        tensors(checkpoint.getTensorList()) {}

  Expected<GenericParameters> read();

private:
  void readLayers();
  void readTensors(MutableArrayRef<LayerTensors> found) const;
  void readWindows();
  void readCaches(ArrayRef<LayerTensors> found);
  void readStates(ArrayRef<LayerTensors> found);
  int64_t getOr(StringRef name, int64_t fallback) {
    return keys.getInteger(name, 1, kMaxDimension, fallback);
  }

  StringRef architecture;
  KeyReader keys;
  const Checkpoint &tensors;
  GenericParameters params;
  int64_t blockCount = 0;
  int64_t embedding = 0;
};
} // namespace

std::optional<std::pair<int64_t, StringRef>>
lane::importer::splitLayerName(StringRef name) {
  int64_t layer;
  // The decoder of an encoder-decoder model.
  name.consume_front("dec.");
  if (!name.consume_front("blk.") || name.consumeInteger(10, layer) ||
      layer < 0 || !name.consume_front("."))
    return std::nullopt;
  return std::pair(layer, name);
}

void GenericReader::readTensors(MutableArrayRef<LayerTensors> found) const {
  for (const CheckpointTensor &tensor : tensors.getTensors()) {
    auto inLayer = splitLayerName(tensor.name);
    if (!inLayer || inLayer->first >= static_cast<int64_t>(found.size()))
      continue;
    auto &[layer, name] = *inLayer;
    LayerTensors &own = found[layer];
    own.hasKeys |= name.starts_with("attn_k.") || name.starts_with("attn_kv_");
    own.hasJoined |= name.starts_with("attn_qkv.");
    own.hasLatent |= name.starts_with("attn_kv_a_mqa.");
    own.hasKeyExpansion |= name.starts_with("attn_k_b.");
    own.hasIndexer |= name.starts_with("indexer.");
    own.hasStateSpace |= name.starts_with("ssm_");
    own.hasShortConvolution |= name.starts_with("shortconv.");
    own.hasTimeMix |= name.starts_with("time_mix_");
  }
}

void GenericReader::readWindows() {
  int64_t window =
      keys.getInteger("attention.sliding_window", 0, kMaxContextLength, 0);
  if (window == 0)
    return;
  // Some architectures have a pattern that only their graphs know.
  int64_t period = architecture == "cohere2" ? 4 : 0;
  if (period == 0 && !keys.contains("attention.sliding_window_pattern")) {
    params.ignoredWindow = window;
    return;
  }
  SmallVector<int64_t> isWindowed =
      keys.getPattern("attention.sliding_window_pattern", blockCount, period);
  for (auto [layer, windowed] : zip(params.layers, isWindowed))
    if (windowed)
      layer.window = window;
}

/// Sets the columns of the caches of layers that have tensors for keys.
void GenericReader::readCaches(ArrayRef<LayerTensors> found) {
  if (!keys.contains("attention.head_count"))
    return;
  // A layer without heads has no cache.
  SmallVector<int64_t> heads =
      keys.getPerLayer("attention.head_count", blockCount, 0, kMaxDimension);
  SmallVector<int64_t> kvHeads = heads;
  if (keys.contains("attention.head_count_kv"))
    kvHeads = keys.getPerLayer("attention.head_count_kv", blockCount, 0,
                               kMaxDimension);
  int64_t mostHeads =
      std::max<int64_t>(1, *std::max_element(heads.begin(), heads.end()));
  int64_t headLength = std::max<int64_t>(1, embedding / mostHeads);
  int64_t keyLength = getOr("attention.key_length", headLength);
  int64_t valueLength = getOr("attention.value_length", headLength);
  int64_t windowKeyLength = getOr("attention.key_length_swa", keyLength);
  int64_t windowValueLength = getOr("attention.value_length_swa", valueLength);
  int64_t latentKeyLength = getOr("attention.key_length_mla", keyLength);
  int64_t latentValueLength = getOr("attention.value_length_mla", valueLength);
  bool isLatent = keys.contains("attention.kv_lora_rank");
  int64_t interval =
      keys.getInteger("full_attention_interval", 1, kMaxLayers, 1);
  int64_t numLayers = params.layers.size();
  int64_t numOwn = numLayers - keys.getInteger("attention.shared_kv_layers", 0,
                                               numLayers, 0);
  for (auto [index, layer] : enumerate(params.layers)) {
    int64_t position = index;
    const LayerTensors &own = found[index];
    layer.sharesCache = position >= numOwn;
    // In a recurrent layer, one tensor projects the inputs of the recurrence.
    bool attends = own.hasKeys || (own.hasJoined && !own.hasStateSpace);
    if (!attends || layer.sharesCache || kvHeads[index] == 0 ||
        (position + 1) % interval != 0)
      continue;
    if (!isLatent || !own.hasLatent) {
      layer.keys = {kvHeads[index], layer.window ? windowKeyLength : keyLength};
      layer.values = {kvHeads[index],
                      layer.window ? windowValueLength : valueLength};
    } else if (own.hasKeyExpansion) {
      // One row is the keys and values of all heads.
      layer.keys = {
          1, keys.getInteger("attention.kv_lora_rank", 1, kMaxDimension) +
                 keys.getInteger("rope.dimension_count", 1, kMaxDimension)};
    } else {
      layer.keys = {heads[index], latentKeyLength};
      layer.values = {heads[index], latentValueLength};
    }
    if (own.hasIndexer)
      layer.indexer = {
          1, keys.getInteger("attention.indexer.key_length", 1, kMaxDimension)};
  }
}

/// Sets the shapes of recurrent states of layers that have tensors for them.
void GenericReader::readStates(ArrayRef<LayerTensors> found) {
  for (auto [index, layer] : enumerate(params.layers)) {
    const LayerTensors &own = found[index];
    if (own.hasStateSpace && keys.contains("kda.head_dim")) {
      // Queries, keys and values have a convolution each.
      int64_t length = keys.getInteger("kda.head_dim", 1, kMaxDimension);
      int64_t heads = keys.getPerLayer("attention.head_count", blockCount, 0,
                                       kMaxDimension)[index];
      layer.convolution = {keys.getInteger("ssm.conv_kernel", 1, 1024, 4) - 1,
                           3 * heads * length};
      layer.recurrence = {heads * length, length};
    } else if (own.hasStateSpace) {
      int64_t inner = keys.getInteger("ssm.inner_size", 1, kMaxDimension);
      int64_t state = keys.getInteger("ssm.state_size", 1, kMaxDimension);
      int64_t groups = keys.getInteger("ssm.group_count", 0, kMaxDimension, 0);
      layer.convolution = {keys.getInteger("ssm.conv_kernel", 1, 1024) - 1,
                           inner + 2 * groups * state};
      layer.recurrence = {inner, state};
    } else if (own.hasShortConvolution) {
      layer.convolution = {keys.getInteger("shortconv.l_cache", 1, 1024) - 1,
                           embedding};
    } else if (own.hasTimeMix) {
      layer.convolution = {keys.getInteger("token_shift_count", 0, 1024, 2),
                           embedding};
      layer.recurrence = {embedding,
                          keys.getInteger("wkv.head_size", 1, kMaxDimension)};
    }
  }
}

void GenericReader::readLayers() {
  if (!keys.contains("block_count") || !keys.contains("embedding_length"))
    return;
  blockCount = keys.getInteger("block_count", 1, kMaxLayers);
  embedding = keys.getInteger("embedding_length", 1, kMaxDimension);
  params.layers.resize(blockCount - keys.getInteger("nextn_predict_layers", 0,
                                                    blockCount - 1, 0));
  SmallVector<LayerTensors> found(params.layers.size());
  readTensors(found);
  readStates(found);
  // Every position of an encoder attends to all others in the same step.
  if (params.hasHead) {
    readWindows();
    readCaches(found);
  }
}

Expected<GenericParameters> GenericReader::read() {
  params.contextLength =
      keys.getInteger("context_length", 0, kMaxContextLength, 0);
  params.expertUsedCount =
      keys.getInteger("expert_used_count", 0, kMaxDimension, 0);
  params.hasHead = keys.getBool("attention.causal", true);
  params.readsNetworkFirst =
      architecture == "cohere2" || architecture == "command-r";
  readLayers();
  if (Error error = keys.takeError())
    return std::move(error);
  return std::move(params);
}

Expected<GenericParameters>
lane::importer::readGenericParameters(const gguf::Checkpoint &checkpoint,
                                      StringRef architecture) {
  return GenericReader(checkpoint, architecture).read();
}

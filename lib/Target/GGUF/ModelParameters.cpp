//===- ModelParameters.cpp - Hyperparameters of a checkpoint --------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelParameters.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace lane;
using namespace lane::importer;

/// No model comes near it, and with it no size of an activation overflows.
static constexpr int64_t kMaxDimension = int64_t(1) << 24;
static constexpr int64_t kMaxLayers = 4096;
static constexpr int64_t kMaxContextLength = int64_t(1) << 30;

namespace {
/// Reads keys of one architecture, and keeps the first error.
class KeyReader {
public:
  KeyReader(const gguf::Header &header, StringRef architecture)
      : header(header), prefix((architecture + ".").str()) {}

  bool contains(StringRef name) const {
    return header.lookup(prefix + name.str());
  }

  /// A number from `least` to `most`; `fallback` where the key is missing,
  /// which without a fallback is an error.
  int64_t getInteger(StringRef name, int64_t least, int64_t most,
                     std::optional<int64_t> fallback = std::nullopt);
  /// One number for each of `count` layers, from a key that may be one number
  /// for all.
  SmallVector<int64_t>
  getPerLayer(StringRef name, int64_t count, int64_t least, int64_t most,
              std::optional<int64_t> fallback = std::nullopt);
  double getNumber(StringRef name,
                   std::optional<double> fallback = std::nullopt);

  Error takeError() { return std::move(error); }
  ~KeyReader() { consumeError(std::move(error)); }

private:
  /// Keeps `next` where it is the first error.
  void fail(Error next) {
    if (error)
      consumeError(std::move(next));
    else
      error = std::move(next);
  }
  int64_t check(StringRef name, int64_t value, int64_t least, int64_t most);

  const gguf::Header &header;
  std::string prefix;
  Error error = Error::success();
};
} // namespace

int64_t KeyReader::check(StringRef name, int64_t value, int64_t least,
                         int64_t most) {
  if (value >= least && value <= most)
    return value;
  fail(createStringError(
      formatv("{0}: key '{1}{2}' is {3}, expected {4} to {5}", header.getName(),
              prefix, name, value, least, most)
          .str()));
  return least;
}

int64_t KeyReader::getInteger(StringRef name, int64_t least, int64_t most,
                              std::optional<int64_t> fallback) {
  if (fallback && !contains(name))
    return check(name, *fallback, least, most);
  Expected<int64_t> value = header.getInteger(prefix + name.str());
  if (value)
    return check(name, *value, least, most);
  fail(value.takeError());
  return least;
}

SmallVector<int64_t> KeyReader::getPerLayer(StringRef name, int64_t count,
                                            int64_t least, int64_t most,
                                            std::optional<int64_t> fallback) {
  if (fallback && !contains(name))
    return SmallVector<int64_t>(count, *fallback);
  Expected<SmallVector<int64_t>> values =
      header.getIntegers(prefix + name.str(), count);
  if (!values) {
    fail(values.takeError());
    return SmallVector<int64_t>(count, least);
  }
  for (int64_t &value : *values)
    value = check(name, value, least, most);
  return std::move(*values);
}

double KeyReader::getNumber(StringRef name, std::optional<double> fallback) {
  if (fallback && !contains(name))
    return *fallback;
  Expected<double> value = header.getNumber(prefix + name.str());
  if (value)
    return *value;
  fail(value.takeError());
  return 0;
}

Expected<ModelParameters>
lane::importer::readModelParameters(const gguf::Header &header,
                                    StringRef architecture) {
  KeyReader keys(header, architecture);
  ModelParameters params;
  params.blockCount = keys.getInteger("block_count", 1, kMaxLayers);
  params.contextLength =
      keys.getInteger("context_length", 1, kMaxContextLength);
  params.embeddingLength =
      keys.getInteger("embedding_length", 1, kMaxDimension);
  params.headCount = keys.getInteger("attention.head_count", 1, kMaxDimension);
  params.headCountKv =
      keys.getPerLayer("attention.head_count_kv", params.blockCount, 1,
                       kMaxDimension, params.headCount);
  int64_t headLength =
      std::max<int64_t>(1, params.embeddingLength / params.headCount);
  params.keyLength =
      keys.getInteger("attention.key_length", 1, kMaxDimension, headLength);
  params.valueLength =
      keys.getInteger("attention.value_length", 1, kMaxDimension, headLength);
  params.ropeDimensions = keys.getInteger("rope.dimension_count", 1,
                                          params.keyLength, params.keyLength);
  params.ropeBase = keys.getNumber("rope.freq_base", 10000);
  params.epsilon = keys.getNumber("attention.layer_norm_rms_epsilon");
  params.feedForwardLength = keys.getPerLayer(
      "feed_forward_length", params.blockCount, 0, kMaxDimension, std::nullopt);
  params.expertCount = keys.getInteger("expert_count", 0, kMaxDimension, 0);
  params.expertUsedCount =
      keys.getInteger("expert_used_count", 0, params.expertCount, 0);
  // Without a key of its own an expert is as wide as the dense network.
  params.expertFeedForwardLength = params.feedForwardLength;
  if (header.lookup((architecture + ".expert_feed_forward_length").str()))
    params.expertFeedForwardLength = keys.getPerLayer(
        "expert_feed_forward_length", params.blockCount, 0, kMaxDimension);
  if (Error error = keys.takeError())
    return std::move(error);
  auto refuse = [&](const formatv_object_base &why) {
    return createStringError(header.getName() + ": " + why.str());
  };
  if (params.expertCount != 0 && params.expertUsedCount == 0)
    return refuse(formatv("key '{0}.expert_used_count' is 0 for {1} experts",
                          architecture, params.expertCount));
  for (int64_t layer = 0; layer < params.blockCount; ++layer)
    if (params.headCount % params.headCountKv[layer] != 0)
      return refuse(formatv(
          "key '{0}.attention.head_count' is {1}, no multiple "
          "of layer {2}'s {3} key and value heads",
          architecture, params.headCount, layer, params.headCountKv[layer]));
  // Heads times their length is a width too.
  int64_t widest = std::max(params.keyLength, params.valueLength);
  if (params.headCount * widest > kMaxDimension)
    return refuse(formatv("{0} heads of {1} elements are more than {2} in all",
                          params.headCount, widest, kMaxDimension));
  return params;
}

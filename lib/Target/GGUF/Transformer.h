//===- Transformer.h - Forms of a transformer -------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a form of a transformer from its entry in Architectures.cpp. Launches
// are in the order in which llama.cpp's graph reads the weights, since the plan
// depends on how late in a step each weight is read. Each kind of block that an
// entry can select is a method of this class, implemented in a file of its own.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_TRANSFORMER_H
#define LANE_LIB_TARGET_GGUF_TRANSFORMER_H

#include "CarriedState.h"

namespace lane::importer {

/// The parts of a model that all of its forms use.
struct Model {
  const Architecture &architecture;
  const ModelParameters &params;
  const CarriedState &state;
  int64_t contextLength;
  int64_t vocabularySize;
};

class Transformer {
public:
  /// `form` must be empty.
  Transformer(const Model &model, FormOp form, TensorTable &tensors)
      : architecture(model.architecture), params(model.params),
        state(model.state), contextLength(model.contextLength),
        vocabularySize(model.vocabularySize), form(form, tensors) {}

  /// Builds the launches of the form. Emits an error with the name of the
  /// tensor and fails if a tensor is missing or has another shape.
  llvm::LogicalResult build();

private:
  using Value = mlir::Value;
  using Twine = llvm::Twine;

  // Transformer.cpp
  Value buildLayer(int64_t layer, Value x);
  void buildHead(Value x);
  /// A norm of the architecture's kind over groups of `length` elements. Its
  /// weights are the tensor `name`.
  Value buildNorm(const Twine &name, Value input, int64_t length);
  /// Attention over the normalized `x`, or the recurrence that replaces it.
  Value buildMixer(int64_t layer, Value x);
  /// The feed-forward network of the normalized `x`.
  Value buildNetwork(int64_t layer, Value x);

  // Attention.cpp
  Value buildAttention(int64_t layer, Value x);
  Value buildQueryKeyNorm(int64_t layer, const Twine &name, Value input,
                          int64_t headLength, int64_t rowLength);
  Value buildRope(int64_t layer, const Twine &name, Value input,
                  int64_t headLength);
  RopeOptions getRopeOptions(int64_t layer, int64_t headLength) const;
  /// Normalizes and rotates the projected query or key.
  Value buildQuery(int64_t layer, Value query);
  Value buildKey(int64_t layer, Value key);
  Value getRopeFactors();
  /// Writes the keys and values of the step to the layer's caches, unless it
  /// reads those of another layer.
  void buildCacheUpdate(int64_t layer, Value key, Value value);
  /// Attention over the layer's caches.
  Value buildCachedAttention(int64_t layer, Value query);
  Value buildOutputProjection(int64_t layer, Value attended);

  // LatentAttention.cpp
  Value buildLatentAttention(int64_t layer, Value x);
  AttentionOptions getLatentOptions(int64_t heads, int64_t kvHeads) const;
  Value buildAbsorbedAttention(int64_t layer, Value absorbed, Value queryRope,
                               Value latent, Value keyRope);
  Value buildExpandedAttention(int64_t layer, Value queryPlain, Value queryRope,
                               Value latent, Value keyRope);

  // GatedDelta.cpp
  Value buildGatedDelta(int64_t layer, Value x);

  // Network.cpp
  Value buildDense(const std::string &prefix, const std::string &suffix,
                   Value x, int64_t width);
  Value buildExperts(int64_t layer, Value x);
  Value buildSharedExpert(int64_t layer, Value x);

  // AltUp.cpp
  Value buildAltUpInputs(Value ids, Value x);
  Value buildPerLayerInputs();
  Value buildAltUpLayer(int64_t layer, Value streams);
  Value buildAltUpRouter(int64_t layer, const Twine &name, Value active);
  Value buildAltUpOutput(Value streams);

  /// `name` with the prefix "blk.<layer>.".
  static std::string inLayer(int64_t layer, const Twine &name) {
    return ("blk." + Twine(layer) + "." + name).str();
  }

  const Architecture &architecture;
  const ModelParameters &params;
  const CarriedState &state;
  int64_t contextLength;
  int64_t vocabularySize;
  FormBuilder form;
  Value positions;
  /// The caches that the current layer attends to.
  Value layerKeys, layerValues;
  /// gemma-3n: the embeddings of the tokens, theirs for each layer, and the sum
  /// of the latter with a projection of the former, layer after layer. The
  /// first layer that needs the sum computes it.
  Value embeddings, perLayerEmbeddings, perLayerInputs;
};

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_TRANSFORMER_H

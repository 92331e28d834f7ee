//===- Transformer.h - Forms of a transformer -------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a form of a transformer whose architecture is an entry of
// Architectures.cpp: its launches in the order in which llama.cpp's graph reads
// the weights, which decides how late in a step each is read. Each block that
// an entry chooses is a method here, in the file named after its kind.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_TRANSFORMER_H
#define LANE_LIB_TARGET_GGUF_TRANSFORMER_H

#include "CarriedState.h"

namespace lane::importer {

/// What the forms of a model have in common.
struct Model {
  const Architecture &architecture;
  const ModelParameters &params;
  const CarriedState &state;
  int64_t contextLength;
  int64_t vocabularySize;
};

class Transformer {
public:
  /// Builds `form`, which is empty.
  Transformer(const Model &model, FormOp form, TensorTable &tensors)
      : architecture(model.architecture), params(model.params),
        state(model.state), contextLength(model.contextLength),
        vocabularySize(model.vocabularySize), form(form, tensors) {}

  /// Builds the form's launches. Fails after an error that names the tensor.
  llvm::LogicalResult build();

private:
  using Value = mlir::Value;
  using Twine = llvm::Twine;

  // Transformer.cpp
  Value buildLayer(int64_t layer, Value x);
  void buildHead(Value x);
  /// The norm `name` by the architecture's kind, of runs of `length`; its
  /// weights are the tensor `name`.
  Value buildNorm(const Twine &name, Value input, int64_t length);
  /// The layer's mixing of positions, of the normed `x`.
  Value buildMixer(int64_t layer, Value x);
  /// The layer's network, of the normed `x`.
  Value buildNetwork(int64_t layer, Value x);

  // Attention.cpp
  Value buildAttention(int64_t layer, Value x);
  Value buildQueryKeyNorm(int64_t layer, const Twine &name, Value input,
                          int64_t headLength, int64_t rowLength);
  Value buildRope(int64_t layer, const Twine &name, Value input);
  Value getRopeFactors();
  /// Writes the step's keys and values to the layer's caches, where it has
  /// its own.
  void buildCacheUpdate(int64_t layer, Value key, Value value);
  /// Attention over the layer's caches.
  Value buildHearing(int64_t layer, Value query);
  Value buildOutputProjection(int64_t layer, Value heard);

  // LatentAttention.cpp
  Value buildLatentAttention(int64_t layer, Value x);
  Value buildAbsorbedHearing(int64_t layer, Value queryPlain, Value queryRope,
                             Value latent, Value keyRope);
  Value buildExpandedHearing(int64_t layer, Value queryPlain, Value queryRope,
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
  Value buildAltUpLayer(int64_t layer, Value streams);
  Value buildAltUpRouter(int64_t layer, const Twine &name, Value active);
  Value buildAltUpOutput(Value streams);

  /// "blk.<layer>." followed by `name`.
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
  /// The caches that the layer being built hears.
  Value layerKeys, layerValues;
  /// gemma-3n: what each layer embeds of the tokens, layer after layer.
  Value perLayerInputs;
};

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_TRANSFORMER_H

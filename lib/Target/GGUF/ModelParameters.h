//===- ModelParameters.h - Hyperparameters of a checkpoint ------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hyperparameters of a GGUF checkpoint that shape its decode step, read
// from the header's keys with the defaults of llama.cpp, and bounded so that
// the sizes of activations cannot overflow.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_MODELPARAMETERS_H
#define LANE_LIB_TARGET_GGUF_MODELPARAMETERS_H

#include "Architectures.h"
#include "LaunchOptions.h"
#include "lane/Checkpoint/GGUF/Header.h"

namespace lane::importer {

/// The parameters of one layer.
struct LayerParameters {
  int64_t headCount = 0;
  int64_t headCountKv = 0;
  /// Positions that the layer attends to; 0 for all.
  int64_t window = 0;
  /// The window is a fixed chunk of positions, not the last ones.
  bool isChunked = false;
  bool rotates = true;
  /// Whether the layer is a gated delta net instead of attention.
  bool isRecurrent = false;
  /// The layer whose caches this one reads; usually itself.
  int64_t cacheLayer = 0;
  double ropeBase = 0;
  bool hasExperts = false;
  /// Width of the dense network, and of each expert.
  int64_t feedForwardLength = 0;
  int64_t expertFeedForwardLength = 0;
};

/// Counts are in elements, lengths in tokens.
struct ModelParameters {
  /// The layers of a decode step, without those that predict further tokens.
  llvm::SmallVector<LayerParameters, 0> layers;
  /// Whether some layers attend to a window.
  bool hasWindows = false;
  int64_t contextLength = 0;
  int64_t embeddingLength = 0;
  int64_t keyLength = 0;
  int64_t valueLength = 0;
  int64_t ropeDimensions = 0;
  /// The context that the model was trained with, before any scaling.
  int64_t originalContextLength = 0;
  double epsilon = 0;
  bool capsLogits = false;
  double logitSoftcap = 0;
  /// Without them, attention has its usual scale, and no cap.
  std::optional<double> attentionScale, attentionSoftcap;
  RopeOptions rope;
  MoeGating gating = MoeGating::Softmax;
  bool normalizesExperts = false;
  double expertScale = 1;
  int64_t expertCount = 0;
  int64_t expertUsedCount = 0;
  int64_t sharedExpertLength = 0;

  /// Multi-head latent attention. A query rank of 0 means one projection.
  int64_t queryRank = 0;
  int64_t kvRank = 0;
  /// Lengths of each head's keys and values, before they become one row.
  int64_t latentKeyLength = 0;
  int64_t latentValueLength = 0;

  /// Gated delta nets.
  int64_t convolutionLength = 0;
  int64_t stateSize = 0;
  int64_t groupCount = 0;
  int64_t timeStepRank = 0;
  int64_t innerSize = 0;

  /// gemma-3n: streams of activations, and an embedding per layer.
  int64_t streamCount = 0;
  int64_t perLayerEmbeddingLength = 0;
};

/// Reads the parameters of `architecture`, whose keys start with its name.
/// Fails, naming the key and its value, if one is missing, is not a number or
/// is out of range.
llvm::Expected<ModelParameters>
readModelParameters(const gguf::Header &header,
                    const Architecture &architecture);

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_MODELPARAMETERS_H

//===- Architectures.h - Model architectures as data ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The differences between architectures, as one table entry each. The blocks
// that an entry selects are implemented in the files of Transformer.h. A new
// architecture that needs no new block is a new entry.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_ARCHITECTURES_H
#define LANE_LIB_TARGET_GGUF_ARCHITECTURES_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"

namespace lane::importer {

/// Whether an architecture has a tensor. `WhereGiven` means that some of its
/// checkpoints have it.
enum class Presence { Never, WhereGiven, Always };

/// The attention of an architecture's layers.
enum class AttentionKind {
  /// Heads in groups that share keys and values. The projections of query, key
  /// and value are a tensor each, or `attn_qkv` contains all three.
  Grouped,
  /// Multi-head latent attention: the cache has one short row per position, and
  /// the keys and values of all heads are computed from it.
  Latent,
  /// The projection of the query also computes a gate for the output. Three of
  /// four layers are gated delta nets instead.
  GatedOrDelta
};

/// Norms of the query and the key.
enum class QueryKeyNorm {
  None,
  HeadWhereGiven,
  Head,
  /// Over all heads of a row together.
  Row,
  /// L2 norm without weights, in the layers that rotate.
  Length
};

/// Which layers attend to a window: all layers of each `period` but the last.
struct WindowPattern {
  /// A checkpoint without the key is an error.
  static constexpr int64_t kRequired = -1;

  /// 0 if no layer has a window, even if the checkpoint has keys for it.
  int64_t period = 0;
  /// Window length in tokens if the key `attention.sliding_window` is missing;
  /// 0 for no windows.
  int64_t defaultLength = kRequired;
  /// Whether windows are chunks of that length instead of the last positions.
  bool isChunked = false;
  /// Whether layers without a window do not rotate.
  bool rotatesOnlyInWindow = false;
  /// Rope base of layers with a window if the key `rope.freq_base_swa` is
  /// missing; 0 to use that of the other layers.
  double ropeBase = 0;
  /// Only models with so many layers have windows; 0 for all models.
  int64_t layerCount = 0;
};

struct Architecture {
  /// The value of `general.architecture` in its checkpoints.
  llvm::StringLiteral name;
  RopeKind rope = RopeKind::Neox;
  AttentionKind attention = AttentionKind::Grouped;
  /// Biases of the projections of query, key and value.
  Presence attentionBias = Presence::WhereGiven;
  /// The bias of the attention's output projection.
  Presence attentionOutputBias = Presence::Never;
  QueryKeyNorm queryKeyNorm = QueryKeyNorm::None;
  /// Whether that norm follows the rotation instead of preceding it.
  bool rotatesBeforeNorm = false;
  /// The last layer of each so many does not rotate. 0 if all layers rotate.
  int64_t unrotatedPeriod = 0;
  /// One additional logit per head in the softmax, as an attention sink.
  bool hasSinks = false;
  WindowPattern window = {};
  /// Layers from this one on read the caches of the last earlier layer with the
  /// same kind of window. 0 if all layers have their own.
  int64_t firstSharedLayer = 0;

  NormKind norm = NormKind::Rms;
  bool hasNormBias = false;
  /// Whether norms follow the attention and the network.
  bool hasPostNorms = false;
  /// Names of the norms before the attention and the network; empty for none.
  llvm::StringLiteral attentionNorm = "attn_norm";
  llvm::StringLiteral networkNorm = "ffn_norm";

  ElementwiseKind activation = ElementwiseKind::SwiGlu;
  /// Whether the dense network has a gate.
  bool hasGate = true;
  /// Whether `ffn_up` also contains the gate.
  bool hasFusedGate = false;
  /// Whether the dense network projects up before it projects the gate.
  bool projectsUpFirst = false;
  /// Biases of the dense network.
  Presence networkBias = Presence::Never;
  /// Experts instead of the dense network, in the layers for which
  /// ModelParameters::hasExperts is set.
  Presence experts = Presence::Never;
  /// The weights of the active experts, unless a key states others.
  MoeGating gating = MoeGating::Softmax;
  bool normalizesExperts = true;
  /// Biases of the router and of each expert.
  bool hasExpertBiases = false;
  /// A bias that only affects which experts become active.
  Presence selectionBias = Presence::Never;
  /// An expert that is active for every token.
  Presence sharedExpert = Presence::Never;

  /// Whether embeddings are scaled by the square root of their length.
  bool scalesEmbedding = false;
  /// The soft cap of logits if the key is missing; 0 for none.
  double logitSoftcap = 0;
  /// The same for the scores of attention.
  double attentionSoftcap = 0;
  Presence outputBias = Presence::Never;
  /// Four streams of activations and an embedding per layer, as in gemma-3n.
  bool hasAltUp = false;
};

/// The architecture with the name `name`, or null.
const Architecture *lookupArchitecture(llvm::StringRef name);

/// Names of all architectures, sorted and separated by commas.
std::string getArchitectureNames();

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_ARCHITECTURES_H

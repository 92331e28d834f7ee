//===- Architectures.h - Model architectures as data ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tells one architecture from another: one entry each. The blocks that an
// entry chooses among are written once, in the files of Transformer.h. To add
// an architecture whose blocks are there is to add an entry.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_ARCHITECTURES_H
#define LANE_LIB_TARGET_GGUF_ARCHITECTURES_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"

namespace lane::importer {

/// Whether an architecture has a tensor.
enum class Presence { Never, WhereGiven, Always };

/// The attention of an architecture's layers.
enum class AttentionKind {
  /// Projections of query, key and value, each a tensor.
  Separate,
  /// The three projections in one tensor.
  Fused,
  /// Multi-head latent attention: the keys and values of all heads are made of
  /// one short row, which alone is cached.
  Latent,
  /// The query's projection holds a gate of the output too, and all but each
  /// fourth layer are gated delta nets instead.
  GatedOrDelta
};

/// Norms of the query and the key before they are rotated.
enum class QueryKeyNorm {
  None,
  HeadWhereGiven,
  Head,
  /// Over all heads of a row together.
  Row,
  /// By length, without weights, in the layers that rotate.
  Length
};

/// Where a layer hears only what is near: all layers of each `period` but the
/// last.
struct WindowPattern {
  /// 0 where no layer has a window, whatever the checkpoint's keys say.
  int64_t period = 0;
  /// Tokens, where the key `attention.sliding_window` does not say; 0 makes the
  /// key necessary.
  int64_t defaultLength = 0;
  /// In chunks of that many tokens, instead of the last so many.
  bool isChunked = false;
  /// Layers without a window do not rotate.
  bool rotatesOnlyInWindow = false;
  /// Of the rotation within a window, where the key `rope.freq_base_swa` does
  /// not say; 0 for that of the other layers.
  double ropeBase = 0;
};

struct Architecture {
  /// `general.architecture` of its checkpoints.
  llvm::StringLiteral name;
  RopeKind rope = RopeKind::Neox;
  AttentionKind attention = AttentionKind::Separate;
  /// Biases of the projections of query, key and value.
  Presence attentionBias = Presence::Never;
  /// The bias of the attention's output projection.
  Presence attentionOutputBias = Presence::Never;
  QueryKeyNorm queryKeyNorm = QueryKeyNorm::None;
  /// A number for each head that its softmax may go to instead of a token.
  bool hasSinks = false;
  WindowPattern window = {};

  /// `rms`, or `layer` which has biases.
  NormKind norm = NormKind::Rms;
  /// A norm of the attention's output, and one of the network's.
  bool hasPostNorms = false;
  /// The tensor of the norm before the network.
  llvm::StringLiteral networkNorm = "ffn_norm";

  ElementwiseKind activation = ElementwiseKind::SwiGlu;
  /// `ffn_up` holds the gate too.
  bool hasFusedGate = false;
  /// Experts in place of the dense network, in the layers that
  /// ModelParameters::hasExperts names.
  Presence experts = Presence::Never;
  /// Biases of the router and of each expert.
  bool hasExpertBiases = false;
  /// A bias that tips the choice of experts alone.
  Presence choiceBias = Presence::Never;
  /// An expert that every token goes through.
  Presence sharedExpert = Presence::Never;

  /// Embeddings are scaled by the root of their length.
  bool scalesEmbedding = false;
  /// The logits are capped softly, where the key is missing too.
  bool capsLogits = false;
  bool hasOutputBias = false;
  /// Four streams of activations, and an embedding of each layer's own:
  /// gemma-3n.
  bool hasAltUp = false;
};

/// The architecture of that name, or null.
const Architecture *lookupArchitecture(llvm::StringRef name);

/// Names of all architectures, sorted and separated by commas.
std::string getArchitectureNames();

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_ARCHITECTURES_H

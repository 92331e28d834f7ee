//===- Generic.h - Models of an unknown architecture ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a form for a model whose graph is not known: one launch for each
// tensor, layer after layer, named after the operation that ggml uses for
// tensors of that name. Such a program can be planned but not run.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_GENERIC_H
#define LANE_LIB_TARGET_GGUF_GENERIC_H

#include "FormBuilder.h"
#include "lane/Checkpoint/GGUF/Checkpoint.h"

namespace lane::importer {

/// Rows and columns of a buffer; without rows there is none.
struct GenericShape {
  int64_t rows = 0;
  int64_t columns = 0;
};

/// Heads of a cache and elements of one; without heads there is none.
struct GenericHeads {
  int64_t count = 0;
  int64_t length = 0;
};

/// What a layer carries from step to step.
struct GenericLayer {
  /// What each position adds to the layer's caches: 0 if it has none, and no
  /// values if the rows of keys serve as values.
  GenericHeads keys, values;
  /// Keys by which sparse attention finds positions.
  GenericHeads indexer;
  /// Positions that the layer attends to; 0 for all.
  int64_t window = 0;
  /// Whether the layer attends to the cache of an earlier one, so that nothing
  /// reads its own projections of keys and values.
  bool sharesCache = false;
  /// f32: the last inputs of a convolution, and the state of a recurrence.
  GenericShape convolution, recurrence;
};

/// What the keys that architectures share state, and the names of the tensors.
/// The checkpoint does not give counts that are 0.
struct GenericParameters {
  int64_t contextLength = 0;
  int64_t expertUsedCount = 0;
  /// Empty if the keys do not give the number of layers. Tensors of layers past
  /// these predict further tokens and are not read.
  llvm::SmallVector<GenericLayer, 0> layers;
  /// Whether a step ends in logits. The file of an encoder has no head.
  bool hasHead = true;
  /// A window whose layers no key gives; all layers then attend to all
  /// positions.
  int64_t ignoredWindow = 0;
  /// Whether llama.cpp reads the network of a layer before it projects the
  /// output of the attention. Both have the same input.
  bool readsNetworkFirst = false;

  /// Whether some layers attend to a window.
  bool hasWindows() const {
    return llvm::any_of(
        layers, [](const GenericLayer &layer) { return layer.window != 0; });
  }
};

/// Fails, naming the key, if one is present and is not a number in range, or if
/// a tensor needs one that is missing.
llvm::Expected<GenericParameters>
readGenericParameters(const gguf::Checkpoint &checkpoint,
                      llvm::StringRef architecture);

/// If a tensor is one of a layer, the layer, and the rest of its name:
/// `blk.3.attn_q.weight` is `attn_q.weight` of layer 3.
std::optional<std::pair<int64_t, llvm::StringRef>>
splitLayerName(llvm::StringRef name);

/// What determines the bytes of the caches.
struct GenericCaches {
  int64_t contextLength;
  NumberFormat keyFormat, valueFormat;
};

/// Builds the decode form `form` and its state.
llvm::LogicalResult buildGenericForm(const GenericParameters &params,
                                     const GenericCaches &caches, FormOp form,
                                     TensorTable &tensors);

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_GENERIC_H

//===- CarriedState.h - What a model carries from step to step --*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of each layer: caches of keys and values, exactly as long as the
// layer hears, or the state of a recurrence. A batch has as many of each as it
// has sequences, of which the other forms view the first.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_CARRIEDSTATE_H
#define LANE_LIB_TARGET_GGUF_CARRIEDSTATE_H

#include "FormBuilder.h"
#include "ModelParameters.h"

namespace lane::importer {

/// Null where the layer has none.
struct LayerState {
  /// Rows of f16, one a position; of latent attention `keys` alone, whose rows
  /// are keys and values at once.
  StateOp keys, values;
  /// f32, of a gated delta net.
  StateOp convolution, recurrence;
};

/// How long the program's caches are to be, and how many.
struct StateOptions {
  int64_t contextLength;
  /// Sequences of the batch form, at least 1.
  int64_t sequences;
  /// Most rows of one sequence that one step writes, at least 1.
  int64_t rows;
};

class CarriedState {
public:
  CarriedState(const Architecture &architecture, const ModelParameters &params,
               const StateOptions &options)
      : architecture(architecture), params(params), options(options) {}

  /// Declares the state of all layers in `program`. Fails, after an error,
  /// where its bytes pass 2^63 or a tensor has its name.
  llvm::LogicalResult declare(ProgramOp program, TensorTable &tensors);

  /// The state of `layer`.
  const LayerState &operator[](int64_t layer) const { return layers[layer]; }

  /// `state` as `form` sees it; `name` is that of the view, where it is one.
  mlir::Value get(FormBuilder &form, const llvm::Twine &name,
                  StateOp state) const;

private:
  /// Positions that the caches of `layer` have room for.
  int64_t getCacheRows(const LayerParameters &layer) const;

  const Architecture &architecture;
  const ModelParameters &params;
  StateOptions options;
  llvm::SmallVector<LayerState> layers;
};

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_CARRIEDSTATE_H

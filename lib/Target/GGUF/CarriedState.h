//===- CarriedState.h - State carried between steps -------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of each layer: caches of keys and values, with as many rows as the
// layer attends to, or the state of a recurrence. A batch has one of each per
// sequence; the other forms view the first.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_CARRIEDSTATE_H
#define LANE_LIB_TARGET_GGUF_CARRIEDSTATE_H

#include "FormBuilder.h"
#include "ModelParameters.h"

namespace lane::importer {

/// A null member does not exist in the layer.
struct LayerState {
  /// f16, one row per position. Latent attention has only `keys`, whose rows
  /// are both keys and values.
  StateOp keys, values;
  /// f32, of a gated delta net.
  StateOp convolution, recurrence;
};

/// The size and the number of the program's caches.
struct StateOptions {
  int64_t contextLength;
  /// Sequences of the batch form, at least 1.
  int64_t sequences;
  /// Maximum rows of one sequence that a step writes, at least 1.
  int64_t rows;
};

class CarriedState {
public:
  CarriedState(const Architecture &architecture, const ModelParameters &params,
               const StateOptions &options)
      : architecture(architecture), params(params), options(options) {}

  /// Declares the state of all layers in `program`. Emits an error and fails if
  /// its bytes overflow int64_t or a tensor has its name.
  llvm::LogicalResult declare(ProgramOp program, TensorTable &tensors);

  /// The state of `layer`.
  const LayerState &operator[](int64_t layer) const { return layers[layer]; }

  /// `state` as used in `form`, which may be a view of the name `name`.
  mlir::Value get(FormBuilder &form, const llvm::Twine &name,
                  StateOp state) const;

private:
  /// Number of positions in the caches of `layer`.
  int64_t getCacheRows(const LayerParameters &layer) const;

  const Architecture &architecture;
  const ModelParameters &params;
  StateOptions options;
  llvm::SmallVector<LayerState> layers;
};

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_CARRIEDSTATE_H

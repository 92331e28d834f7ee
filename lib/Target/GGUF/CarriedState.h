//===- CarriedState.h - State carried between steps -------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The carried state of each layer: caches of keys and values with one row for
// each position that the layer attends to, or the state of a recurrence. With a
// batch form, every sequence has its own state, and the other forms view that
// of the first sequence.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_CARRIEDSTATE_H
#define LANE_LIB_TARGET_GGUF_CARRIEDSTATE_H

#include "FormBuilder.h"
#include "ModelParameters.h"

namespace lane::importer {

/// The state of one layer. Members that the layer does not have are null.
struct LayerState {
  /// Caches with one row per position. Latent attention has only `keys`, whose
  /// rows serve as keys and values.
  StateOp keys, values;
  /// State of a gated delta net in f32.
  StateOp convolution, recurrence;
};

/// What determines the size and the number of the caches.
struct StateOptions {
  int64_t contextLength;
  /// Sequences of the batch form, at least 1.
  int64_t sequences;
  /// Maximum rows of one sequence that a step writes, at least 1.
  int64_t rows;
  /// Formats of the caches.
  NumberFormat keyFormat, valueFormat;
};

/// The type of a cache of `shape`, rows last, in `format`. Attention reads the
/// `headLength` elements of one head at a time, so these are whole blocks too.
/// Null, after an error, if they are not, or if the bytes overflow int64_t.
BufferType
getCacheType(llvm::ArrayRef<int64_t> shape, int64_t headLength,
             NumberFormat format,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
             mlir::MLIRContext *context);

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

  /// The value for `state` in `form`. It may be a view, with the name `name`.
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

//===- Transformer.h - Forms of a transformer -------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the forms of a transformer whose architecture is a row of
// Architectures.cpp: its launches in the order in which a step reads the
// weights, its KV caches as carried state.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_TRANSFORMER_H
#define LANE_LIB_TARGET_GGUF_TRANSFORMER_H

#include "Architectures.h"
#include "FormBuilder.h"
#include "ModelParameters.h"

namespace lane::importer {

/// Keys and values of each layer, one cache a sequence.
struct KvCaches {
  llvm::SmallVector<StateOp> keys;
  llvm::SmallVector<StateOp> values;
};

class Transformer {
public:
  Transformer(const Architecture &architecture, const ModelParameters &params,
              TensorTable &tensors, int64_t vocabularySize)
      : architecture(architecture), params(params), tensors(tensors),
        vocabularySize(vocabularySize) {}

  /// Declares f16 caches of `contextLength` positions for `sequences`
  /// sequences in `program`. Fails where their bytes pass 2^63.
  llvm::LogicalResult declareCaches(ProgramOp program, int64_t contextLength,
                                    int64_t sequences);

  /// Builds the launches of `form`, which is empty. Fails after an error that
  /// names the tensor.
  llvm::LogicalResult buildForm(FormOp form);

private:
  mlir::Value buildAttention(FormBuilder &form, int64_t layer, mlir::Value x,
                             mlir::Value positions);
  mlir::Value buildProjection(FormBuilder &form, const llvm::Twine &name,
                              mlir::Value input, int64_t rows);
  mlir::Value buildDense(FormBuilder &form, int64_t layer, mlir::Value x);
  mlir::Value buildExperts(FormBuilder &form, int64_t layer, mlir::Value x);
  mlir::Value getCache(FormBuilder &form, const llvm::Twine &name,
                       StateOp state);

  const Architecture &architecture;
  const ModelParameters &params;
  TensorTable &tensors;
  int64_t vocabularySize;
  KvCaches caches;
  int64_t contextLength = 0;
  int64_t sequences = 0;
};

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_TRANSFORMER_H

//===- Generic.h - Models of an unknown architecture ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Imports a model of unknown architecture as the weights that a step reads: one
// launch per tensor, layer after layer, named after ggml's operation for
// tensors of that name. Such a program can be planned but not run.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_GENERIC_H
#define LANE_LIB_TARGET_GGUF_GENERIC_H

#include "FormBuilder.h"

namespace lane::importer {

/// Parameters that do not depend on the architecture. Counts that are missing
/// in the checkpoint are 0.
struct GenericParameters {
  int64_t contextLength = 0;
  int64_t expertUsedCount = 0;
  /// Elements that each position adds to the caches of each layer; empty if the
  /// keys are missing.
  llvm::SmallVector<int64_t> cacheColumns;
};

/// Fails with the name of the key if a key is not a number in range.
llvm::Expected<GenericParameters>
readGenericParameters(const gguf::Header &header, llvm::StringRef architecture);

/// Builds the decode form `form` and its caches.
llvm::LogicalResult buildGenericForm(const GenericParameters &params,
                                     int64_t contextLength, FormOp form,
                                     TensorTable &tensors);

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_GENERIC_H

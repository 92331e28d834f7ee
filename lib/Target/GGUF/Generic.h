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
#include "lane/Checkpoint/GGUF/Header.h"

namespace lane::importer {

/// The parameters that all architectures share. The checkpoint does not give
/// counts that are 0.
struct GenericParameters {
  int64_t contextLength = 0;
  int64_t expertUsedCount = 0;
  /// Elements that a position of each layer adds to the caches; empty if the
  /// keys do not give them.
  llvm::SmallVector<int64_t> cacheColumns;
};

/// Fails, naming the key, if one is present and is not a number in range.
llvm::Expected<GenericParameters>
readGenericParameters(const gguf::Header &header, llvm::StringRef architecture);

/// Builds the decode form `form` and its caches.
llvm::LogicalResult buildGenericForm(const GenericParameters &params,
                                     int64_t contextLength, FormOp form,
                                     TensorTable &tensors);

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_GENERIC_H

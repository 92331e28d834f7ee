//===- Generic.h - Models of an unknown architecture ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model whose graph is not known is still rows that a step reads: one launch
// for each tensor, named after the kind of operation that ggml gives tensors of
// that name, layer after layer. Such a program can be planned, not run.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_GENERIC_H
#define LANE_LIB_TARGET_GGUF_GENERIC_H

#include "FormBuilder.h"
#include "lane/Checkpoint/GGUF/Header.h"

namespace lane::importer {

/// What can be said of a model without its architecture. Counts of 0 are not
/// given by the checkpoint.
struct GenericParameters {
  int64_t contextLength = 0;
  int64_t expertUsedCount = 0;
  /// Elements that a position of each layer adds to the caches; empty where the
  /// keys do not say.
  llvm::SmallVector<int64_t> cacheColumns;
};

/// Fails, naming the key, where one is there and is no number in range.
llvm::Expected<GenericParameters>
readGenericParameters(const gguf::Header &header, llvm::StringRef architecture);

/// Builds the decode form `form` and the caches it reads.
llvm::LogicalResult buildGenericForm(const GenericParameters &params,
                                     int64_t contextLength, FormOp form,
                                     TensorTable &tensors);

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_GENERIC_H

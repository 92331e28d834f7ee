//===- ModelParameters.h - Hyperparameters of a checkpoint ------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hyperparameters of a GGUF checkpoint which shape its decode step, read
// from the header's keys with the defaults of llama.cpp, and bounded so that
// the sizes of activations cannot overflow.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_MODELPARAMETERS_H
#define LANE_LIB_TARGET_GGUF_MODELPARAMETERS_H

#include "lane/Checkpoint/GGUF.h"

namespace lane::importer {

/// Counts are in elements, lengths in tokens.
struct ModelParameters {
  int64_t blockCount = 0;
  int64_t contextLength = 0;
  int64_t embeddingLength = 0;
  int64_t headCount = 0;
  /// Key and value heads of each layer.
  llvm::SmallVector<int64_t> headCountKv;
  int64_t keyLength = 0;
  int64_t valueLength = 0;
  int64_t ropeDimensions = 0;
  double ropeBase = 0;
  double epsilon = 0;
  /// Width of the dense feed-forward network of each layer.
  llvm::SmallVector<int64_t> feedForwardLength;
  /// Width of each expert of each layer.
  llvm::SmallVector<int64_t> expertFeedForwardLength;
  int64_t expertCount = 0;
  int64_t expertUsedCount = 0;
};

/// Reads the parameters of `architecture`, whose keys start with its name.
/// Fails, naming the key and its figure, where one is missing, is not a number
/// or is out of range.
llvm::Expected<ModelParameters>
readModelParameters(const gguf::Header &header, llvm::StringRef architecture);

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_MODELPARAMETERS_H

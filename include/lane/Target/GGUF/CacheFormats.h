//===- CacheFormats.h - Formats of caches -----------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number formats that caches of keys and values can have, with the names
// that llama.cpp's options have for them.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TARGET_GGUF_CACHEFORMATS_H
#define LANE_TARGET_GGUF_CACHEFORMATS_H

#include "lane/Support/NumberFormat.h"
#include "llvm/Support/CommandLine.h"

namespace lane {

/// The formats of caches, in the order of llama.cpp's help.
llvm::ArrayRef<NumberFormat> getCacheFormats();

/// Makes the formats of caches the values of `option`.
void addCacheFormats(llvm::cl::opt<NumberFormat> &option);

} // namespace lane

#endif // LANE_TARGET_GGUF_CACHEFORMATS_H

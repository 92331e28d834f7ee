//===- CacheFormats.cpp - Formats of caches -------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Target/GGUF/CacheFormats.h"

using namespace llvm;
using namespace lane;

static constexpr NumberFormat kCacheFormats[] = {
    NumberFormat::F32,    NumberFormat::F16,  NumberFormat::BF16,
    NumberFormat::Q8_0,   NumberFormat::Q4_0, NumberFormat::Q4_1,
    NumberFormat::IQ4_NL, NumberFormat::Q5_0, NumberFormat::Q5_1};

ArrayRef<NumberFormat> lane::getCacheFormats() { return kCacheFormats; }

void lane::addCacheFormats(cl::opt<NumberFormat> &option) {
  for (NumberFormat format : kCacheFormats)
    option.getParser().addLiteralOption(stringifyNumberFormat(format), format,
                                        "");
}

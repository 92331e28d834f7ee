//===- CheckpointFormat.cpp - Formats of checkpoints ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/CheckpointFormat.h"
#include "GGUF/Format.h"
#include "Safetensors/Format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace lane;

static constexpr CheckpointFormat kFormats[] = {
    {"GGUF", gguf::recognizes, gguf::openCheckpoint},
    {"safetensors", safetensors::recognizes, safetensors::openCheckpoint},
};

ArrayRef<CheckpointFormat> lane::getCheckpointFormats() { return kFormats; }

const CheckpointFormat *lane::lookupCheckpointFormat(StringRef bytes,
                                                     StringRef path) {
  const auto *format = find_if(kFormats, [&](const CheckpointFormat &format) {
    return format.recognizes(bytes, path);
  });
  return format == std::end(kFormats) ? nullptr : format;
}

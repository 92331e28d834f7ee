//===- GGUFFuzzer.cpp - Any bytes as a GGUF checkpoint --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning.h"
#include "lane/Checkpoint/GGUF/HeaderJson.h"
#include "lane/Target/GGUF/ImportGGUF.h"

using namespace lane;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Not the name of a shard, so the reader looks for no other file.
  llvm::MemoryBufferRef buffer(
      llvm::StringRef(reinterpret_cast<const char *>(data), size), "fuzz.gguf");
  llvm::Expected<gguf::Header> header = gguf::Header::parse(buffer);
  if (!header) {
    llvm::consumeError(header.takeError());
    return 0;
  }
  gguf::printHeaderJson(*header, llvm::nulls());
  llvm::Expected<gguf::Checkpoint> checkpoint =
      gguf::Checkpoint::open(std::move(*header));
  if (!checkpoint) {
    llvm::consumeError(checkpoint.takeError());
    return 0;
  }
  for (bool isGeneric : {false, true}) {
    fuzz::Context context;
    GGUFImportOptions options;
    options.isGeneric = isGeneric;
    options.batchRows = isGeneric ? 0 : 2;
    mlir::OwningOpRef<mlir::ModuleOp> module =
        importGGUF(*checkpoint, options, context.get());
    if (module)
      fuzz::plan(*module);
  }
  return 0;
}

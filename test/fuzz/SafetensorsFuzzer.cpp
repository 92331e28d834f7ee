//===- SafetensorsFuzzer.cpp - Any bytes as safetensors -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The readers of a file and of an index get the same bytes.
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/Safetensors/Checkpoint.h"
#include "lane/Checkpoint/Safetensors/Index.h"
#include <cstdlib>

using namespace lane;

/// Ends the run if the tensors of an accepted file are not all of its data, one
/// after the other.
static void checkTensors(const Checkpoint &checkpoint, size_t fileBytes) {
  llvm::ArrayRef<CheckpointTensor> tensors = checkpoint.getTensors();
  if (tensors.empty())
    return;
  int64_t end = tensors.front().offset;
  for (const CheckpointTensor &tensor : tensors) {
    int64_t elements = 1;
    for (int64_t size : tensor.shape)
      elements *= size;
    if (tensor.offset != end || tensor.sizeBytes > 8 * elements ||
        (elements > 0) != (tensor.sizeBytes > 0) ||
        checkpoint.lookup(tensor.name) != &tensor)
      std::abort();
    end += tensor.sizeBytes;
  }
  if (end != static_cast<int64_t>(fileBytes))
    std::abort();
}

/// An error is one line.
static void checkError(llvm::Error error) {
  if (llvm::StringRef(llvm::toString(std::move(error))).contains('\n'))
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::MemoryBufferRef buffer(
      llvm::StringRef(reinterpret_cast<const char *>(data), size), "fuzz");
  llvm::Expected<Checkpoint> checkpoint = safetensors::readFile(buffer);
  if (checkpoint)
    checkTensors(*checkpoint, size);
  else
    checkError(checkpoint.takeError());
  llvm::Expected<safetensors::Index> index = safetensors::Index::parse(buffer);
  if (!index)
    checkError(index.takeError());
  return 0;
}

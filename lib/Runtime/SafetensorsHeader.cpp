//===- SafetensorsHeader.cpp - The tensors of a safetensors file ----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/SafetensorsHeader.h"
#include "CheckpointFile.h"

namespace lane::runtime {

static bool isSafetensors(HeaderReader &reader) {
  char start[safetensors::kLengthBytes + 1];
  return reader.take(start, sizeof(start)) &&
         safetensors::isHeaderStart(start, reader.getFileBytes());
}

static std::string readSafetensors(HeaderReader &reader,
                                   std::vector<CheckpointTensor> &tensors) {
  char start[safetensors::kLengthBytes];
  if (!reader.take(start, sizeof(start)))
    return "the header is cut short";
  // The file has so many bytes, and they are few enough.
  uint64_t headerBytes = safetensors::getHeaderBytes(start);
  std::vector<char> header(headerBytes);
  if (!reader.take(header.data(), headerBytes))
    return "the header is cut short";
  std::vector<safetensors::Tensor> parsed;
  std::string why = safetensors::HeaderParser(header.data(), headerBytes,
                                              reader.getFileBytes())
                        .parse(parsed);
  for (safetensors::Tensor &tensor : parsed) {
    // One without bytes is at the offset of the next, and no segment reads it.
    if (tensor.begin == tensor.end)
      continue;
    CheckpointTensor result;
    result.name = std::move(tensor.name);
    result.offset = safetensors::kLengthBytes + headerBytes + tensor.begin;
    result.columns = tensor.shape.empty() ? 1 : tensor.shape.back();
    result.rows = 1;
    // A product that overflows was refused.
    for (size_t i = 0; i + 1 < tensor.shape.size(); ++i)
      result.rows *= tensor.shape[i];
    result.type = tensor.dtype->ggmlType;
    tensors.push_back(std::move(result));
  }
  return why;
}

const CheckpointFormat kSafetensorsFormat = {"safetensors", isSafetensors,
                                             readSafetensors};

} // namespace lane::runtime

//===- ReadInput.cpp - The bytes of the input of lane-plan ----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadInput.h"
#include "lane/Checkpoint/File.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace lane;

static constexpr StringLiteral kStandardInput = "<stdin>";
static constexpr size_t kMaxInputBytes = size_t(256) << 20;

static Expected<std::unique_ptr<MemoryBuffer>> readStandardInput() {
  constexpr size_t kChunkBytes = size_t(64) << 10;
  SmallVector<char, 0> bytes;
  while (bytes.size() < kMaxInputBytes) {
    size_t size = bytes.size();
    bytes.resize_for_overwrite(size + kChunkBytes);
    Expected<size_t> read =
        sys::fs::readNativeFile(sys::fs::getStdinHandle(),
                                MutableArrayRef<char>(bytes).drop_front(size));
    if (!read)
      return createStringError(
          kStandardInput + ": cannot be read: " + toString(read.takeError()));
    bytes.truncate(size + *read);
    if (*read == 0)
      break;
  }
  StringRef text(bytes.data(), bytes.size());
  if (text.size() >= kMaxInputBytes && !text.starts_with("GGUF"))
    return createStringError(kStandardInput + ": exceeds " +
                             formatBytes(kMaxInputBytes));
  return MemoryBuffer::getMemBufferCopy(text, kStandardInput);
}

Expected<std::unique_ptr<MemoryBuffer>> lane::readInput(StringRef path) {
  return path == "-" ? readStandardInput() : openFile(path);
}

Error lane::refuseForeignFormat(StringRef bytes, StringRef name) {
  // The magics of llama.cpp's formats before GGUF are little-endian numbers.
  static constexpr std::pair<StringLiteral, StringLiteral> kFormats[] = {
      {"lmgg", "a ggml file, of before GGUF: convert the model to GGUF"},
      {"fmgg", "a ggmf file, of before GGUF: convert the model to GGUF"},
      {"tjgg", "a ggjt file, of before GGUF: convert the model to GGUF"},
      {"algg", "an adapter of before GGUF, not a model"},
      {"PK\x03\x04", "a zip archive, as PyTorch writes: convert the model to "
                     "GGUF"},
      {"\x89HDF", "an HDF5 file: convert the model to GGUF"},
      {"\x80\x02", "a pickle of Python: convert the model to GGUF"},
  };
  for (const auto &[magic, what] : kFormats)
    if (bytes.starts_with(magic))
      return createStringError(name + ": magic at offset 0: the file is " +
                               what);
  return Error::success();
}

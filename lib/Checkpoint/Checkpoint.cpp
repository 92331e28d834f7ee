//===- Checkpoint.cpp - The tensors of a checkpoint -----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/Checkpoint.h"
#include "lane/Checkpoint/CheckpointFormat.h"
#include "lane/Checkpoint/File.h"
#include "lane/Support/Quote.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace lane;

Expected<Checkpoint> Checkpoint::open(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> file = openFile(path);
  if (!file)
    return file.takeError();
  return open(std::move(*file));
}

Expected<Checkpoint> Checkpoint::open(std::unique_ptr<MemoryBuffer> file) {
  StringRef path = file->getBufferIdentifier();
  if (const CheckpointFormat *format =
          lookupCheckpointFormat(file->getBuffer(), path))
    return format->open(std::move(file));
  auto names = map_range(
      getCheckpointFormats(),
      [](const CheckpointFormat &format) -> StringRef { return format.name; });
  return createStringError(path + ": unknown checkpoint format; known are " +
                           join(names, ", "));
}

Expected<Checkpoint> Checkpoint::create(std::vector<CheckpointFile> files,
                                        std::vector<CheckpointTensor> tensors) {
  Checkpoint checkpoint;
  for (auto [index, tensor] : enumerate(tensors)) {
    auto [it, isNew] = checkpoint.indices.try_emplace(tensor.name, index);
    if (isNew)
      continue;
    size_t other = tensors[it->second].file;
    return createStringError(
        files[tensor.file].path + ": tensor " + quote(tensor.name) +
        (other == tensor.file ? " is defined twice"
                              : " is also in '" + files[other].path + "'"));
  }
  checkpoint.files = std::move(files);
  checkpoint.tensors = std::move(tensors);
  return checkpoint;
}

const CheckpointTensor *Checkpoint::lookup(StringRef name) const {
  auto it = indices.find(name);
  return it == indices.end() ? nullptr : &tensors[it->second];
}

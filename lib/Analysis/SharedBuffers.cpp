//===- SharedBuffers.cpp - Constants and state by name --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedBuffers.h"

using namespace mlir;
using namespace lane;

SharedBuffer *SharedBuffers::lookup(StringAttr name) {
  // A launch reads a buffer that was just referenced; a reference is mostly to
  // the next buffer.
  constexpr size_t kNeighbours = 4;
  if (SharedBuffer *buffer = tryAt(last, name))
    return buffer;
  for (size_t distance = 1; distance <= kNeighbours; ++distance) {
    if (SharedBuffer *buffer = tryAt(last + distance, name))
      return buffer;
    if (SharedBuffer *buffer = tryAt(last - distance, name))
      return buffer;
  }
  if (positions.empty()) {
    positions.reserve(entries.size());
    for (auto [position, entry] : llvm::enumerate(entries))
      positions.try_emplace(entry.first, position);
  }
  auto it = positions.find(name);
  return it == positions.end() ? nullptr : tryAt(it->second, name);
}

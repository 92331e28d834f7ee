//===- GGUFHeader.cpp - The tensors of a GGUF file ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckpointFile.h"
#include <cstring>

namespace lane::runtime {

static bool isGGUF(HeaderReader &reader) {
  char magic[4];
  return reader.take(magic, sizeof(magic)) &&
         std::memcmp(magic, "GGUF", sizeof(magic)) == 0;
}

static bool skipGGUFString(HeaderReader &reader) {
  uint64_t length = 0;
  return reader.take(length) && reader.skip(length);
}

static bool skipGGUFValue(HeaderReader &reader, uint32_t type) {
  // By GGUF's id of the type; strings and arrays have no fixed width.
  static const uint8_t kWidths[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  constexpr uint32_t kString = 8, kArray = 9, kNumTypes = 13;
  if (type == kString)
    return skipGGUFString(reader);
  if (type != kArray)
    return type < kNumTypes && reader.skip(kWidths[type]);
  uint32_t elementType = 0;
  uint64_t length = 0;
  if (!reader.take(elementType) || !reader.take(length) ||
      elementType == kArray || elementType >= kNumTypes)
    return false;
  if (elementType != kString)
    return length <= reader.getFileBytes() / kWidths[elementType] &&
           reader.skip(length * kWidths[elementType]);
  for (uint64_t i = 0; i < length; ++i)
    if (!skipGGUFString(reader))
      return false;
  return true;
}

/// Reads a key and its value: only the alignment matters.
static bool takeGGUFKey(HeaderReader &reader, uint64_t &alignment) {
  static const char kAlignmentKey[] = "general.alignment";
  constexpr uint64_t kAlignmentLength = sizeof(kAlignmentKey) - 1;
  uint64_t length = 0;
  uint32_t type = 0;
  if (!reader.take(length))
    return false;
  if (length != kAlignmentLength)
    return reader.skip(length) && reader.take(type) &&
           skipGGUFValue(reader, type);
  char key[kAlignmentLength];
  if (!reader.take(key, length) || !reader.take(type))
    return false;
  constexpr uint32_t kUInt32 = 4;
  if (type != kUInt32 || std::memcmp(key, kAlignmentKey, length) != 0)
    return skipGGUFValue(reader, type);
  uint32_t bytes = 0;
  if (!reader.take(bytes))
    return false;
  alignment = bytes;
  return bytes != 0 && (bytes & (bytes - 1)) == 0;
}

static bool takeGGUFTensor(HeaderReader &reader, CheckpointTensor &tensor) {
  constexpr uint64_t kMaxName = 64;
  constexpr uint32_t kMaxDimensions = 4;
  uint64_t length = 0;
  uint32_t rank = 0;
  if (!reader.take(length) || length > kMaxName)
    return false;
  tensor.name.resize(length);
  if (!reader.take(&tensor.name[0], length) || !reader.take(rank) ||
      rank > kMaxDimensions)
    return false;
  tensor.columns = 1;
  tensor.rows = 1;
  for (uint32_t i = 0; i < rank; ++i) {
    uint64_t size = 0;
    if (!reader.take(size))
      return false;
    uint64_t &product = i == 0 ? tensor.columns : tensor.rows;
    if (size != 0 && product > UINT64_MAX / size)
      return false;
    product *= size;
  }
  return reader.take(tensor.type) && reader.take(tensor.offset);
}

static std::string readGGUFTensors(HeaderReader &reader,
                                   std::vector<CheckpointTensor> &tensors) {
  std::string malformed = "the header is cut short or malformed";
  uint32_t magic = 0, version = 0;
  uint64_t numTensors = 0, numKeys = 0;
  if (!reader.take(magic) || !reader.take(version) || version < 2 ||
      version > 3)
    return "GGUF version " + std::to_string(version) +
           " is not supported (2 and 3 are)";
  if (!reader.take(numTensors) || !reader.take(numKeys))
    return malformed;
  uint64_t alignment = 32;
  for (uint64_t i = 0; i < numKeys; ++i)
    if (!takeGGUFKey(reader, alignment))
      return malformed + " in key " + std::to_string(i);
  for (uint64_t i = 0; i < numTensors; ++i) {
    CheckpointTensor tensor;
    if (!takeGGUFTensor(reader, tensor))
      return malformed + " in tensor " + std::to_string(i);
    tensors.push_back(std::move(tensor));
  }
  // Offsets are from the data, which starts at the next multiple.
  uint64_t position = reader.getPosition();
  uint64_t dataStart = (position + alignment - 1) / alignment * alignment;
  for (CheckpointTensor &tensor : tensors)
    tensor.offset += dataStart;
  return {};
}

const CheckpointFormat kGGUFFormat = {"GGUF", isGGUF, readGGUFTensors};

} // namespace lane::runtime

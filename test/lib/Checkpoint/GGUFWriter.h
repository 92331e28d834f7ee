//===- GGUFWriter.h - Writes GGUF headers for tests -------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the bytes of a GGUF header, valid or not, in memory: the keys and
// tensors in the order in which they are added.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_CHECKPOINT_GGUFWRITER_H
#define LANE_TEST_CHECKPOINT_GGUFWRITER_H

#include "lane/Checkpoint/GGUF/Header.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <string>

namespace lane::gguf {

class GGUFWriter {
public:
  explicit GGUFWriter(uint32_t version = 3) : version(version) {}

  template <typename T>
  void addScalar(llvm::StringRef key, ValueType type, T value) {
    addKey(key, type);
    append(keys, value);
  }

  void addString(llvm::StringRef key, llvm::StringRef value) {
    addKey(key, ValueType::String);
    appendString(keys, value);
  }

  template <typename T>
  void addArray(llvm::StringRef key, ValueType elementType,
                llvm::ArrayRef<T> values) {
    addArrayKey(key, elementType, values.size());
    for (T value : values)
      append(keys, value);
  }

  void addStringArray(llvm::StringRef key,
                      llvm::ArrayRef<llvm::StringRef> values) {
    addArrayKey(key, ValueType::String, values.size());
    for (llvm::StringRef value : values)
      appendString(keys, value);
  }

  /// Sets the alignment of the tensors that are added from now on.
  void setAlignment(uint32_t bytes) {
    addScalar("general.alignment", ValueType::UInt32, bytes);
    alignment = bytes;
  }

  /// A tensor with exactly these values, which may be wrong.
  void addRawTensor(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                    uint32_t type, uint64_t offset) {
    ++numTensors;
    appendString(tensors, name);
    append(tensors, static_cast<uint32_t>(shape.size()));
    for (int64_t dimension : shape)
      append(tensors, dimension);
    append(tensors, type);
    append(tensors, offset);
  }

  /// Adds a tensor of whole blocks, stored after the previous ones.
  void addTensor(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                 NumberFormat format) {
    addRawTensor(name, shape, static_cast<uint32_t>(format), dataBytes);
    uint64_t elements = 1;
    for (int64_t dimension : shape)
      elements *= dimension;
    dataBytes += llvm::alignTo(
        elements / getBlockElements(format) * getBlockBytes(format), alignment);
  }

  /// Padded bytes of the tensor data.
  uint64_t getDataBytes() const { return dataBytes; }

  /// The header, padded to the alignment if it has tensors.
  std::string write() const {
    std::string bytes = "GGUF";
    append(bytes, version);
    append(bytes, numTensors);
    append(bytes, numKeys);
    bytes += keys;
    bytes += tensors;
    if (numTensors > 0)
      bytes.resize(llvm::alignTo(bytes.size(), alignment));
    return bytes;
  }

private:
  template <typename T>
  static void append(std::string &bytes, T value) {
    char data[sizeof(T)];
    llvm::support::endian::write<T, llvm::endianness::little>(data, value);
    bytes.append(data, sizeof(T));
  }

  static void appendString(std::string &bytes, llvm::StringRef text) {
    append(bytes, static_cast<uint64_t>(text.size()));
    bytes += text;
  }

  void addKey(llvm::StringRef key, ValueType type) {
    ++numKeys;
    appendString(keys, key);
    append(keys, static_cast<uint32_t>(type));
  }

  void addArrayKey(llvm::StringRef key, ValueType elementType,
                   uint64_t length) {
    addKey(key, ValueType::Array);
    append(keys, static_cast<uint32_t>(elementType));
    append(keys, length);
  }

  uint32_t version;
  uint64_t numTensors = 0;
  uint64_t numKeys = 0;
  uint64_t dataBytes = 0;
  uint32_t alignment = 32;
  std::string keys;
  std::string tensors;
};

} // namespace lane::gguf

#endif // LANE_TEST_CHECKPOINT_GGUFWRITER_H

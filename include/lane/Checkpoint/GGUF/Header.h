//===- Header.h - Headers of GGUF files -------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the header of a GGUF file, versions 2 and 3: its metadata, and the
// name, shape, number format and place of every tensor. The file is not
// trusted: no read is out of bounds, no allocation is larger than the file's
// size allows, and no sum overflows. The reader accepts what llama.cpp accepts,
// except that it refuses sizes that overflow int64.
//
// Nothing is copied: strings, values and names view the file's bytes, and the
// tensors' data is never read.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CHECKPOINT_GGUF_HEADER_H
#define LANE_CHECKPOINT_GGUF_HEADER_H

#include "lane/Checkpoint/GGUF/Metadata.h"
#include "lane/Support/NumberFormat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <string>
#include <vector>

namespace lane::gguf {

/// A tensor as the header describes it.
struct Tensor {
  llvm::StringRef name;
  /// In ggml's order: the contiguous dimension first. At most four dimensions,
  /// none negative; no dimensions are one element.
  llvm::SmallVector<int64_t, 4> shape;
  NumberFormat format;
  /// Bytes from the file's start to the data.
  int64_t offset;
  /// Bytes of the data, without the padding after it.
  int64_t sizeBytes;
  /// Bytes from the file's start to the description, for messages.
  uint64_t headerOffset;
};

/// The header of a checkpoint. It views the buffer, which must outlive it.
///
/// Errors are one lower-case line, "NAME: FIELD at offset N: what is wrong",
/// where NAME is the buffer's identifier and N counts bytes from its start.
class Header {
public:
  /// Reads the header in `buffer`, which may end where the header does: the
  /// tensors' data need not be there.
  static llvm::Expected<Header> parse(llvm::MemoryBufferRef buffer);

  /// The file's name in messages.
  llvm::StringRef getName() const { return name; }
  uint32_t getVersion() const { return version; }
  /// Bytes; each tensor's data starts at a multiple of it past the data's
  /// start. A power of two.
  uint64_t getAlignment() const { return alignment; }
  /// Bytes from the file's start to the tensors' data.
  int64_t getDataOffset() const { return dataOffset; }
  /// Bytes of the file.
  uint64_t getFileBytes() const { return fileBytes; }
  /// Whether the file is long enough to have the data of every tensor.
  bool hasTensorData() const;

  /// The entries in the file's order; keys are unique.
  llvm::ArrayRef<KeyValue> getMetadata() const { return metadata; }
  /// The tensors in the file's order, which is that of their offsets; names are
  /// unique.
  llvm::ArrayRef<Tensor> getTensors() const { return tensors; }

  /// In constant time; null if there is none.
  const Value *lookup(llvm::StringRef key) const;
  const Tensor *lookupTensor(llvm::StringRef name) const;

  /// The scalar of that key. An error if the key is missing or its value has
  /// another type.
  llvm::Expected<int64_t> getInteger(llvm::StringRef key) const;
  llvm::Expected<double> getNumber(llvm::StringRef key) const;
  llvm::Expected<bool> getBool(llvm::StringRef key) const;
  llvm::Expected<llvm::StringRef> getString(llvm::StringRef key) const;

  /// The same, but `otherwise` if the key is missing.
  llvm::Expected<int64_t> getIntegerOr(llvm::StringRef key,
                                       int64_t otherwise) const;
  llvm::Expected<double> getNumberOr(llvm::StringRef key,
                                     double otherwise) const;
  llvm::Expected<bool> getBoolOr(llvm::StringRef key, bool otherwise) const;

  /// `count` integers of a key with one number per layer or one for all layers:
  /// an array of exactly `count` elements, or a scalar, which is repeated.
  llvm::Expected<llvm::SmallVector<int64_t>> getIntegers(llvm::StringRef key,
                                                         size_t count) const;

private:
  friend class HeaderParser;

  Header() = default;

  std::string name;
  uint32_t version = 0;
  uint64_t alignment = 0;
  int64_t dataOffset = 0;
  uint64_t fileBytes = 0;
  std::vector<KeyValue> metadata;
  std::vector<Tensor> tensors;
  llvm::DenseMap<llvm::StringRef, size_t> keyIndices;
  llvm::DenseMap<llvm::StringRef, size_t> tensorIndices;
};

} // namespace lane::gguf

#endif // LANE_CHECKPOINT_GGUF_HEADER_H

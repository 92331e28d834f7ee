//===- GGUF.h - Reader of GGUF checkpoint headers ---------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the header of a GGUF checkpoint, versions 2 and 3: its metadata, and
// the name, shape, number format and place of every tensor. The file is not
// trusted: nothing is read past its end, nothing is allocated in proportion to
// a figure it states rather than to its size, and no sum wraps. Which files are
// accepted follows llama.cpp, but for sizes past int64_t, which are refused.
//
// Nothing is copied: strings, values and names view the file's bytes, and the
// tensors' data is never touched.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CHECKPOINT_GGUF_H
#define LANE_CHECKPOINT_GGUF_H

#include "lane/Support/NumberFormat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lane::gguf {

/// The type of a metadata value; the numbers are GGUF's.
enum class ValueType : uint32_t {
  UInt8 = 0,
  Int8 = 1,
  UInt16 = 2,
  Int16 = 3,
  UInt32 = 4,
  Int32 = 5,
  Float32 = 6,
  Bool = 7,
  String = 8,
  Array = 9,
  UInt64 = 10,
  Int64 = 11,
  Float64 = 12,
};

/// The short name of a type: "u8", "f32", "bool", "str", "arr".
llvm::StringRef stringifyValueType(ValueType type);

/// A metadata value: a scalar, or an array of scalars of one type. It views the
/// file's bytes, so the buffer must outlive it. No getter fails on a value of
/// another type; it has none to give.
class Value {
public:
  /// A view of `length` elements that stand in `bytes`, which must hold them
  /// all. A scalar is an array of one whose `type` is its `elementType`; a
  /// scalar string is its characters without the length before them.
  Value(ValueType type, ValueType elementType, uint64_t length,
        llvm::StringRef bytes)
      : type(type), elementType(elementType), length(length), bytes(bytes) {}

  ValueType getType() const { return type; }
  bool isArray() const { return type == ValueType::Array; }

  /// The type of an array's elements; of a scalar, its own.
  ValueType getElementType() const { return elementType; }

  /// Elements of an array; 1 for a scalar.
  uint64_t size() const { return length; }

  /// A scalar of any integer type, where it fits.
  std::optional<int64_t> getInteger() const;
  /// A scalar of any integer type, where it is not negative.
  std::optional<uint64_t> getUnsigned() const;
  /// A scalar of any integer or floating-point type, rounded to a double.
  std::optional<double> getNumber() const;
  /// A scalar bool: true for any byte but 0.
  std::optional<bool> getBool() const;
  /// A scalar string, of any bytes.
  std::optional<llvm::StringRef> getString() const;

  /// The same of the element `index`, in constant time; a scalar is its own
  /// element 0. None past the end.
  std::optional<int64_t> getInteger(uint64_t index) const;
  std::optional<uint64_t> getUnsigned(uint64_t index) const;
  std::optional<double> getNumber(uint64_t index) const;
  std::optional<bool> getBool(uint64_t index) const;

  /// Calls `visit` with each string of an array of strings, or with a scalar
  /// string, in order.
  void forEachString(llvm::function_ref<void(llvm::StringRef)> visit) const;

private:
  /// Where the element stands, or null past the end.
  const char *getElement(uint64_t index) const;

  ValueType type;
  ValueType elementType;
  uint64_t length;
  llvm::StringRef bytes;
};

/// An entry of the metadata.
struct KeyValue {
  llvm::StringRef key;
  Value value;
  /// Bytes from the file's start to the entry, for messages.
  uint64_t headerOffset;
};

/// What the header says of a tensor.
struct Tensor {
  llvm::StringRef name;
  /// In ggml's order: the contiguous dimension first. Up to four dimensions,
  /// none of which is negative; no dimensions are one element.
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

  /// The name of the file, as messages give it.
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

  /// The entries in the file's order; no key stands twice.
  llvm::ArrayRef<KeyValue> getMetadata() const { return metadata; }
  /// The tensors in the file's order, which is that of their offsets; no name
  /// stands twice.
  llvm::ArrayRef<Tensor> getTensors() const { return tensors; }

  /// In constant time; null where there is none.
  const Value *lookup(llvm::StringRef key) const;
  const Tensor *lookupTensor(llvm::StringRef name) const;

  /// The scalar of that key. An error where the key is missing or its value is
  /// of another kind.
  llvm::Expected<int64_t> getInteger(llvm::StringRef key) const;
  llvm::Expected<double> getNumber(llvm::StringRef key) const;
  llvm::Expected<bool> getBool(llvm::StringRef key) const;
  llvm::Expected<llvm::StringRef> getString(llvm::StringRef key) const;

  /// The same, but `otherwise` where the key is missing.
  llvm::Expected<int64_t> getIntegerOr(llvm::StringRef key,
                                       int64_t otherwise) const;
  llvm::Expected<double> getNumberOr(llvm::StringRef key,
                                     double otherwise) const;
  llvm::Expected<bool> getBoolOr(llvm::StringRef key, bool otherwise) const;

  /// `count` integers, as keys have them which are one number for all layers or
  /// one for each: an array of exactly `count`, or a scalar that is repeated.
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

/// Opens the regular file `path` without reading it all: a large one is mapped,
/// so that its size does not matter. An error of one line names the path where
/// it is missing, is no regular file, or cannot be read.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openFile(llvm::StringRef path);

} // namespace lane::gguf

#endif // LANE_CHECKPOINT_GGUF_H

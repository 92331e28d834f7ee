//===- Metadata.h - Metadata of GGUF files ----------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values that a GGUF file stores under its keys.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CHECKPOINT_GGUF_METADATA_H
#define LANE_CHECKPOINT_GGUF_METADATA_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

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

/// Bytes of a scalar of that type; 0 for strings and arrays, which vary.
uint64_t getScalarBytes(ValueType type);

/// A metadata value: a scalar, or an array of scalars of one type. It views the
/// file's bytes, so the buffer must outlive it. Getters return none for a value
/// of another type.
class Value {
public:
  /// A view of `length` elements in `bytes`, which must contain all of them. A
  /// scalar is an array of one element whose `type` is its `elementType`; a
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

  /// A scalar of any integer type, if it fits.
  std::optional<int64_t> getInteger() const;
  /// A scalar of any integer type, if it is not negative.
  std::optional<uint64_t> getUnsigned() const;
  /// A scalar of any integer or floating-point type, rounded to a double.
  std::optional<double> getNumber() const;
  /// A scalar bool: true for any byte but 0.
  std::optional<bool> getBool() const;
  /// A scalar string, of any bytes.
  std::optional<llvm::StringRef> getString() const;

  /// The same for element `index`, in constant time; a scalar is its own
  /// element 0. None past the end.
  std::optional<int64_t> getInteger(uint64_t index) const;
  std::optional<uint64_t> getUnsigned(uint64_t index) const;
  std::optional<double> getNumber(uint64_t index) const;
  std::optional<bool> getBool(uint64_t index) const;

  /// Calls `visit` with each string of an array of strings, or with a scalar
  /// string, in order.
  void forEachString(llvm::function_ref<void(llvm::StringRef)> visit) const;

private:
  /// The element's first byte; null past the end.
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

} // namespace lane::gguf

#endif // LANE_CHECKPOINT_GGUF_METADATA_H

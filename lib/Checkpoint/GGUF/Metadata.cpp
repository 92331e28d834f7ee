//===- Metadata.cpp - Metadata of GGUF headers ----------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/GGUF/Metadata.h"
#include "lane/Checkpoint/GGUF/Header.h"
#include "lane/Support/Quote.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include <limits>

using namespace llvm;
using namespace lane;
using namespace lane::gguf;

//===----------------------------------------------------------------------===//
// Value types
//===----------------------------------------------------------------------===//

namespace {
struct TypeInfo {
  StringLiteral name;
  uint64_t scalarBytes;
};
} // namespace

/// Indexed by GGUF's number of the type.
static constexpr TypeInfo kTypes[] = {
    {"u8", 1},  {"i8", 1},  {"u16", 2},  {"i16", 2}, {"u32", 4},
    {"i32", 4}, {"f32", 4}, {"bool", 1}, {"str", 0}, {"arr", 0},
    {"u64", 8}, {"i64", 8}, {"f64", 8},
};

StringRef gguf::stringifyValueType(ValueType type) {
  return kTypes[static_cast<uint32_t>(type)].name;
}

uint64_t gguf::getScalarBytes(ValueType type) {
  return kTypes[static_cast<uint32_t>(type)].scalarBytes;
}

//===----------------------------------------------------------------------===//
// Value
//===----------------------------------------------------------------------===//

template <typename T>
static T readAt(const char *data) {
  return support::endian::read<T, endianness::little>(data);
}

const char *Value::getElement(uint64_t index) const {
  if (index >= length)
    return nullptr;
  return bytes.data() + index * getScalarBytes(elementType);
}

std::optional<int64_t> Value::getInteger(uint64_t index) const {
  const char *data = getElement(index);
  if (!data)
    return std::nullopt;
  switch (elementType) {
  case ValueType::UInt8:
    return readAt<uint8_t>(data);
  case ValueType::Int8:
    return readAt<int8_t>(data);
  case ValueType::UInt16:
    return readAt<uint16_t>(data);
  case ValueType::Int16:
    return readAt<int16_t>(data);
  case ValueType::UInt32:
    return readAt<uint32_t>(data);
  case ValueType::Int32:
    return readAt<int32_t>(data);
  case ValueType::Int64:
    return readAt<int64_t>(data);
  case ValueType::UInt64: {
    uint64_t number = readAt<uint64_t>(data);
    if (number > uint64_t(std::numeric_limits<int64_t>::max()))
      return std::nullopt;
    return static_cast<int64_t>(number);
  }
  case ValueType::Float32:
  case ValueType::Float64:
  case ValueType::Bool:
  case ValueType::String:
  case ValueType::Array:
    return std::nullopt;
  }
  llvm_unreachable("unknown value type");
}

std::optional<uint64_t> Value::getUnsigned(uint64_t index) const {
  const char *data = getElement(index);
  if (data && elementType == ValueType::UInt64)
    return readAt<uint64_t>(data);
  std::optional<int64_t> number = getInteger(index);
  if (!number || *number < 0)
    return std::nullopt;
  return static_cast<uint64_t>(*number);
}

std::optional<double> Value::getNumber(uint64_t index) const {
  const char *data = getElement(index);
  if (!data)
    return std::nullopt;
  if (elementType == ValueType::Float32)
    return readAt<float>(data);
  if (elementType == ValueType::Float64)
    return readAt<double>(data);
  if (elementType == ValueType::UInt64)
    return static_cast<double>(readAt<uint64_t>(data));
  if (std::optional<int64_t> number = getInteger(index))
    return static_cast<double>(*number);
  return std::nullopt;
}

std::optional<bool> Value::getBool(uint64_t index) const {
  const char *data = getElement(index);
  if (!data || elementType != ValueType::Bool)
    return std::nullopt;
  return *data != 0;
}

std::optional<int64_t> Value::getInteger() const {
  return isArray() ? std::nullopt : getInteger(0);
}

std::optional<uint64_t> Value::getUnsigned() const {
  return isArray() ? std::nullopt : getUnsigned(0);
}

std::optional<double> Value::getNumber() const {
  return isArray() ? std::nullopt : getNumber(0);
}

std::optional<bool> Value::getBool() const {
  return isArray() ? std::nullopt : getBool(0);
}

std::optional<StringRef> Value::getString() const {
  if (type != ValueType::String)
    return std::nullopt;
  return bytes;
}

void Value::forEachString(function_ref<void(StringRef)> visit) const {
  if (elementType != ValueType::String)
    return;
  if (!isArray())
    return visit(bytes);
  StringRef rest = bytes;
  for (uint64_t i = 0; i < length; ++i) {
    uint64_t stringBytes = readAt<uint64_t>(rest.data());
    rest = rest.drop_front(sizeof(uint64_t));
    visit(rest.take_front(stringBytes));
    rest = rest.drop_front(stringBytes);
  }
}

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

bool Header::hasTensorData() const {
  // Offsets ascend, so the last tensor ends last.
  return tensors.empty() ||
         static_cast<uint64_t>(tensors.back().offset) +
                 static_cast<uint64_t>(tensors.back().sizeBytes) <=
             fileBytes;
}

const Value *Header::lookup(StringRef key) const {
  auto it = keyIndices.find(key);
  return it == keyIndices.end() ? nullptr : &metadata[it->second].value;
}

const Tensor *Header::lookupTensor(StringRef name) const {
  auto it = tensorIndices.find(name);
  return it == tensorIndices.end() ? nullptr : &tensors[it->second];
}

/// "str", "arr of 3 i32": what a value is, for messages.
static std::string describe(const Value &value) {
  StringRef element = stringifyValueType(value.getElementType());
  if (!value.isArray())
    return element.str();
  return ("arr of " + Twine(value.size()) + " " + element).str();
}

static Error refuseKey(const Header &header, StringRef key,
                       const Twine &expected) {
  std::string quoted = quote(key);
  for (const KeyValue &entry : header.getMetadata())
    if (entry.key == key)
      return createStringError(header.getName() + ": key " + quoted +
                               " at offset " + Twine(entry.headerOffset) +
                               ": expected " + expected + ", found " +
                               describe(entry.value));
  return createStringError(header.getName() + ": key " + quoted +
                           ": missing, expected " + expected);
}

template <typename T>
static Expected<T> getScalar(const Header &header, StringRef key,
                             std::optional<T> (Value::*get)() const,
                             StringRef expected) {
  if (const Value *value = header.lookup(key))
    if (std::optional<T> scalar = (value->*get)())
      return *scalar;
  return refuseKey(header, key, expected);
}

Expected<int64_t> Header::getInteger(StringRef key) const {
  return getScalar<int64_t>(*this, key, &Value::getInteger,
                            "an integer below 2^63");
}

Expected<double> Header::getNumber(StringRef key) const {
  return getScalar<double>(*this, key, &Value::getNumber, "a number");
}

Expected<bool> Header::getBool(StringRef key) const {
  return getScalar<bool>(*this, key, &Value::getBool, "a bool");
}

Expected<StringRef> Header::getString(StringRef key) const {
  return getScalar<StringRef>(*this, key, &Value::getString, "a string");
}

Expected<int64_t> Header::getIntegerOr(StringRef key, int64_t otherwise) const {
  if (!lookup(key))
    return otherwise;
  return getInteger(key);
}

Expected<double> Header::getNumberOr(StringRef key, double otherwise) const {
  if (!lookup(key))
    return otherwise;
  return getNumber(key);
}

Expected<bool> Header::getBoolOr(StringRef key, bool otherwise) const {
  if (!lookup(key))
    return otherwise;
  return getBool(key);
}

Expected<SmallVector<int64_t>> Header::getIntegers(StringRef key,
                                                   size_t count) const {
  auto refuse = [&] {
    return refuseKey(*this, key,
                     "an integer below 2^63 or an array of " + Twine(count));
  };
  const Value *value = lookup(key);
  if (!value || (value->isArray() && value->size() != count))
    return refuse();
  SmallVector<int64_t> integers;
  for (size_t i = 0; i < count; ++i) {
    std::optional<int64_t> integer =
        value->getInteger(value->isArray() ? i : 0);
    if (!integer)
      return refuse();
    integers.push_back(*integer);
  }
  return integers;
}

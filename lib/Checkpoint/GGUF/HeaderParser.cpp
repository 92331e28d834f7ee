//===- HeaderParser.cpp - Counts and metadata of GGUF headers -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeaderParser.h"
#include "lane/Support/Quote.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace lane;
using namespace lane::gguf;

static constexpr StringLiteral kMagic = "GGUF";
static constexpr StringLiteral kAlignmentKey = "general.alignment";
static constexpr uint64_t kDefaultAlignment = 32;
static constexpr uint32_t kOldestVersion = 2;
static constexpr uint32_t kNewestVersion = 3;
/// Bytes of the shortest entry: a key of one character with a u8, and a tensor
/// with no name and no dimensions.
static constexpr uint64_t kMinKeyBytes = 8 + 1 + 4 + 1;
static constexpr uint64_t kMinTensorBytes = 8 + 4 + 4 + 8;

//===----------------------------------------------------------------------===//
// Numbers and strings
//===----------------------------------------------------------------------===//

Error HeaderParser::readString(StringRef &value, const Twine &field) {
  uint64_t start = position;
  uint64_t length = 0;
  if (Error error = read(length, field))
    return error;
  if (length > getBytesLeft())
    return refuse(start, field,
                  "a string of " + Twine(length) +
                      " bytes extends past the end of the file (" +
                      Twine(getBytesLeft()) + " left)");
  value = bytes.substr(position, length);
  position += length;
  return Error::success();
}

Error HeaderParser::readType(ValueType &type, const Twine &field) {
  uint64_t start = position;
  uint32_t number = 0;
  if (Error error = read(number, field))
    return error;
  if (number > static_cast<uint32_t>(ValueType::Float64))
    return refuse(start, field, "unknown value type " + Twine(number));
  type = static_cast<ValueType>(number);
  return Error::success();
}

Error HeaderParser::readCount(uint64_t &count, uint64_t minBytes,
                              const Twine &field) {
  uint64_t start = position;
  int64_t number = 0;
  if (Error error = read(number, field))
    return error;
  if (number < 0)
    return refuse(start, field, "negative (" + Twine(number) + ")");
  count = static_cast<uint64_t>(number);
  if (count > getBytesLeft() / minBytes)
    return refuse(start, field,
                  Twine(count) + " do not fit in the file (at least " +
                      Twine(minBytes) + " bytes each, " +
                      Twine(getBytesLeft()) + " left)");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Metadata
//===----------------------------------------------------------------------===//

Error HeaderParser::parseVersion() {
  if (getBytesLeft() < kMagic.size())
    return refuse(0, "magic",
                  "the file ends (" + Twine(kMagic.size()) + " bytes needed, " +
                      Twine(getBytesLeft()) + " left)");
  if (!bytes.starts_with(kMagic))
    return refuse(0, "magic",
                  "expected 'GGUF', found " +
                      quote(bytes.take_front(kMagic.size())));
  position = kMagic.size();

  uint64_t start = position;
  if (Error error = read(header.version, "version"))
    return error;
  uint32_t swapped = byteswap(header.version);
  if (swapped >= 1 && swapped <= kNewestVersion)
    return refuse(start, "version",
                  Twine(header.version) + " is " + Twine(swapped) +
                      " with its bytes swapped: big-endian files are not "
                      "supported");
  if (header.version < kOldestVersion || header.version > kNewestVersion)
    return refuse(start, "version",
                  Twine(header.version) + " is not supported (" +
                      Twine(kOldestVersion) + " and " + Twine(kNewestVersion) +
                      " are)");
  return Error::success();
}

Error HeaderParser::parseKeyValue(size_t index) {
  uint64_t start = position;
  StringRef key;
  if (Error error = readString(key, "key " + Twine(index)))
    return error;
  if (key.empty())
    return refuse(start, "key " + Twine(index), "is empty");
  auto [it, isNew] = header.keyIndices.try_emplace(key, index);
  if (!isNew)
    return refuse(start, "key " + Twine(index),
                  quote(key) + " is already defined at offset " +
                      Twine(header.metadata[it->second].headerOffset));
  Expected<Value> value = parseValue("key " + quote(key));
  if (!value)
    return value.takeError();
  header.metadata.push_back({key, *value, start});
  return Error::success();
}

Expected<Value> HeaderParser::parseValue(const Twine &owner) {
  ValueType type = ValueType::UInt8;
  if (Error error = readType(type, "type of " + owner))
    return error;
  if (type == ValueType::Array)
    return parseArray(owner);
  if (type == ValueType::String) {
    StringRef text;
    if (Error error = readString(text, "value of " + owner))
      return error;
    return Value(type, type, 1, text);
  }
  uint64_t size = getScalarBytes(type);
  if (size > getBytesLeft())
    return refuse(position, "value of " + owner,
                  "the file ends (" + Twine(size) + " bytes needed, " +
                      Twine(getBytesLeft()) + " left)");
  StringRef scalar = bytes.substr(position, size);
  position += size;
  return Value(type, type, 1, scalar);
}

Expected<Value> HeaderParser::parseArray(const Twine &owner) {
  uint64_t start = position;
  ValueType elementType = ValueType::UInt8;
  if (Error error = readType(elementType, "element type of " + owner))
    return error;
  if (elementType == ValueType::Array)
    return refuse(start, "element type of " + owner,
                  "arrays of arrays are not supported");

  start = position;
  uint64_t length = 0;
  if (Error error = read(length, "length of " + owner))
    return error;
  bool isStrings = elementType == ValueType::String;
  uint64_t minBytes =
      isStrings ? sizeof(uint64_t) : getScalarBytes(elementType);
  if (length > getBytesLeft() / minBytes)
    return refuse(start, "length of " + owner,
                  Twine(length) +
                      " elements do not fit in the file (at least " +
                      Twine(minBytes) + " bytes each, " +
                      Twine(getBytesLeft()) + " left)");

  start = position;
  if (isStrings) {
    StringRef text;
    for (uint64_t i = 0; i < length; ++i)
      if (Error error =
              readString(text, "element " + Twine(i) + " of " + owner))
        return error;
  } else {
    position += length * minBytes;
  }
  return Value(ValueType::Array, elementType, length,
               bytes.slice(start, position));
}

Error HeaderParser::parseAlignment() {
  header.alignment = kDefaultAlignment;
  auto it = header.keyIndices.find(kAlignmentKey);
  if (it == header.keyIndices.end())
    return Error::success();
  const KeyValue &entry = header.metadata[it->second];
  std::string field = "key " + quote(kAlignmentKey);
  if (entry.value.getType() != ValueType::UInt32)
    return refuse(entry.headerOffset, field,
                  "expected u32, found " +
                      stringifyValueType(entry.value.getType()));
  header.alignment = *entry.value.getInteger();
  if (!isPowerOf2_64(header.alignment))
    return refuse(entry.headerOffset, field,
                  Twine(header.alignment) + " is not a power of two");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The whole header
//===----------------------------------------------------------------------===//

Expected<Header> HeaderParser::parse() {
  if (Error error = parseVersion())
    return error;
  uint64_t numTensors = 0, numKeys = 0;
  if (Error error = readCount(numTensors, kMinTensorBytes, "tensor count"))
    return error;
  if (Error error = readCount(numKeys, kMinKeyBytes, "key count"))
    return error;
  for (uint64_t i = 0; i < numKeys; ++i)
    if (Error error = parseKeyValue(i))
      return error;
  if (Error error = parseAlignment())
    return error;
  for (uint64_t i = 0; i < numTensors; ++i)
    if (Error error = parseTensor(i))
      return error;
  if (Error error = placeTensors())
    return error;
  return header;
}

Expected<Header> Header::parse(MemoryBufferRef buffer) {
  return HeaderParser(buffer).parse();
}

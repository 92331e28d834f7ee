//===- JsonReader.h - A strict reader of JSON -------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads JSON text value by value, as the caller expects them, and accepts what
// RFC 8259 does and no more. The text is not trusted: strings are valid UTF-8,
// an object has no key twice, integers are exact, and nesting is limited.
//
// llvm/Support/JSON.h keeps the last of equal keys, accepts numbers like "+01",
// rounds integers to doubles, and recurses as deep as the text does. Generated
// programs carry this header, so it uses the standard library only.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_JSONREADER_H
#define LANE_SUPPORT_JSONREADER_H

#include "lane/Support/QuoteText.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace lane {

/// Reads one JSON text from its start to its end. Each function skips white
/// space, reads one value, and returns false if the text has another one there:
/// then `getError` tells why, and the reader is of no more use.
class JsonReader {
public:
  /// A reader of `bytes` bytes at `text`, which must outlive it.
  JsonReader(const char *text, size_t bytes)
      : start(text), at(text), end(text + bytes) {}

  /// Bytes from the text's start to what is read next; after an error, to where
  /// it is.
  size_t getPosition() const { return static_cast<size_t>(at - start); }
  /// The same for the next value, past the white space before it.
  size_t getValuePosition() {
    skipSpace();
    return getPosition();
  }
  /// What is wrong, or an empty text.
  const std::string &getError() const { return error; }

  /// Fails at the current position, or at `position`, unless it has failed
  /// before. Always returns false.
  bool fail(const std::string &why) {
    if (error.empty())
      error = why;
    return false;
  }
  bool failAt(size_t position, const std::string &why) {
    if (error.empty())
      at = start + position;
    return fail(why);
  }

  /// Reads an object: calls `readMember(key)` with each key, which reads the
  /// value and returns false if it fails.
  template <typename ReadMember>
  bool readObject(ReadMember readMember);
  /// Reads an array: calls `readElement()` before each element.
  template <typename ReadElement>
  bool readArray(ReadElement readElement);

  bool readString(std::string &value);
  /// Reads an integer from 0 to 2^64 - 1, without a fraction or an exponent.
  bool readUnsigned(uint64_t &value);
  /// Reads a value of any kind.
  bool skipValue() { return skipValue(/*depth=*/0); }
  /// Succeeds if nothing but white space follows.
  bool readEnd() {
    return skipSpace() == kEnd || fail("expected the end of the text");
  }

private:
  /// What `skipSpace` returns at the end; no byte has this value.
  static constexpr int kEnd = -1;
  static constexpr int kMaxDepth = 128;

  static bool isDigit(int c) { return c >= '0' && c <= '9'; }
  int peek() const {
    return at == end ? kEnd : static_cast<unsigned char>(*at);
  }
  int skipSpace() {
    while (at != end &&
           (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
      ++at;
    return peek();
  }
  bool take(char c) {
    if (peek() != static_cast<unsigned char>(c))
      return false;
    ++at;
    return true;
  }
  bool takeDigits();
  bool takeHex(uint32_t &code);
  bool takeEscape(std::string &value);
  bool takeUTF8(std::string &value);
  bool skipNumber();
  bool skipWord(const char *word);
  bool skipValue(int depth);

  const char *start;
  const char *at;
  const char *end;
  std::string error;
};

//===----------------------------------------------------------------------===//
// Objects and arrays
//===----------------------------------------------------------------------===//

template <typename ReadMember>
bool JsonReader::readObject(ReadMember readMember) {
  if (skipSpace() != '{')
    return fail("expected an object");
  ++at;
  // Keys and their positions.
  std::vector<std::pair<std::string, size_t>> keys;
  if (skipSpace() == '}') {
    ++at;
    return true;
  }
  for (bool isLast = false; !isLast;) {
    std::string key;
    size_t position = getValuePosition();
    if (peek() != '"')
      return fail("expected a key");
    if (!readString(key))
      return false;
    if (skipSpace() != ':')
      return fail("expected ':'");
    ++at;
    if (!readMember(static_cast<const std::string &>(key)))
      return fail("malformed value");
    keys.emplace_back(std::move(key), position);
    int next = skipSpace();
    if (next != ',' && next != '}')
      return fail("expected ',' or '}'");
    ++at;
    isLast = next == '}';
  }
  // Sorted, not hashed: the keys may be made to collide.
  std::sort(keys.begin(), keys.end());
  auto twice = std::adjacent_find(
      keys.begin(), keys.end(),
      [](const auto &lhs, const auto &rhs) { return lhs.first == rhs.first; });
  if (twice == keys.end())
    return true;
  ++twice;
  return failAt(twice->second,
                "key " + quoteText(twice->first) + " is there twice");
}

template <typename ReadElement>
bool JsonReader::readArray(ReadElement readElement) {
  if (skipSpace() != '[')
    return fail("expected an array");
  ++at;
  if (skipSpace() == ']') {
    ++at;
    return true;
  }
  for (;;) {
    if (!readElement())
      return fail("malformed value");
    int next = skipSpace();
    if (next != ',' && next != ']')
      return fail("expected ',' or ']'");
    ++at;
    if (next == ']')
      return true;
  }
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

inline bool JsonReader::takeHex(uint32_t &code) {
  code = 0;
  for (int i = 0; i < 4; ++i) {
    int c = peek();
    if (isDigit(c))
      code = code * 16 + static_cast<uint32_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      code = code * 16 + static_cast<uint32_t>(c - 'a' + 10);
    else if (c >= 'A' && c <= 'F')
      code = code * 16 + static_cast<uint32_t>(c - 'A' + 10);
    else
      return fail("expected a hexadecimal digit");
    ++at;
  }
  return true;
}

/// Reads an escape after its backslash, and appends what it stands for.
inline bool JsonReader::takeEscape(std::string &value) {
  static const char kNames[] = "\"\\/bfnrt";
  static const char kBytes[] = "\"\\/\b\f\n\r\t";
  int c = peek();
  if (c > 0)
    if (const char *name = std::strchr(kNames, c)) {
      ++at;
      value += kBytes[name - kNames];
      return true;
    }
  if (c != 'u')
    return fail("unknown escape");
  ++at;
  uint32_t code = 0;
  if (!takeHex(code))
    return false;
  bool isSecond = code >= 0xDC00 && code < 0xE000;
  if (code >= 0xD800 && code < 0xDC00) {
    uint32_t low = 0;
    if (!take('\\') || !take('u'))
      return fail("expected the second half of a surrogate pair");
    if (!takeHex(low))
      return false;
    isSecond = low < 0xDC00 || low >= 0xE000;
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  if (isSecond)
    return fail("half a surrogate pair");
  auto addByte = [&](uint32_t byte) { value += static_cast<char>(byte); };
  if (code < 0x80) {
    addByte(code);
    return true;
  }
  if (code < 0x800) {
    addByte(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      addByte(0xE0 | code >> 12);
    } else {
      addByte(0xF0 | code >> 18);
      addByte(0x80 | (code >> 12 & 0x3F));
    }
    addByte(0x80 | (code >> 6 & 0x3F));
  }
  addByte(0x80 | (code & 0x3F));
  return true;
}

/// Reads a character of two to four bytes: neither longer than it needs to be,
/// nor half a surrogate pair, nor past the last character.
inline bool JsonReader::takeUTF8(std::string &value) {
  auto lead = static_cast<unsigned char>(*at);
  size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  unsigned char low = 0x80, high = 0xBF;
  if (lead == 0xE0)
    low = 0xA0;
  else if (lead == 0xED)
    high = 0x9F;
  else if (lead == 0xF0)
    low = 0x90;
  else if (lead == 0xF4)
    high = 0x8F;
  if (lead < 0xC2 || lead > 0xF4 || static_cast<size_t>(end - at) < length)
    return fail("not UTF-8");
  for (size_t i = 1; i < length; ++i) {
    auto byte = static_cast<unsigned char>(at[i]);
    if (byte < low || byte > high)
      return fail("not UTF-8");
    low = 0x80;
    high = 0xBF;
  }
  value.append(at, length);
  at += length;
  return true;
}

inline bool JsonReader::readString(std::string &value) {
  value.clear();
  if (skipSpace() != '"')
    return fail("expected a string");
  ++at;
  while (!take('"')) {
    int c = peek();
    if (c == kEnd)
      return fail("the string does not end");
    if (c < 0x20)
      return fail("a control character in a string");
    if (c == '\\') {
      ++at;
      if (!takeEscape(value))
        return false;
    } else if (c < 0x80) {
      value += *at++;
    } else if (!takeUTF8(value)) {
      return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Numbers and other values
//===----------------------------------------------------------------------===//

inline bool JsonReader::readUnsigned(uint64_t &value) {
  static const char kWhy[] = "expected an integer from 0 to 2^64 - 1";
  value = 0;
  size_t position = getValuePosition();
  if (!isDigit(peek()))
    return fail(kWhy);
  if (!take('0'))
    for (; isDigit(peek()); ++at) {
      auto digit = static_cast<uint64_t>(*at - '0');
      if (value > (UINT64_MAX - digit) / 10)
        return failAt(position, kWhy);
      value = value * 10 + digit;
    }
  int next = peek();
  if (isDigit(next) || next == '.' || next == 'e' || next == 'E')
    return failAt(position, kWhy);
  return true;
}

inline bool JsonReader::takeDigits() {
  if (!isDigit(peek()))
    return fail("expected a digit");
  while (isDigit(peek()))
    ++at;
  return true;
}

inline bool JsonReader::skipNumber() {
  take('-');
  if (!take('0') && !takeDigits())
    return false;
  if (take('.') && !takeDigits())
    return false;
  if (take('e') || take('E')) {
    if (!take('+'))
      take('-');
    return takeDigits();
  }
  return true;
}

inline bool JsonReader::skipWord(const char *word) {
  size_t length = std::strlen(word);
  if (static_cast<size_t>(end - at) < length ||
      std::memcmp(at, word, length) != 0)
    return fail("expected a value");
  at += length;
  return true;
}

inline bool JsonReader::skipValue(int depth) {
  if (depth == kMaxDepth)
    return fail("more than " + std::to_string(kMaxDepth) + " values deep");
  std::string text;
  switch (skipSpace()) {
  case '{':
    return readObject(
        [&](const std::string &) { return skipValue(depth + 1); });
  case '[':
    return readArray([&] { return skipValue(depth + 1); });
  case '"':
    return readString(text);
  case 't':
    return skipWord("true");
  case 'f':
    return skipWord("false");
  case 'n':
    return skipWord("null");
  default:
    if (peek() == '-' || isDigit(peek()))
      return skipNumber();
    return fail("expected a value");
  }
}

} // namespace lane

#endif // LANE_SUPPORT_JSONREADER_H

//===- JsonReaderTest.cpp - Tests of the strict reader of JSON ------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/JsonReader.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

using namespace lane;

namespace {

/// "POSITION: ERROR", or an empty text if `read` reads all of `text`.
template <typename Read>
std::string getError(const std::string &text, Read read) {
  JsonReader json(text.data(), text.size());
  if (read(json) && json.readEnd())
    return "";
  return std::to_string(json.getPosition()) + ": " + json.getError();
}

std::string skip(const std::string &text) {
  return getError(text, [](JsonReader &json) { return json.skipValue(); });
}

/// The string that `text` is, or the error.
std::string readString(const std::string &text) {
  std::string value;
  std::string error =
      getError(text, [&](JsonReader &json) { return json.readString(value); });
  return error.empty() ? value : error;
}

std::string readUnsigned(const std::string &text) {
  uint64_t value = 0;
  std::string error = getError(
      text, [&](JsonReader &json) { return json.readUnsigned(value); });
  return error.empty() ? std::to_string(value) : error;
}

TEST(JsonReader, ReadsNestedValues) {
  std::vector<std::string> read;
  EXPECT_EQ(getError(" { \"a\" : [ 1 , 2 ] , \"b\" : [ ] , \"c\" : { } }\n",
                     [&](JsonReader &json) {
                       return json.readObject([&](const std::string &key) {
                         read.push_back(key);
                         if (key == "c")
                           return json.readObject(
                               [](const std::string &) { return false; });
                         return json.readArray([&] {
                           uint64_t value = 0;
                           if (!json.readUnsigned(value))
                             return false;
                           read.push_back(std::to_string(value));
                           return true;
                         });
                       });
                     }),
            "");
  EXPECT_EQ(read, (std::vector<std::string>{"a", "1", "2", "b", "c"}));
}

TEST(JsonReader, RefusesMalformedObjects) {
  EXPECT_EQ(skip(""), "0: expected a value");
  EXPECT_EQ(skip("{"), "1: expected a key");
  EXPECT_EQ(skip("{,}"), "1: expected a key");
  EXPECT_EQ(skip("{a: 1}"), "1: expected a key");
  EXPECT_EQ(skip("{\"a\" 1}"), "5: expected ':'");
  EXPECT_EQ(skip("{\"a\": }"), "6: expected a value");
  EXPECT_EQ(skip("{\"a\": 1"), "7: expected ',' or '}'");
  EXPECT_EQ(skip("{\"a\": 1]"), "7: expected ',' or '}'");
  EXPECT_EQ(skip("{\"a\": 1,}"), "8: expected a key");
  EXPECT_EQ(skip("{} {}"), "3: expected the end of the text");
  EXPECT_EQ(getError("[]",
                     [](JsonReader &json) {
                       return json.readObject(
                           [](const std::string &) { return true; });
                     }),
            "0: expected an object");
}

TEST(JsonReader, RefusesMalformedArrays) {
  EXPECT_EQ(skip("["), "1: expected a value");
  EXPECT_EQ(skip("[,]"), "1: expected a value");
  EXPECT_EQ(skip("[1 2]"), "3: expected ',' or ']'");
  EXPECT_EQ(skip("[1,]"), "3: expected a value");
  EXPECT_EQ(skip("[1}"), "2: expected ',' or ']'");
  EXPECT_EQ(getError("{}",
                     [](JsonReader &json) {
                       return json.readArray([] { return true; });
                     }),
            "0: expected an array");
}

TEST(JsonReader, RefusesAKeyTwice) {
  EXPECT_EQ(skip("{\"b\": 1, \"a\": 2, \"b\": 3}"),
            "17: key 'b' is there twice");
  // Escapes are the characters that they stand for.
  EXPECT_EQ(skip("{\"a\\n\": 1, \"a\\u000a\": 3}"),
            "11: key 'a\\0A' is there twice");
  EXPECT_EQ(skip("[{\"x\": {\"a\": 1, \"a\": 1}}]"),
            "16: key 'a' is there twice");
  EXPECT_EQ(skip("[{\"a\": 1}, {\"a\": 1}]"), "");
}

TEST(JsonReader, ReadsStrings) {
  EXPECT_EQ(readString("\"\""), "");
  EXPECT_EQ(readString("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(readString("\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\""),
            "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(readString("\"\\u0000\""), std::string(1, '\0'));
  EXPECT_EQ(readString("\"\x7F\xC2\x80\xE0\xA0\x80\xED\x9F\xBF\xF4\x8F\xBF"
                       "\xBF\""),
            "\x7F\xC2\x80\xE0\xA0\x80\xED\x9F\xBF\xF4\x8F\xBF\xBF");
}

TEST(JsonReader, RefusesMalformedStrings) {
  EXPECT_EQ(readString("1"), "0: expected a string");
  EXPECT_EQ(readString("\"a"), "2: the string does not end");
  EXPECT_EQ(readString("\"a\n\""), "2: a control character in a string");
  EXPECT_EQ(readString("\"\\"), "2: unknown escape");
  EXPECT_EQ(readString("\"\\x41\""), "2: unknown escape");
  EXPECT_EQ(readString(std::string("\"\\\0\"", 4)), "2: unknown escape");
  EXPECT_EQ(readString("\"\\u12g4\""), "5: expected a hexadecimal digit");
  EXPECT_EQ(readString("\"\\u12"), "5: expected a hexadecimal digit");
  EXPECT_EQ(readString("\"\\udc00\""), "7: half a surrogate pair");
  EXPECT_EQ(readString("\"\\ud800\\u0041\""), "13: half a surrogate pair");
  EXPECT_EQ(readString("\"\\ud800x\""),
            "7: expected the second half of a surrogate pair");
}

TEST(JsonReader, RefusesWhatIsNotUTF8) {
  for (const char *bytes :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41",
        "\xE0\x9F\x80", "\xE2\x82", "\xED\xA0\x80", "\xF0\x8F\x80\x80",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"})
    EXPECT_EQ(readString("\"" + std::string(bytes) + "\""), "1: not UTF-8")
        << bytes;
  EXPECT_EQ(readString("\"\xE2\x82"), "1: not UTF-8");
}

TEST(JsonReader, ReadsExactIntegers) {
  EXPECT_EQ(readUnsigned("0"), "0");
  EXPECT_EQ(readUnsigned(" 18446744073709551615 "), "18446744073709551615");
  std::string why = "expected an integer from 0 to 2^64 - 1";
  EXPECT_EQ(readUnsigned("18446744073709551616"), "0: " + why);
  EXPECT_EQ(readUnsigned("100000000000000000000"), "0: " + why);
  for (const char *text : {"", "-1", "-0", "+1", "01", "00", "1.0", "1e2",
                           "1E2", ".5", "\"1\"", "null"})
    EXPECT_EQ(readUnsigned(text), "0: " + why) << text;
  EXPECT_EQ(readUnsigned("1x"), "1: expected the end of the text");
}

TEST(JsonReader, SkipsValuesOfEveryKind) {
  for (const char *text :
       {"0", "-0", "-12.5e+3", "1E-2", "0.0", "true", "false", "null", "\"a\"",
        "[]", "{}", "[0, [true, {\"a\": [null]}]]"})
    EXPECT_EQ(skip(text), "") << text;
  EXPECT_EQ(skip("-"), "1: expected a digit");
  EXPECT_EQ(skip("1."), "2: expected a digit");
  EXPECT_EQ(skip("1e"), "2: expected a digit");
  EXPECT_EQ(skip("01"), "1: expected the end of the text");
  EXPECT_EQ(skip("+1"), "0: expected a value");
  EXPECT_EQ(skip("tru"), "0: expected a value");
  EXPECT_EQ(skip("NaN"), "0: expected a value");
}

TEST(JsonReader, LimitsTheNesting) {
  auto nest = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(skip(nest(128)), "");
  EXPECT_EQ(skip(nest(129)), "128: more than 128 values deep");
  EXPECT_EQ(skip(std::string(1 << 20, '[')), "128: more than 128 values deep");
}

TEST(JsonReader, StaysFailed) {
  std::string text = "x1";
  JsonReader json(text.data(), text.size());
  uint64_t value = 0;
  EXPECT_FALSE(json.readUnsigned(value));
  EXPECT_FALSE(json.fail("other"));
  EXPECT_FALSE(json.failAt(1, "other"));
  EXPECT_EQ(json.getPosition(), 0u);
  EXPECT_EQ(json.getError(), "expected an integer from 0 to 2^64 - 1");
}

} // namespace

//===- BytesTest.cpp - Tests of byte sizes --------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/Bytes.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <limits>
#include <random>

using namespace llvm;
using namespace lane;

namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

/// The size, or -1 and a test failure with the error.
int64_t parse(StringRef text) {
  Expected<int64_t> bytes = parseBytes(text);
  if (bytes)
    return *bytes;
  ADD_FAILURE() << toString(bytes.takeError());
  return -1;
}

std::string parseError(StringRef text) {
  Expected<int64_t> bytes = parseBytes(text);
  if (!bytes)
    return toString(bytes.takeError());
  ADD_FAILURE() << text.str() << " is " << *bytes;
  return "";
}

TEST(Bytes, SumsAndProductsDoNotWrap) {
  EXPECT_EQ(checkedAddBytes(1, 2), 3);
  EXPECT_EQ(checkedAddBytes(kMax, 0), kMax);
  EXPECT_FALSE(checkedAddBytes(kMax, 1));
  EXPECT_EQ(checkedMulBytes(kMax, 1), kMax);
  EXPECT_EQ(checkedMulBytes(kMax, 0), 0);
  EXPECT_FALSE(checkedMulBytes(kMax / 2 + 1, 2));
  EXPECT_FALSE(checkedMulBytes(int64_t(1) << 32, int64_t(1) << 32));
}

TEST(Bytes, AlignsToMultiples) {
  EXPECT_EQ(checkedAlignBytes(0, 64), 0);
  EXPECT_EQ(checkedAlignBytes(65, 64), 128);
  EXPECT_EQ(checkedAlignBytes(10, 3), 12);
  EXPECT_EQ(checkedAlignBytes(7, 1), 7);
  EXPECT_EQ(checkedAlignBytes(kMax, 1), kMax);
  EXPECT_FALSE(checkedAlignBytes(kMax, 2));
}

TEST(Bytes, AlignsToPool) {
  EXPECT_EQ(alignToPool(0), 0);
  EXPECT_EQ(alignToPool(1), 256);
  EXPECT_EQ(alignToPool(256), 256);
  EXPECT_EQ(alignToPool(257), 512);
  EXPECT_EQ(alignToPool(kMax - 255), kMax - 255);
  EXPECT_FALSE(alignToPool(kMax - 254));
  EXPECT_FALSE(alignToPool(kMax));
}

TEST(Bytes, ParsesEveryUnit) {
  EXPECT_EQ(parse("0"), 0);
  EXPECT_EQ(parse("4096"), 4096);
  EXPECT_EQ(parse("0004096"), 4096);
  EXPECT_EQ(parse("3KiB"), 3072);
  EXPECT_EQ(parse("3MiB"), 3145728);
  EXPECT_EQ(parse("12GiB"), 12884901888);
  EXPECT_EQ(parse("3KB"), 3000);
  EXPECT_EQ(parse("3MB"), 3000000);
  EXPECT_EQ(parse("1.5GB"), 1500000000);
  EXPECT_EQ(parse("2TiB"), int64_t(2) << 40);
  EXPECT_EQ(parse("2TB"), 2000000000000);
}

TEST(Bytes, ShortUnitsAreBinary) {
  EXPECT_EQ(parse("4K"), 4096);
  EXPECT_EQ(parse("512M"), 536870912);
  EXPECT_EQ(parse("12G"), 12884901888);
  EXPECT_EQ(parse("1.5G"), 1610612736);
  EXPECT_EQ(parse("1T"), int64_t(1) << 40);
  EXPECT_EQ(parse("0.9999999999999T"), 1099511627775);
  EXPECT_EQ(parse("8388607T"), int64_t(8388607) << 40);
  EXPECT_EQ(parseError("8388608T"),
            "'8388608T' is not a size: it exceeds 2^63 - 1 bytes");
}

TEST(Bytes, ParsesFractionsExactly) {
  // 12.3 * 2^30 is 13207024435.2.
  EXPECT_EQ(parse("12.3GiB"), 13207024435);
  EXPECT_EQ(parse("0.001KB"), 1);
  EXPECT_EQ(parse("0.0009KB"), 0);
  EXPECT_EQ(parse("0.0KiB"), 0);
  EXPECT_EQ(parse("1.9999KB"), 1999);
  // One byte is a fraction of a GiB with thirty digits; a lower digit is less.
  EXPECT_EQ(parse("0.000000000931322574615478515625GiB"), 1);
  EXPECT_EQ(parse("0.000000000931322574615478515624GiB"), 0);
  EXPECT_EQ(parse("0." + std::string(10000, '9') + "GiB"), 1073741823);
  EXPECT_EQ(parse("0." + std::string(10000, '0') + "1GiB"), 0);
}

TEST(Bytes, AgreesWithExactArithmetic) {
  static constexpr std::pair<StringLiteral, int64_t> kUnits[] = {
      {"K", int64_t(1) << 10},
      {"MiB", int64_t(1) << 20},
      {"G", int64_t(1) << 30},
      {"T", int64_t(1) << 40},
      {"KB", 1000},
      {"TB", 1000000000000}};
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    auto [unit, unitBytes] = kUnits[random() % std::size(kUnits)];
    // Fewer bits are as likely as many.
    uint64_t whole = random() >> (1 + random() % 63);
    uint64_t fraction = random() % 1000000;
    std::string text = formatv("{0}.{1:06}{2}", whole, fraction, unit).str();
    __int128 expected =
        (__int128(whole) * 1000000 + fraction) * __int128(unitBytes) / 1000000;
    Expected<int64_t> bytes = parseBytes(text);
    if (bytes) {
      EXPECT_TRUE(*bytes == expected) << text;
    } else {
      consumeError(bytes.takeError());
      EXPECT_TRUE(expected > kMax) << text;
    }
  }
}

TEST(Bytes, AnyTextIsASizeOrAnError) {
  constexpr StringLiteral kCharacters = "0123456789.KMGTiB -+eEx";
  std::mt19937_64 random(2);
  for (int round = 0; round < 100000; ++round) {
    std::string text(random() % 12, ' ');
    for (char &character : text)
      character = kCharacters[random() % kCharacters.size()];
    Expected<int64_t> bytes = parseBytes(text);
    if (bytes)
      EXPECT_GE(*bytes, 0) << text;
    else
      EXPECT_EQ(toString(bytes.takeError()).find('\n'), std::string::npos);
  }
}

TEST(Bytes, ParsesUpToTheLargestSize) {
  EXPECT_EQ(parse("9223372036854775807"), kMax);
  EXPECT_EQ(parse("8589934591.9999999990686774253845214843750GiB"), kMax);
  EXPECT_EQ(parse("9223372036854775.807KB"), kMax);
  EXPECT_EQ(parseError("9223372036854775808"),
            "'9223372036854775808' is not a size: it exceeds 2^63 - 1 bytes");
  EXPECT_EQ(parseError("8589934592GiB"),
            "'8589934592GiB' is not a size: it exceeds 2^63 - 1 bytes");
  EXPECT_EQ(
      parseError("9223372036854775.808KB"),
      "'9223372036854775.808KB' is not a size: it exceeds 2^63 - 1 bytes");
  std::string long99(99, '9');
  EXPECT_EQ(parseError(long99),
            "'" + long99 + "' is not a size: it exceeds 2^63 - 1 bytes");
}

TEST(Bytes, RefusesWhatIsNoSize) {
  for (StringRef text :
       {"",      " ",     "-1",   "+1",  "1 ",       " 1",     "1 GiB", "GiB",
        ".5GiB", "1.GiB", "1.5",  "1.",  "1.5.5GiB", "1gib",   "1GIB",  "1kB",
        "1k",    "1B",    "1PiB", "1e3", "0x10",     "1,5GiB", "1GiBs", "nan"})
    EXPECT_EQ(parseError(text),
              ("'" + text +
               "' is not a size: expected bytes, or a number with K, M, G, T, "
               "KiB, MiB, GiB, TiB, KB, MB, GB or TB")
                  .str());
}

TEST(Bytes, ErrorsAreOneLine) {
  EXPECT_EQ(
      parseError(StringRef("1\n2\0", 4)),
      "'1\\0A2\\00' is not a size: expected bytes, or a number with K, M, "
      "G, T, KiB, MiB, GiB, TiB, KB, MB, GB or TB");
}

TEST(Bytes, FormatsInTheLargestUnit) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(96), "96 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1024), "1.00 KiB");
  EXPECT_EQ(formatBytes(131 * 1024), "131.00 KiB");
  EXPECT_EQ(formatBytes(1024 * 1024), "1.00 MiB");
  EXPECT_EQ(formatBytes(int64_t(1) << 30), "1.00 GiB");
  EXPECT_EQ(formatBytes((int64_t(65) << 30) / 4), "16.25 GiB");
  EXPECT_EQ(formatBytes(int64_t(1) << 40), "1.00 TiB");
  EXPECT_EQ(formatBytes(kMax), "8388608.00 TiB");
  EXPECT_EQ(formatBytes(-2048), "-2.00 KiB");
}

TEST(Bytes, FormatsRoundedToTheNearest) {
  EXPECT_EQ(formatBytes(1024 + 5), "1.00 KiB");
  EXPECT_EQ(formatBytes(1024 + 6), "1.01 KiB");
  EXPECT_EQ(formatBytes(2048 - 5), "2.00 KiB");
  EXPECT_EQ(formatBytes(2048 - 6), "1.99 KiB");
}

} // namespace

//===- Bytes.cpp - Arithmetic and text of byte sizes ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/Bytes.h"
#include "lane/Support/Quote.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace lane;

/// Bytes of `unit`, or none if it is unknown. An empty unit is bytes.
static std::optional<int64_t> getUnitBytes(StringRef unit) {
  static constexpr std::pair<StringLiteral, int64_t> kUnits[] = {
      {"", 1},
      {"K", int64_t(1) << 10},
      {"KiB", int64_t(1) << 10},
      {"M", int64_t(1) << 20},
      {"MiB", int64_t(1) << 20},
      {"G", int64_t(1) << 30},
      {"GiB", int64_t(1) << 30},
      {"T", int64_t(1) << 40},
      {"TiB", int64_t(1) << 40},
      {"KB", 1000},
      {"MB", 1000 * 1000},
      {"GB", 1000 * 1000 * 1000},
      {"TB", int64_t(1000) * 1000 * 1000 * 1000}};
  for (auto [name, bytes] : kUnits)
    if (unit == name)
      return bytes;
  return std::nullopt;
}

/// Bytes of the fraction 0.`digits` of a unit, rounded down. Starting from the
/// last digit, floor((d * unit + floor(x)) / 10) is exact for any number of
/// digits.
static int64_t getFractionBytes(StringRef digits, int64_t unitBytes) {
  int64_t bytes = 0;
  for (char digit : reverse(digits))
    bytes = ((digit - '0') * unitBytes + bytes) / 10;
  return bytes;
}

/// An error that quotes `text` and explains why it is not a size.
static Error refuseSize(StringRef text, StringRef why) {
  return createStringError(quote(text) + " is not a size: " + why);
}

Expected<int64_t> lane::parseBytes(StringRef text) {
  constexpr StringLiteral kForm =
      "expected bytes, or a number with K, M, G, T, KiB, MiB, GiB, TiB, KB, "
      "MB, GB or TB";
  constexpr StringLiteral kTooLarge = "it exceeds 2^63 - 1 bytes";
  StringRef rest = text;
  StringRef whole = rest.take_while(isDigit);
  rest = rest.drop_front(whole.size());
  StringRef fraction;
  bool hasFraction = rest.consume_front(".");
  if (hasFraction) {
    fraction = rest.take_while(isDigit);
    rest = rest.drop_front(fraction.size());
  }
  std::optional<int64_t> unitBytes = getUnitBytes(rest);
  if (whole.empty() || !unitBytes)
    return refuseSize(text, kForm);
  if (hasFraction && (fraction.empty() || rest.empty()))
    return refuseSize(text, kForm);

  int64_t number = 0;
  if (whole.getAsInteger(10, number))
    return refuseSize(text, kTooLarge);
  std::optional<int64_t> bytes = checkedMulBytes(number, *unitBytes);
  if (bytes)
    bytes = checkedAddBytes(*bytes, getFractionBytes(fraction, *unitBytes));
  if (!bytes)
    return refuseSize(text, kTooLarge);
  return *bytes;
}

std::string lane::formatBytes(int64_t bytes) {
  static constexpr StringLiteral kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  uint64_t magnitude = AbsoluteValue(bytes);
  StringRef sign = bytes < 0 ? "-" : "";
  if (magnitude < 1024)
    return formatv("{0}{1} B", sign, magnitude).str();
  unsigned unit =
      std::min<unsigned>(Log2_64(magnitude) / 10, std::size(kUnits));
  unsigned shift = unit * 10;
  uint64_t whole = magnitude >> shift;
  uint64_t rest = magnitude - (whole << shift);
  uint64_t hundredths = (rest * 100 + (uint64_t(1) << (shift - 1))) >> shift;
  return formatv("{0}{1}.{2:02} {3}", sign, whole + hundredths / 100,
                 hundredths % 100, kUnits[unit - 1])
      .str();
}

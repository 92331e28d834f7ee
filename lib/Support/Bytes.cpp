//===- Bytes.cpp - Sizes in bytes: arithmetic and text --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/Bytes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace llvm;
using namespace lane;

std::optional<int64_t> lane::checkedAddBytes(int64_t lhs, int64_t rhs) {
  return checkedAdd(lhs, rhs);
}

std::optional<int64_t> lane::checkedMulBytes(int64_t lhs, int64_t rhs) {
  return checkedMul(lhs, rhs);
}

std::optional<int64_t> lane::pooled(int64_t bytes) {
  std::optional<int64_t> padded = checkedAdd(bytes, kPoolAlignmentBytes - 1);
  if (!padded)
    return std::nullopt;
  return *padded / kPoolAlignmentBytes * kPoolAlignmentBytes;
}

/// Bytes of the unit, or none; no unit at all is bytes.
static std::optional<int64_t> getUnitBytes(StringRef unit) {
  static constexpr std::pair<StringLiteral, int64_t> kUnits[] = {
      {"", 1},
      {"KiB", int64_t(1) << 10},
      {"MiB", int64_t(1) << 20},
      {"GiB", int64_t(1) << 30},
      {"KB", 1000},
      {"MB", 1000 * 1000},
      {"GB", 1000 * 1000 * 1000}};
  for (auto [name, bytes] : kUnits)
    if (unit == name)
      return bytes;
  return std::nullopt;
}

Expected<int64_t> lane::parseBytes(StringRef text) {
  auto refuse = [&](StringRef why) {
    return createStringError(
        formatv("'{0}' is not a size: {1}", text, why).str());
  };
  constexpr StringLiteral kForm =
      "expected bytes, or a number with KiB, MiB, GiB, KB, MB or GB";
  StringRef rest = text;
  StringRef whole = rest.take_while(isDigit);
  rest = rest.drop_front(whole.size());
  StringRef fraction;
  bool hasFraction = rest.consume_front(".");
  if (hasFraction) {
    fraction = rest.take_while(isDigit);
    rest = rest.drop_front(fraction.size());
  }
  std::optional<int64_t> unit = getUnitBytes(rest);
  if (whole.empty() || !unit ||
      (hasFraction && (fraction.empty() || *unit == 1)))
    return refuse(kForm);

  int64_t number;
  if (whole.getAsInteger(10, number))
    return refuse("it passes 2^63 bytes");
  std::optional<int64_t> bytes = checkedMulBytes(number, *unit);

  // A unit is below 2^30 and a fraction is read to 18 digits, so the product
  // fits 128 bits; later digits are dropped, as is any part of a byte.
  __int128 part = 0;
  __int128 scale = 1;
  for (char digit : fraction.take_front(18)) {
    part = part * 10 + (digit - '0');
    scale *= 10;
  }
  int64_t fractionBytes = static_cast<int64_t>(part * *unit / scale);
  if (bytes)
    bytes = checkedAddBytes(*bytes, fractionBytes);
  if (!bytes)
    return refuse("it passes 2^63 bytes");
  return *bytes;
}

std::string lane::formatBytes(int64_t bytes) {
  static constexpr StringLiteral kUnits[] = {"B",   "KiB", "MiB", "GiB",
                                             "TiB", "PiB", "EiB"};
  if (bytes > -1024 && bytes < 1024)
    return formatv("{0} B", bytes).str();
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while ((value >= 1024 || value <= -1024) && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return formatv("{0:F2} {1}", value, kUnits[unit]).str();
}

//===- NumberFormat.cpp - Number formats of checkpoints -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/NumberFormat.h"
#include "lane/Support/Bytes.h"
#include <array>

using namespace llvm;
using namespace lane;

namespace {
/// One ggml type id. A removed format has no block.
struct TypeInfo {
  StringLiteral name;
  int16_t blockElements;
  int16_t blockBytes;
};
} // namespace

/// Indexed by ggml type id.
static constexpr TypeInfo kTypes[] = {
    {"f32", 1, 4},        {"f16", 1, 2},        {"q4_0", 32, 18},
    {"q4_1", 32, 20},     {"q4_2", 0, 0},       {"q4_3", 0, 0},
    {"q5_0", 32, 22},     {"q5_1", 32, 24},     {"q8_0", 32, 34},
    {"q8_1", 32, 36},     {"q2_K", 256, 84},    {"q3_K", 256, 110},
    {"q4_K", 256, 144},   {"q5_K", 256, 176},   {"q6_K", 256, 210},
    {"q8_K", 256, 292},   {"iq2_xxs", 256, 66}, {"iq2_xs", 256, 74},
    {"iq3_xxs", 256, 98}, {"iq1_s", 256, 50},   {"iq4_nl", 32, 18},
    {"iq3_s", 256, 110},  {"iq2_s", 256, 82},   {"iq4_xs", 256, 136},
    {"i8", 1, 1},         {"i16", 1, 2},        {"i32", 1, 4},
    {"i64", 1, 8},        {"f64", 1, 8},        {"iq1_m", 256, 56},
    {"bf16", 1, 2},       {"q4_0_4_4", 0, 0},   {"q4_0_4_8", 0, 0},
    {"q4_0_8_8", 0, 0},   {"tq1_0", 256, 54},   {"tq2_0", 256, 66},
    {"iq4_nl_4_4", 0, 0}, {"iq4_nl_4_8", 0, 0}, {"iq4_nl_8_8", 0, 0},
    {"mxfp4", 32, 17},    {"nvfp4", 64, 36},    {"q1_0", 128, 18},
    {"q2_0", 64, 18},
};

static constexpr size_t countFormats() {
  size_t count = 0;
  for (const TypeInfo &type : kTypes)
    count += type.blockElements != 0;
  return count;
}

static constexpr auto listFormats() {
  std::array<NumberFormat, countFormats()> formats{};
  size_t next = 0;
  for (uint32_t id = 0; id < std::size(kTypes); ++id)
    if (kTypes[id].blockElements != 0)
      formats[next++] = static_cast<NumberFormat>(id);
  return formats;
}

static constexpr auto kFormats = listFormats();
static_assert(std::size(kTypes) == static_cast<size_t>(NumberFormat::Q2_0) + 1,
              "the table covers every ggml type id");

static const TypeInfo &getInfo(NumberFormat format) {
  return kTypes[static_cast<uint32_t>(format)];
}

std::optional<NumberFormat> lane::symbolizeNumberFormat(StringRef name) {
  for (NumberFormat format : kFormats)
    if (getInfo(format).name == name)
      return format;
  return std::nullopt;
}

std::optional<NumberFormat> lane::numberFormatFromGgmlType(uint32_t id) {
  if (id >= std::size(kTypes) || kTypes[id].blockElements == 0)
    return std::nullopt;
  return static_cast<NumberFormat>(id);
}

bool lane::isRemovedGgmlType(uint32_t id) {
  return id < std::size(kTypes) && kTypes[id].blockElements == 0;
}

std::optional<StringRef> lane::getRemovedGgmlTypeName(uint32_t id) {
  if (!isRemovedGgmlType(id))
    return std::nullopt;
  return kTypes[id].name;
}

StringRef lane::stringifyNumberFormat(NumberFormat format) {
  return getInfo(format).name;
}

int64_t lane::getBlockElements(NumberFormat format) {
  return getInfo(format).blockElements;
}

int64_t lane::getBlockBytes(NumberFormat format) {
  return getInfo(format).blockBytes;
}

std::optional<int64_t> lane::getRowBytes(NumberFormat format, int64_t columns) {
  const TypeInfo &info = getInfo(format);
  if (columns <= 0 || columns % info.blockElements != 0)
    return std::nullopt;
  return checkedMulBytes(columns / info.blockElements, info.blockBytes);
}

ArrayRef<NumberFormat> lane::getAllNumberFormats() { return kFormats; }

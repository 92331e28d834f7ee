//===- NumberFormatTest.cpp - Tests of the number formats -----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/NumberFormat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <limits>
#include <set>

using namespace llvm;
using namespace lane;

namespace {

/// A line of ggml's table: id, name, elements and bytes of a block, status.
struct Row {
  uint32_t id;
  StringRef name;
  int64_t blockElements;
  int64_t blockBytes;
  bool isRemoved;
};

class NumberFormatTable : public ::testing::Test {
protected:
  void SetUp() override {
    auto file = MemoryBuffer::getFile(LANE_TEST_INPUTS_DIR
                                      "/Support/Inputs/ggml_types.tsv");
    ASSERT_TRUE(file);
    buffer = std::move(*file);
    SmallVector<StringRef> lines;
    buffer->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : ArrayRef(lines).drop_front()) {
      SmallVector<StringRef> cells;
      line.split(cells, '\t');
      ASSERT_EQ(cells.size(), 5u);
      Row row{};
      ASSERT_FALSE(cells[0].getAsInteger(10, row.id));
      row.name = cells[1];
      ASSERT_FALSE(cells[2].getAsInteger(10, row.blockElements));
      ASSERT_FALSE(cells[3].getAsInteger(10, row.blockBytes));
      row.isRemoved = cells[4] == "removed";
      rows.push_back(row);
    }
    ASSERT_EQ(rows.size(), 43u);
  }

  std::unique_ptr<MemoryBuffer> buffer;
  SmallVector<Row> rows;
};

TEST_F(NumberFormatTable, AgreesWithGgml) {
  for (const Row &row : rows) {
    SCOPED_TRACE(row.name.str());
    EXPECT_EQ(isRemovedGgmlType(row.id), row.isRemoved);
    std::optional<NumberFormat> format = numberFormatFromGgmlType(row.id);
    if (row.isRemoved) {
      EXPECT_FALSE(format);
      EXPECT_FALSE(symbolizeNumberFormat(row.name));
      EXPECT_EQ(getRemovedGgmlTypeName(row.id), row.name);
      continue;
    }
    ASSERT_TRUE(format);
    EXPECT_EQ(static_cast<uint32_t>(*format), row.id);
    EXPECT_EQ(stringifyNumberFormat(*format), row.name);
    EXPECT_EQ(symbolizeNumberFormat(row.name), format);
    EXPECT_EQ(getBlockElements(*format), row.blockElements);
    EXPECT_EQ(getBlockBytes(*format), row.blockBytes);
    EXPECT_FALSE(getRemovedGgmlTypeName(row.id));
  }
}

TEST_F(NumberFormatTable, ListsEveryFormatInOrder) {
  SmallVector<uint32_t> expected, listed;
  for (const Row &row : rows)
    if (!row.isRemoved)
      expected.push_back(row.id);
  for (NumberFormat format : getAllNumberFormats())
    listed.push_back(static_cast<uint32_t>(format));
  EXPECT_EQ(listed, expected);
}

TEST(NumberFormat, KnowsNoOtherIds) {
  for (uint32_t id : {43u, 44u, 255u, 0x7fffffffu, 0xffffffffu}) {
    EXPECT_FALSE(numberFormatFromGgmlType(id));
    EXPECT_FALSE(isRemovedGgmlType(id));
    EXPECT_FALSE(getRemovedGgmlTypeName(id));
  }
}

TEST(NumberFormat, NamesAreSpelledExactly) {
  for (StringRef name : {"", "Q4_K", "q4_k", "q4_K ", "q4", "f32x"})
    EXPECT_FALSE(symbolizeNumberFormat(name)) << name.str();
}

TEST(NumberFormat, RowsAreWholeBlocks) {
  EXPECT_EQ(getRowBytes(NumberFormat::F32, 1), 4);
  EXPECT_EQ(getRowBytes(NumberFormat::Q8_0, 1024), 1088);
  EXPECT_EQ(getRowBytes(NumberFormat::Q4_K, 256), 144);
  EXPECT_EQ(getRowBytes(NumberFormat::Q4_K, 768), 432);
  EXPECT_FALSE(getRowBytes(NumberFormat::Q4_K, 255));
  EXPECT_FALSE(getRowBytes(NumberFormat::Q4_K, 32));
  EXPECT_FALSE(getRowBytes(NumberFormat::F32, 0));
  EXPECT_FALSE(getRowBytes(NumberFormat::F32, -4));
}

TEST(NumberFormat, RowsDoNotWrap) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(getRowBytes(NumberFormat::I8, kMax), kMax);
  EXPECT_FALSE(getRowBytes(NumberFormat::F64, kMax / 8 + 1));
  EXPECT_EQ(getRowBytes(NumberFormat::F64, kMax / 8), kMax / 8 * 8);
}

} // namespace

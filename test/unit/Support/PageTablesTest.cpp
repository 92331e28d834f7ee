//===- PageTablesTest.cpp - Tests of page tables' bytes -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/PageTables.h"
#include "gtest/gtest.h"

namespace {

constexpr int64_t kMiB = int64_t(1) << 20;

TEST(PageTablesTest, CountsWholeTables) {
  EXPECT_EQ(laneGetPageTableBytes(0), 0);
  EXPECT_EQ(laneGetPageTableBytes(1), 2 * 4096);
  EXPECT_EQ(laneGetPageTableBytes(2 * kMiB), 2 * 4096);
  EXPECT_EQ(laneGetPageTableBytes(2 * kMiB + 1), 3 * 4096);
  EXPECT_EQ(laneGetPageTableBytes(512 * kMiB + 1), (257 + 2) * 4096);
  EXPECT_EQ(laneGetPageTableBytes(354 * 1024 * kMiB), 354 * 514 * 4096);
}

TEST(PageTablesTest, MovesEnoughForTheTablesToo) {
  EXPECT_EQ(laneGetBytesToMove(0), 0);
  for (int64_t deficit = 1; deficit < int64_t(1) << 56;
       deficit += deficit / 3 + 1) {
    int64_t moved = laneGetBytesToMove(deficit);
    // More host bytes are enough too, at the start of a table above all.
    for (int64_t span : {int64_t(1), 2 * kMiB, 512 * kMiB})
      for (int64_t more : {int64_t(0), int64_t(1), int64_t(777)}) {
        int64_t bytes = (moved + span - 1) / span * span + more;
        EXPECT_GE(bytes - laneGetPageTableBytes(bytes), deficit);
      }
    int64_t fewer = moved - 16384;
    if (fewer > 0) {
      EXPECT_LT(fewer - laneGetPageTableBytes(fewer), deficit);
    }
  }
  EXPECT_EQ(laneGetBytesToMove(INT64_MAX), INT64_MAX);
}

TEST(PageTablesTest, FreesTheLargestDeficit) {
  for (int64_t bytes : {int64_t(0), int64_t(1), int64_t(8209)})
    EXPECT_EQ(laneGetFreedBytes(bytes), 0);
  EXPECT_EQ(laneGetFreedBytes(8210), 1);
  for (int64_t bytes = 8210; bytes < int64_t(1) << 56; bytes += bytes / 3) {
    int64_t freed = laneGetFreedBytes(bytes);
    EXPECT_LE(laneGetBytesToMove(freed), bytes);
    EXPECT_GT(laneGetBytesToMove(freed + 1), bytes);
  }
  int64_t most = laneGetFreedBytes(INT64_MAX);
  EXPECT_LE(most, INT64_MAX - laneGetPageTableBytes(INT64_MAX));
  EXPECT_LT(laneGetBytesToMove(most), INT64_MAX);
  EXPECT_EQ(laneGetBytesToMove(most + 1), INT64_MAX);
}

} // namespace

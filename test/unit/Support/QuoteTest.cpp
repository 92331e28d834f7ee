//===- QuoteTest.cpp - Tests of quoted names ------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/Quote.h"
#include "gtest/gtest.h"

using namespace lane;

namespace {

TEST(Quote, PrintableTextIsUnchanged) {
  EXPECT_EQ(quote(""), "''");
  EXPECT_EQ(quote("blk.0.attn_q.weight"), "'blk.0.attn_q.weight'");
}

TEST(Quote, OtherBytesAreEscaped) {
  EXPECT_EQ(quote("a\n\x1b[31m"), "'a\\0A\\1B[31m'");
  EXPECT_EQ(quote(llvm::StringRef("a\0b", 3)), "'a\\00b'");
  EXPECT_EQ(quote("w\xc3\xa9\""), "'w\\C3\\A9\\22'");
  EXPECT_EQ(quote("\\0A"), "'\\\\0A'");
}

TEST(Quote, LongTextIsCut) {
  std::string longest(200, 'x');
  EXPECT_EQ(quote(longest), "'" + longest + "'");
  EXPECT_EQ(quote(longest + "y"), "'" + longest + "...'");
}

} // namespace

//===- Quote.cpp - Names in diagnostics -----------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/Quote.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

std::string lane::quote(StringRef text) {
  constexpr size_t kMaxBytes = 200;
  std::string quoted = "'";
  raw_string_ostream os(quoted);
  printEscapedString(text.take_front(kMaxBytes), os);
  os << (text.size() > kMaxBytes ? "...'" : "'");
  return quoted;
}

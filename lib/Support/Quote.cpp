//===- Quote.cpp - Names in diagnostics -----------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/Quote.h"
#include "lane/Support/QuoteText.h"

std::string lane::quote(llvm::StringRef text) {
  return quoteText(text.data(), text.size());
}

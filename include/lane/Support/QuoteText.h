//===- QuoteText.h - Names in diagnostics, without LLVM ---------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Quote.h declares, for code that generated programs carry.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_QUOTETEXT_H
#define LANE_SUPPORT_QUOTETEXT_H

#include <algorithm>
#include <cstddef>
#include <string>

namespace lane {

/// The `bytes` bytes at `text` in single quotes, for a diagnostic of one line.
/// Bytes that are not printable ASCII are escaped as in MLIR's own strings, and
/// text longer than 200 bytes is cut and ends in "...".
inline std::string quoteText(const char *text, size_t bytes) {
  constexpr size_t kMaxBytes = 200;
  std::string quoted = "'";
  for (size_t i = 0, end = std::min(bytes, kMaxBytes); i < end; ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    if (c == '\\') {
      quoted += "\\\\";
    } else if (c >= 0x20 && c < 0x7F && c != '"') {
      quoted += static_cast<char>(c);
    } else {
      quoted += '\\';
      quoted += "0123456789ABCDEF"[c >> 4];
      quoted += "0123456789ABCDEF"[c & 15];
    }
  }
  return quoted + (bytes > kMaxBytes ? "...'" : "'");
}

inline std::string quoteText(const std::string &text) {
  return quoteText(text.data(), text.size());
}

} // namespace lane

#endif // LANE_SUPPORT_QUOTETEXT_H

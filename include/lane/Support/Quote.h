//===- Quote.h - Names in diagnostics ---------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quotes names from files. These may contain any bytes, but a diagnostic is one
// printable line.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_QUOTE_H
#define LANE_SUPPORT_QUOTE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace lane {

/// `text` in single quotes, for a diagnostic of one line. Bytes that are not
/// printable ASCII are escaped as in MLIR's own strings, and text longer than
/// 200 bytes is cut and ends in "...".
std::string quote(llvm::StringRef text);

} // namespace lane

#endif // LANE_SUPPORT_QUOTE_H

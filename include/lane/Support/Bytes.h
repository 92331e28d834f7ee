//===- Bytes.h - Arithmetic and text of byte sizes --------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checked arithmetic on byte sizes, alignment of the residence plan, and byte
// sizes as text.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_BYTES_H
#define LANE_SUPPORT_BYTES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>
#include <optional>
#include <string>

namespace lane {

/// Alignment of every array in a pool, as guaranteed by the CUDA allocator.
constexpr int64_t kPoolAlignmentBytes = 256;

/// Elements that share one f32 scale in a quantized storage.
constexpr int64_t kQuantizationBlockElements = 32;

// Planning adds and aligns for every buffer: this is inline, and avoids APInt,
// which llvm/Support/CheckedArithmetic.h uses.

/// Sum and product of non-negative values; none if they overflow int64_t.
inline std::optional<int64_t> checkedAddBytes(int64_t lhs, int64_t rhs) {
  int64_t sum;
  if (llvm::AddOverflow(lhs, rhs, sum))
    return std::nullopt;
  return sum;
}
inline std::optional<int64_t> checkedMulBytes(int64_t lhs, int64_t rhs) {
  int64_t product;
  if (llvm::MulOverflow(lhs, rhs, product))
    return std::nullopt;
  return product;
}

/// `bytes` rounded up to a multiple of `alignmentBytes`, which is at least 1;
/// none if it overflows int64_t.
inline std::optional<int64_t> checkedAlignBytes(int64_t bytes,
                                                int64_t alignmentBytes) {
  std::optional<int64_t> padded = checkedAddBytes(bytes, alignmentBytes - 1);
  if (!padded)
    return std::nullopt;
  return *padded / alignmentBytes * alignmentBytes;
}

/// `bytes` rounded up to the pool alignment; none if it overflows int64_t.
inline std::optional<int64_t> alignToPool(int64_t bytes) {
  return checkedAlignBytes(bytes, kPoolAlignmentBytes);
}

/// Parses a size: a decimal number of bytes, or a decimal number with one of
/// the units KiB, MiB, GiB, TiB (powers of 1024), for short K, M, G, T, or KB,
/// MB, GB, TB (powers of 1000). A number with a unit may have a fraction, and
/// the result is rounded down. The result is exact for any number of digits.
/// Other text, and a size that overflows int64_t, is an error of one line that
/// quotes `text`.
llvm::Expected<int64_t> parseBytes(llvm::StringRef text);

/// Prints a size in the largest binary unit, up to TiB, in which it is at least
/// 1, rounded to the nearest hundredth: "16.25 GiB", "131.00 KiB", "96 B".
std::string formatBytes(int64_t bytes);

} // namespace lane

#endif // LANE_SUPPORT_BYTES_H

//===- Bytes.h - Sizes in bytes: arithmetic and text ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checked arithmetic on sizes in bytes, the roundings of the residence plan,
// and sizes as people write them.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_BYTES_H
#define LANE_SUPPORT_BYTES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace lane {

/// Every array in a pool starts at a multiple of this: what the CUDA allocator
/// gives.
constexpr int64_t kPoolAlignmentBytes = 256;

/// Elements that share one f32 scale in a quantized storage.
constexpr int64_t kQuantizationBlockElements = 32;

/// Sum and product of values that are not negative; none past int64_t.
std::optional<int64_t> checkedAddBytes(int64_t lhs, int64_t rhs);
std::optional<int64_t> checkedMulBytes(int64_t lhs, int64_t rhs);

/// `bytes` rounded up to the pool alignment; none past int64_t.
std::optional<int64_t> alignToPool(int64_t bytes);

/// Reads a size as a person writes it: a decimal number of bytes, or with a
/// unit of KiB, MiB, GiB (powers of 1024), KB, MB, GB (powers of 1000), where
/// it may have a fraction; a part of a byte is dropped. Exact, however many
/// digits there are. Anything else, and a size past int64_t, is an error of one
/// line that quotes `text` and states what is accepted.
llvm::Expected<int64_t> parseBytes(llvm::StringRef text);

/// A size for people, in the largest binary unit of which there is at least
/// one, up to TiB: "16.25 GiB", "131.00 KiB", "96 B". Rounded to the nearest
/// hundredth, exactly.
std::string formatBytes(int64_t bytes);

} // namespace lane

#endif // LANE_SUPPORT_BYTES_H

//===- Q8Blocks.h - q8_0 blocks as two arrays -------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_Q8BLOCKS_H
#define LANE_LIB_RUNTIME_Q8BLOCKS_H

#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace lane::runtime {

/// A block of q8_0 in a file: an fp16 scale, then 32 quants.
constexpr int64_t kQ8ScaleBytes = 2;
constexpr int64_t kQ8Quants = 32;
constexpr int64_t kQ8BlockBytes = kQ8ScaleBytes + kQ8Quants;
/// Blocks that are split at once, so that they are in the nearest cache.
constexpr int64_t kQ8SplitBlocks = 4096;

/// Splits `count` blocks into their quants and their scales.
inline void splitQ8Blocks(const char *blocks, int64_t count, char *quants,
                          char *scales) {
  int64_t done = 0;
#ifdef __SSE2__
  // Streaming stores bypass the caches: the device fetches these bytes, and
  // from another processor's cache that is much slower than from memory.
  constexpr int64_t kVectorBytes = 16;
  constexpr int64_t kGroup = kVectorBytes / kQ8ScaleBytes;
  bool isAligned = reinterpret_cast<uintptr_t>(quants) % kVectorBytes == 0 &&
                   reinterpret_cast<uintptr_t>(scales) % kVectorBytes == 0;
  for (; isAligned && done + kGroup <= count; done += kGroup) {
    alignas(kVectorBytes) char group[kVectorBytes];
    for (int64_t i = 0; i < kGroup; ++i) {
      const char *block = blocks + (done + i) * kQ8BlockBytes;
      std::memcpy(group + i * kQ8ScaleBytes, block, kQ8ScaleBytes);
      auto *from = reinterpret_cast<const __m128i *>(block + kQ8ScaleBytes);
      auto *to = reinterpret_cast<__m128i *>(quants + (done + i) * kQ8Quants);
      _mm_stream_si128(to, _mm_loadu_si128(from));
      _mm_stream_si128(to + 1, _mm_loadu_si128(from + 1));
    }
    _mm_stream_si128(reinterpret_cast<__m128i *>(scales + done * kQ8ScaleBytes),
                     _mm_load_si128(reinterpret_cast<__m128i *>(group)));
  }
  _mm_sfence();
#endif
  for (; done < count; ++done) {
    const char *block = blocks + done * kQ8BlockBytes;
    std::memcpy(scales + done * kQ8ScaleBytes, block, kQ8ScaleBytes);
    std::memcpy(quants + done * kQ8Quants, block + kQ8ScaleBytes, kQ8Quants);
  }
}

} // namespace lane::runtime

#endif // LANE_LIB_RUNTIME_Q8BLOCKS_H

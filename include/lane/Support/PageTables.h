//===- PageTables.h - Page tables of mapped host memory ---------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory that the driver takes for the page tables of mapped host
// memory. The planner and the generated program both use these functions.
//
// Host memory has pages of 4 KiB, each with an entry of 8 bytes. A table of 512
// entries takes 4 KiB of device memory and maps 2 MiB; the tables above take 4
// KiB for each 512 MiB. (NVIDIA's open kernel modules, the format of page
// tables from Pascal on.) 354 GiB take 711 MiB.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_PAGETABLES_H
#define LANE_SUPPORT_PAGETABLES_H

#include <cstdint>

namespace {

/// Bytes of page tables for `hostBytes` mapped bytes (0 or more).
inline int64_t laneGetPageTableBytes(int64_t hostBytes) {
  constexpr int64_t kTableBytes = 4096;
  constexpr int64_t kTableSpan = int64_t(2) << 20;
  constexpr int64_t kDirectorySpan = int64_t(512) << 20;
  auto countTables = [=](int64_t spanBytes) {
    return hostBytes / spanBytes + (hostBytes % spanBytes != 0);
  };
  return kTableBytes * (countTables(kTableSpan) + countTables(kDirectorySpan));
}

/// A number of mapped host bytes that frees `deficitBytes` (0 or more) of the
/// device, after the page tables are subtracted; any larger number does too. At
/// most 16 KiB above the smallest such number. Saturates at INT64_MAX.
inline int64_t laneGetBytesToMove(int64_t deficitBytes) {
  if (deficitBytes == 0)
    return 0;
  // The tables of M bytes take at most M * 257 / 131072 + 8192 bytes.
  constexpr int64_t kSpan = 131072, kTables = 257, kRoundingBytes = 8192;
  constexpr int64_t kFreed = kSpan - kTables;
  if (deficitBytes > INT64_MAX / kSpan * kFreed - kSpan)
    return INT64_MAX;
  int64_t bytes = deficitBytes + kRoundingBytes;
  return bytes + bytes / kFreed * kTables + bytes % kFreed * kTables / kFreed +
         1;
}

/// Bytes of the device that `hostBytes` (0 or more) free: the largest deficit
/// for which laneGetBytesToMove asks for no more than that.
inline int64_t laneGetFreedBytes(int64_t hostBytes) {
  int64_t least = 0, most = hostBytes;
  while (least < most) {
    int64_t middle = most - (most - least) / 2;
    int64_t needed = laneGetBytesToMove(middle);
    // A saturated result is not enough.
    if (needed <= hostBytes && needed != INT64_MAX)
      least = middle;
    else
      most = middle - 1;
  }
  return least;
}

} // namespace

#endif // LANE_SUPPORT_PAGETABLES_H

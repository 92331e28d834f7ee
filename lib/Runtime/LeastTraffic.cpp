//===- LeastTraffic.cpp - The policy least-traffic at the start -----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Runtime/Runtime.h"
#include "lane/Support/TrafficSearch.h"
#include <cstring>
#include <new>

LANE_RUNTIME_LINKAGE int32_t lanePlaceLeastTraffic(
    lane_program *program, const int64_t *uploadBytes, const int64_t *stepBytes,
    int64_t numUploads, int64_t wholeBytes, int64_t budgetBytes) {
  std::memset(program->on_host, 0, static_cast<size_t>(numUploads));
  program->device_bytes = wholeBytes;
  program->host_bytes = 0;
  program->moved = 0;
  auto move = [&](int64_t rank) {
    program->on_host[rank] = 1;
    program->device_bytes -= uploadBytes[rank];
    program->host_bytes += uploadBytes[rank];
    ++program->moved;
  };
  int64_t deficit = wholeBytes - budgetBytes;
  if (deficit <= 0)
    return 1;
  int64_t sum = 0;
  for (int64_t rank = 0; rank < numUploads; ++rank)
    sum += uploadBytes[rank];
  if (sum < deficit)
    return 0;
  try {
    LaneTrafficSearch search(uploadBytes, stepBytes, numUploads, deficit,
                             kLaneTrafficWorkLimit);
    for (int64_t rank : search.run().ranks)
      move(rank);
  } catch (const std::bad_alloc &) {
    // Without memory to search, what the plan's order moves is right too.
    for (int64_t rank = 0; program->device_bytes > budgetBytes; ++rank)
      move(rank);
  }
  return 1;
}

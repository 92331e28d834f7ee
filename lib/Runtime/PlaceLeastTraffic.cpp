//===- PlaceLeastTraffic.cpp - The policy least-traffic -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramState.h"
#include "lane/Support/TrafficSearch.h"
#include <new>

namespace lane::runtime {

static std::vector<int64_t> searchLeastTraffic(const lane_description &given,
                                               int64_t bytesToMove) {
  try {
    std::vector<int64_t> uploadBytes, stepBytes;
    for (int64_t rank = 0; rank < given.num_uploads; ++rank) {
      uploadBytes.push_back(given.uploads[rank].bytes);
      stepBytes.push_back(given.uploads[rank].step_bytes);
    }
    LaneTrafficSearch search(uploadBytes.data(), stepBytes.data(),
                             given.num_uploads, bytesToMove,
                             kLaneTrafficWorkLimit);
    return search.run().ranks;
  } catch (const std::bad_alloc &) {
    // Without memory to search, the plan's order is a valid placement too.
    return moveInOrder(given, bytesToMove);
  }
}

} // namespace lane::runtime

LANE_RUNTIME_LINKAGE void lanePlaceLeastTraffic(lane_program *program) {
  lane::runtime::place(program, lane::runtime::searchLeastTraffic);
}

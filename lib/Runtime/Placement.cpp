//===- Placement.cpp - Which uploads live on the host ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLimit.h"
#include "ProgramState.h"
#include "lane/Support/PageTables.h"

namespace lane::runtime {

/// Sets the extents and the bytes in each space. The device pool has the fixed
/// part first; in both pools uploads follow each other in the plan's order.
static void setPlacement(ProgramState &state,
                         const std::vector<int64_t> &moved) {
  int64_t poolBytes = state.description->fixed_bytes;
  int64_t hostPoolBytes = 0;
  auto nextMoved = moved.begin();
  for (int64_t rank = 0; rank < state.description->num_uploads; ++rank) {
    int64_t bytes = state.description->uploads[rank].bytes;
    bool isMoved = nextMoved != moved.end() && *nextMoved == rank;
    nextMoved += isMoved;
    int64_t &end = isMoved ? hostPoolBytes : poolBytes;
    lane_space space = isMoved ? lane_space{LANE_SPACE_HOST, 0}
                               : lane_space{LANE_SPACE_DEVICE, state.device};
    state.extentStorage[static_cast<size_t>(rank)] = {rank, space, 0, bytes,
                                                      end};
    end += bytes;
  }
  state.num_extents = state.description->num_uploads;
  state.device_bytes = state.description->arena_bytes + poolBytes;
  state.host_bytes = hostPoolBytes;
  state.page_table_bytes = laneGetPageTableBytes(hostPoolBytes);
  state.moved = static_cast<int64_t>(moved.size());
}

/// Fails where the host has less memory than the placement needs.
static int32_t checkHostMemory(ProgramState &state) {
  if (state.host_bytes == 0)
    return LANE_OK;
  bool isGiven = state.options.host_bytes > 0;
  int64_t limitBytes =
      isGiven ? state.options.host_bytes : getAvailableHostBytes();
  if (state.host_bytes <= limitBytes)
    return LANE_OK;
  return fail(state.error, LANE_NO_HOST_MEMORY,
              "the placement needs " + std::to_string(state.host_bytes) +
                  " bytes of host memory, but " + std::to_string(limitBytes) +
                  " bytes are " + (isGiven ? "given" : "available"));
}

int32_t placeOrRefuse(ProgramState &state, int64_t budgetBytes) {
  int64_t residentBytes = state.getResidentBytes();
  if (residentBytes > budgetBytes)
    return fail(state.error, LANE_DOES_NOT_FIT,
                "the program needs " + std::to_string(residentBytes) +
                    " bytes on the device at least, but the budget is " +
                    std::to_string(budgetBytes) + " bytes");
  int64_t uploadBytes = 0;
  for (int64_t rank = 0; rank < state.description->num_uploads; ++rank)
    uploadBytes += state.description->uploads[rank].bytes;
  int64_t wholeBytes = residentBytes + uploadBytes;
  int64_t bytesToMove = std::max<int64_t>(wholeBytes - budgetBytes, 0);
  if (state.countsPageTables)
    bytesToMove = laneGetBytesToMove(bytesToMove);
  if (bytesToMove > uploadBytes)
    return fail(
        state.error, LANE_DOES_NOT_FIT,
        "the program needs " +
            std::to_string(wholeBytes - laneGetFreedBytes(uploadBytes)) +
            " bytes on the device at least, with page tables, but the "
            "budget is " +
            std::to_string(budgetBytes) + " bytes");
  std::vector<int64_t> moved;
  if (bytesToMove > 0)
    moved = state.policy(*state.description, bytesToMove);
  setPlacement(state, moved);
  if (state.moved > 0 && state.is_integrated)
    return fail(state.error, LANE_DOES_NOT_FIT,
                "the device shares the host's memory, so nothing is moved: the "
                "program needs " +
                    std::to_string(wholeBytes) + " bytes, but the budget is " +
                    std::to_string(budgetBytes) + " bytes");
  if (state.moved > 0 && !state.can_map_host)
    return fail(state.error, LANE_CANNOT_MAP,
                "the device cannot map host memory, which the placement needs "
                "for " +
                    std::to_string(state.host_bytes) +
                    " bytes on a budget of " + std::to_string(budgetBytes) +
                    " bytes");
  return checkHostMemory(state);
}

void place(lane_program *program, Policy *policy) {
  runStep(program, [policy](ProgramState &state) -> int32_t {
    state.policy = policy;
    return placeOrRefuse(state, state.budget_bytes);
  });
}

std::vector<int64_t> moveInOrder(const lane_description &description,
                                 int64_t bytesToMove) {
  std::vector<int64_t> moved;
  for (int64_t rank = 0; bytesToMove > 0; ++rank) {
    moved.push_back(rank);
    bytesToMove -= description.uploads[rank].bytes;
  }
  return moved;
}

} // namespace lane::runtime

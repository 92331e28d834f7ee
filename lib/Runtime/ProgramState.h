//===- ProgramState.h - A program and what it owns --------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's view of a lane_program, shared by the steps of `open`, each of
// which is a file.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_PROGRAMSTATE_H
#define LANE_LIB_RUNTIME_PROGRAMSTATE_H

#include "Message.h"
#include "RegisteredMemory.h"
#include "Resources.h"
#include "StepGraph.h"
#include "lane/Runtime/Runtime.h"
#include <map>
#include <vector>

namespace lane::runtime {

/// Chooses the uploads that leave the device so that at least `bytesToMove` do
/// (above 0, and at most the bytes of all uploads). Returns ascending ranks.
using Policy = std::vector<int64_t>(const lane_description &description,
                                    int64_t bytesToMove);

/// Owns what a program takes. It is destroyed in reverse: graphs, host
/// pool, device pool, arena.
struct ProgramState : lane_program {
  const lane_description *description = nullptr;
  lane_options options = {};
  lane_error *error = nullptr;
  /// Failure of the first step that failed.
  int32_t code = LANE_OK;
  /// The CUDA number of the program's device; -1 until it is known.
  int32_t device = -1;
  /// Whether the driver gives more device memory than is free, in host memory
  /// (WSL2, and Windows' driver model WDDM).
  bool maySpill = false;
  /// Whether page tables of the host pool are part of the budget: the device
  /// was asked what is free.
  bool countsPageTables = false;
  Policy *policy = nullptr;
  /// Whether steps run as graphs.
  bool usesGraphs = false;
  std::vector<lane_extent> extentStorage;
  std::vector<void *> pointerStorage;
  DeviceMemory arenaMemory;
  DeviceMemory poolMemory;
  /// The host pool is one of these.
  HostMemory hostMemory;
  RegisteredMemory registeredMemory;
  /// Of steps that have run, by the function that makes their launches.
  std::map<void (*)(), StepGraph> graphs;

  ProgramState() : lane_program() {}

  int64_t getResidentBytes() const {
    return description->arena_bytes + description->fixed_bytes;
  }

  /// Host memory has an address on the host, and one on the device.
  enum class View { Host, Device };

  bool isOnHost(int64_t base) const {
    return base >= 0 && extents[base].space.kind == LANE_SPACE_HOST;
  }
  /// The address where a base of the description starts. It is a host address
  /// if the base is on the host and `view` is Host, else a device address.
  char *getStart(int64_t base, View view) const {
    if (base == LANE_BASE_ARENA)
      return static_cast<char *>(arena);
    if (base == LANE_BASE_FIXED)
      return static_cast<char *>(pool);
    void *hostStart = view == View::Host ? host_pool : mapped_pool;
    return static_cast<char *>(isOnHost(base) ? hostStart : pool) +
           extents[base].pool_offset_bytes;
  }
};

/// Runs one step, unless an earlier one failed.
template <typename StepT>
void runStep(lane_program *program, StepT step) {
  auto *state = static_cast<ProgramState *>(program);
  if (!state || state->code != LANE_OK)
    return;
  try {
    state->code = step(*state);
  } catch (...) {
    // Allocations of the standard library throw; nothing else does.
    state->code = fail(state->error, LANE_NO_HOST_MEMORY,
                       "the host has no memory to open the program");
  }
}

/// Runs one step that allocates or fills memory. Does nothing if `place_only`
/// is set.
template <typename StepT>
void runMemoryStep(lane_program *program, StepT step) {
  runStep(program, [&](ProgramState &state) -> int32_t {
    return state.options.place_only ? int32_t(LANE_OK) : step(state);
  });
}

/// Places on a budget by `state.policy`. Fails if the program does not fit.
int32_t placeOrRefuse(ProgramState &state, int64_t budgetBytes);

/// The step of each policy: places on the program's budget.
void place(lane_program *program, Policy *policy);

/// The policy last-read.
std::vector<int64_t> moveInOrder(const lane_description &description,
                                 int64_t bytesToMove);

} // namespace lane::runtime

#endif // LANE_LIB_RUNTIME_PROGRAMSTATE_H

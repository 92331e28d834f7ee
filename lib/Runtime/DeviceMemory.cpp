//===- DeviceMemory.cpp - The arena and the device pool -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramState.h"

using namespace lane::runtime;

LANE_RUNTIME_LINKAGE void laneAllocateArena(lane_program *program) {
  runMemoryStep(program, [](ProgramState &state) -> int32_t {
    int64_t bytes = state.description->arena_bytes;
    if (bytes == 0)
      return LANE_OK;
    cudaError_t status = state.arenaMemory.allocate(bytes);
    state.arena = state.arenaMemory.get();
    return checkCuda(state.error, "cudaMalloc", status, bytes);
  });
}

LANE_RUNTIME_LINKAGE void laneAllocatePool(lane_program *program) {
  runMemoryStep(program, [](ProgramState &state) -> int32_t {
    while (true) {
      int64_t bytes = state.device_bytes - state.description->arena_bytes;
      cudaError_t status = state.poolMemory.allocate(bytes);
      if (status != cudaErrorMemoryAllocation) {
        state.pool = state.poolMemory.get();
        return checkCuda(state.error, "cudaMalloc", status, bytes);
      }
      // Handled here: the caller must not see this error.
      cudaGetLastError();
      log(state.options, "the device has no " + std::to_string(bytes) +
                             " bytes left for the pool: moving more to the "
                             "host");
      if (int32_t code = placeOrRefuse(state, state.device_bytes - 1))
        return code;
    }
  });
}

//===- HostMemory.cpp - The host pool -------------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramState.h"

using namespace lane::runtime;

LANE_RUNTIME_LINKAGE void laneMapHostPool(lane_program *program) {
  runMemoryStep(program, [](ProgramState &state) -> int32_t {
    int64_t bytes = state.host_bytes;
    if (bytes == 0)
      return LANE_OK;
    // Write-combined: the device reads it, and the host only writes it.
    cudaError_t status = state.hostMemory.allocate(
        bytes, cudaHostAllocMapped | cudaHostAllocWriteCombined);
    if (int32_t code = checkPinned(state.error, status, bytes))
      return code;
    state.host_pool = state.hostMemory.get();
    return checkCuda(
        state.error, "cudaHostGetDevicePointer",
        cudaHostGetDevicePointer(&state.mapped_pool, state.host_pool, 0),
        bytes);
  });
}

//===- HostMemory.cpp - The host pool -------------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramState.h"

namespace lane::runtime {

/// Sets the flags of cudaHostAlloc for the requested kind of memory.
static int32_t getHostFlags(ProgramState &state, unsigned &flags) {
  int32_t kind = state.options.host_memory;
  if (kind == LANE_HOST_MEMORY_AUTO) {
    int isCoherent = 1;
#ifdef __x86_64__
    if (int32_t code = checkCuda(
            state.error, "cudaDeviceGetAttribute",
            cudaDeviceGetAttribute(
                &isCoherent, cudaDevAttrPageableMemoryAccessUsesHostPageTables,
                state.device)))
      return code;
#endif
    kind =
        isCoherent ? LANE_HOST_MEMORY_CACHED : LANE_HOST_MEMORY_WRITE_COMBINED;
  }
  if (kind != LANE_HOST_MEMORY_CACHED &&
      kind != LANE_HOST_MEMORY_WRITE_COMBINED)
    return fail(state.error, LANE_BAD_OPTION,
                "host_memory is " + std::to_string(kind));
  // The device reads write-combined memory, and the host only writes it.
  flags = cudaHostAllocMapped;
  if (kind == LANE_HOST_MEMORY_WRITE_COMBINED)
    flags |= cudaHostAllocWriteCombined;
  return LANE_OK;
}

} // namespace lane::runtime

using namespace lane::runtime;

LANE_RUNTIME_LINKAGE void laneMapHostPool(lane_program *program) {
  runMemoryStep(program, [](ProgramState &state) -> int32_t {
    int64_t bytes = state.host_bytes;
    if (bytes == 0)
      return LANE_OK;
    unsigned flags = 0;
    if (int32_t code = getHostFlags(state, flags))
      return code;
    cudaError_t status = state.hostMemory.allocate(bytes, flags);
    if (int32_t code = checkPinned(state.error, status, bytes))
      return code;
    state.host_pool = state.hostMemory.get();
    return checkCuda(
        state.error, "cudaHostGetDevicePointer",
        cudaHostGetDevicePointer(&state.mapped_pool, state.host_pool, 0),
        bytes);
  });
}

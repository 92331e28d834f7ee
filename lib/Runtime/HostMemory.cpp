//===- HostMemory.cpp - The host pool -------------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramState.h"

namespace lane::runtime {

/// The driver pins write-combined memory in one thread: more of it takes
/// minutes.
static constexpr int64_t kMostCombinedBytes = int64_t(64) << 30;
static constexpr int64_t kDefaultChunkBytes = int64_t(4) << 30;

static int32_t getAttribute(ProgramState &state, cudaDeviceAttr attribute,
                            int &value) {
  return checkCuda(state.error, "cudaDeviceGetAttribute",
                   cudaDeviceGetAttribute(&value, attribute, state.device));
}

/// Resolves LANE_HOST_MEMORY_AUTO.
static int32_t chooseKind(ProgramState &state, int32_t &kind) {
  kind = LANE_HOST_MEMORY_CACHED;
  if (state.host_bytes > kMostCombinedBytes)
    return LANE_OK;
#ifdef __x86_64__
  int isCoherent = 0;
  if (int32_t code = getAttribute(
          state, cudaDevAttrPageableMemoryAccessUsesHostPageTables, isCoherent))
    return code;
  if (!isCoherent)
    kind = LANE_HOST_MEMORY_WRITE_COMBINED;
#endif
  return LANE_OK;
}

/// Whether the device reads registered memory at the host's addresses.
static int32_t canRegister(ProgramState &state, int &isPossible) {
  if (int32_t code =
          getAttribute(state, cudaDevAttrHostRegisterSupported, isPossible))
    return code;
  return isPossible
             ? getAttribute(state, cudaDevAttrCanUseHostPointerForRegisteredMem,
                            isPossible)
             : int32_t(LANE_OK);
}

/// Reserves the host pool. Its chunks are pinned when the upload fills them.
static int32_t reserve(ProgramState &state) {
  int numaNode = -1;
  if (int32_t code = getAttribute(state, cudaDevAttrHostNumaId, numaNode))
    return code;
  int64_t chunkBytes = state.options.host_chunk_bytes;
  if (!state.registeredMemory.reserve(
          state.host_bytes, chunkBytes ? chunkBytes : kDefaultChunkBytes,
          numaNode))
    return fail(state.error, LANE_NO_HOST_MEMORY,
                "the host has no address range of " +
                    std::to_string(state.host_bytes) + " bytes");
  state.host_pool = state.mapped_pool = state.registeredMemory.get();
  return LANE_OK;
}

/// Allocates the host pool in one call.
static int32_t allocate(ProgramState &state, unsigned flags) {
  int64_t bytes = state.host_bytes;
  cudaError_t status =
      state.hostMemory.allocate(bytes, cudaHostAllocMapped | flags);
  if (int32_t code = checkPinned(state.error, "cudaHostAlloc", status, bytes))
    return code;
  state.host_pool = state.hostMemory.get();
  return checkCuda(
      state.error, "cudaHostGetDevicePointer",
      cudaHostGetDevicePointer(&state.mapped_pool, state.host_pool, 0), bytes);
}

static int32_t mapHostPool(ProgramState &state) {
  if (state.options.host_chunk_bytes < 0)
    return fail(state.error, LANE_BAD_OPTION,
                "host_chunk_bytes is " +
                    std::to_string(state.options.host_chunk_bytes));
  int32_t kind = state.options.host_memory;
  if (kind < LANE_HOST_MEMORY_AUTO || kind > LANE_HOST_MEMORY_CACHED)
    return fail(state.error, LANE_BAD_OPTION,
                "host_memory is " + std::to_string(kind));
  if (state.host_bytes == 0)
    return LANE_OK;
  if (kind == LANE_HOST_MEMORY_AUTO)
    if (int32_t code = chooseKind(state, kind))
      return code;
  // The device reads write-combined memory, and the host only writes it.
  if (kind == LANE_HOST_MEMORY_WRITE_COMBINED)
    return allocate(state, cudaHostAllocWriteCombined);
  int isPossible = 0;
  if (int32_t code = canRegister(state, isPossible))
    return code;
  return isPossible ? reserve(state) : allocate(state, cudaHostAllocDefault);
}

} // namespace lane::runtime

LANE_RUNTIME_LINKAGE void laneMapHostPool(lane_program *program) {
  lane::runtime::runMemoryStep(program, lane::runtime::mapHostPool);
}

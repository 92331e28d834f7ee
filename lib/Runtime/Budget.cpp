//===- Budget.cpp - The device memory that a program may take -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLimit.h"
#include "ProgramState.h"
#include <algorithm>

namespace lane::runtime {

/// The default reserve if device_bytes is not given.
static constexpr int64_t kDefaultReserveBytes = int64_t(512) << 20;

/// Creates the context, and reads the attributes of the device that placements
/// depend on.
static int32_t queryDevice(ProgramState &state) {
  // Freeing null creates the context, which uses device memory itself.
  if (int32_t code = checkCuda(state.error, "cudaFree", cudaFree(nullptr)))
    return code;
  // Wait for earlier work, so that no later call returns an error of it.
  cudaError_t earlier = cudaDeviceSynchronize();
  if (earlier != cudaSuccess)
    return fail(state.error, LANE_CUDA_FAILED,
                describeCuda("earlier work on the device", earlier, 0) +
                    clearCudaError());
  int32_t device = 0;
  if (int32_t code =
          checkCuda(state.error, "cudaGetDevice", cudaGetDevice(&device)))
    return code;
  state.device = device;
  auto query = [&](int32_t &value, cudaDeviceAttr attribute) {
    return checkCuda(state.error, "cudaDeviceGetAttribute",
                     cudaDeviceGetAttribute(&value, attribute, state.device));
  };
  int32_t isConcurrent = 0;
  if (int32_t code = query(state.is_integrated, cudaDevAttrIntegrated))
    return code;
  if (int32_t code = query(state.can_map_host, cudaDevAttrCanMapHostMemory))
    return code;
  if (int32_t code = query(isConcurrent, cudaDevAttrConcurrentManagedAccess))
    return code;
  state.maySpill = !state.is_integrated && !isConcurrent;
  if (state.is_integrated)
    log(state.options, "the device shares the host's memory: nothing is moved");
  return LANE_OK;
}

/// Sets what the device has free.
static int32_t queryFreeBytes(ProgramState &state, int64_t &bytes) {
  size_t freeBytes = 0, totalBytes = 0;
  if (int32_t code = checkCuda(state.error, "cudaMemGetInfo",
                               cudaMemGetInfo(&freeBytes, &totalBytes)))
    return code;
  bytes = static_cast<int64_t>(freeBytes);
  if (!state.is_integrated)
    return LANE_OK;
  // There the page cache is not free, but the system gives it up.
  int64_t availableBytes = getAvailableHostBytes();
  if (availableBytes != INT64_MAX)
    bytes = std::min(availableBytes, static_cast<int64_t>(totalBytes));
  return LANE_OK;
}

/// Sets the memory that the program may take, before the reserve.
static int32_t queryMemory(ProgramState &state, int64_t &bytes) {
  bool isGiven = state.options.device_bytes > 0;
  bytes = state.options.device_bytes;
  state.countsPageTables = !isGiven;
  if (isGiven && !state.maySpill)
    return LANE_OK;
  int64_t freeBytes = 0;
  if (int32_t code = queryFreeBytes(state, freeBytes))
    return code;
  if (!isGiven) {
    bytes = freeBytes;
  } else if (bytes > freeBytes) {
    log(state.options,
        "the driver may put device memory on the host: the program takes the " +
            std::to_string(freeBytes) + " bytes that are free, not " +
            std::to_string(bytes));
    bytes = freeBytes;
    state.countsPageTables = true;
  }
  return LANE_OK;
}

} // namespace lane::runtime

using namespace lane::runtime;

LANE_RUNTIME_LINKAGE void laneTakeBudget(lane_program *program) {
  runStep(program, [](ProgramState &state) -> int32_t {
    if (int32_t code = queryDevice(state))
      return code;
    int64_t reserveBytes = state.options.reserve_bytes;
    if (state.options.device_bytes < 0)
      return fail(state.error, LANE_BAD_OPTION,
                  "device_bytes is " +
                      std::to_string(state.options.device_bytes));
    if (reserveBytes < LANE_RESERVE_NOTHING)
      return fail(state.error, LANE_BAD_OPTION,
                  "reserve_bytes is " + std::to_string(reserveBytes));
    int64_t bytes = 0;
    if (int32_t code = queryMemory(state, bytes))
      return code;
    if (reserveBytes == 0 && state.options.device_bytes == 0)
      reserveBytes = kDefaultReserveBytes;
    if (reserveBytes != LANE_RESERVE_NOTHING)
      bytes -= reserveBytes;
    state.budget_bytes = bytes - state.description->spare_bytes;
    return LANE_OK;
  });
}

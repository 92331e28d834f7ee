//===- Budget.cpp - The device memory that a program may take -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramState.h"

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
  if (int32_t code = query(state.is_integrated, cudaDevAttrIntegrated))
    return code;
  if (int32_t code = query(state.can_map_host, cudaDevAttrCanMapHostMemory))
    return code;
  if (state.is_integrated)
    log(state.options, "the device shares the host's memory: nothing is moved");
  return LANE_OK;
}

} // namespace lane::runtime

using namespace lane::runtime;

LANE_RUNTIME_LINKAGE void laneTakeBudget(lane_program *program) {
  runStep(program, [](ProgramState &state) -> int32_t {
    if (int32_t code = queryDevice(state))
      return code;
    int64_t bytes = state.options.device_bytes;
    int64_t reserveBytes = state.options.reserve_bytes;
    if (bytes < 0)
      return fail(state.error, LANE_BAD_OPTION,
                  "device_bytes is " + std::to_string(bytes));
    if (reserveBytes < LANE_RESERVE_NOTHING)
      return fail(state.error, LANE_BAD_OPTION,
                  "reserve_bytes is " + std::to_string(reserveBytes));
    if (bytes == 0) {
      size_t freeBytes = 0, totalBytes = 0;
      if (int32_t code = checkCuda(state.error, "cudaMemGetInfo",
                                   cudaMemGetInfo(&freeBytes, &totalBytes)))
        return code;
      bytes = static_cast<int64_t>(freeBytes);
      if (reserveBytes == 0)
        reserveBytes = kDefaultReserveBytes;
    }
    if (reserveBytes != LANE_RESERVE_NOTHING)
      bytes -= reserveBytes;
    state.budget_bytes = bytes - state.description->spare_bytes;
    return LANE_OK;
  });
}

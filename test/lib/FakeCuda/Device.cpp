//===- Device.cpp - Errors and devices of the fake CUDA runtime -----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"

using namespace lane::test;

cudaError_t CUDARTAPI cudaGetLastError(void) {
  std::lock_guard<std::recursive_mutex> lock(stateMutex);
  cudaError_t error = state->lastError;
  if (!(state->hasFailed && state->config.isSticky))
    state->lastError = cudaSuccess;
  return error;
}

cudaError_t CUDARTAPI cudaPeekAtLastError(void) {
  std::lock_guard<std::recursive_mutex> lock(stateMutex);
  return state->lastError;
}

const char *CUDARTAPI cudaGetErrorString(cudaError_t error) {
  switch (static_cast<int>(error)) {
  case cudaSuccess:
    return "no error";
  case cudaErrorInvalidValue:
    return "invalid argument";
  case cudaErrorMemoryAllocation:
    return "out of memory";
  case cudaErrorInvalidKernelImage:
    return "device kernel image is invalid";
  case cudaErrorSymbolNotFound:
    return "named symbol not found";
  default:
    return "unknown error";
  }
}

cudaError_t CUDARTAPI cudaGetDevice(int *number) {
  Call call("cudaGetDevice");
  if (call.fails())
    return call.finish();
  *number = State::current;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaSetDevice(int number) {
  Call call("cudaSetDevice", number);
  if (call.fails())
    return call.finish();
  if (number < 0 || number >= state->config.numDevices)
    return state->fault("cudaSetDevice of an unknown device");
  State::current = number;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaDeviceGetAttribute(int *value,
                                             enum cudaDeviceAttr attribute,
                                             int device) {
  Call call("cudaDeviceGetAttribute", attribute);
  if (call.fails())
    return call.finish();
  if (device < 0 || device >= state->config.numDevices)
    return state->fault("cudaDeviceGetAttribute of an unknown device");
  const FakeCudaConfig &config = state->config;
  switch (attribute) {
  case cudaDevAttrIntegrated:
    *value = config.isIntegrated;
    return cudaSuccess;
  case cudaDevAttrCanMapHostMemory:
    *value = config.canMapHost;
    return cudaSuccess;
  case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
    *value = config.isCoherent;
    return cudaSuccess;
  case cudaDevAttrConcurrentManagedAccess:
    *value = !config.spills && !config.isIntegrated;
    return cudaSuccess;
  case cudaDevAttrHostRegisterSupported:
    *value = config.canRegister;
    return cudaSuccess;
  case cudaDevAttrCanUseHostPointerForRegisteredMem:
    *value = config.canUseHostPointer;
    return cudaSuccess;
  case cudaDevAttrHostNumaId:
    *value = config.hostNumaNode;
    return cudaSuccess;
  default:
    return state->fault("an attribute that the fake does not know");
  }
}

cudaError_t CUDARTAPI cudaMemGetInfo(size_t *free, size_t *total) {
  Call call("cudaMemGetInfo");
  if (call.fails())
    return call.finish();
  int64_t freeBytes = state->getFreeBytes();
  // The page cache of the host counts as used.
  if (state->config.isIntegrated)
    freeBytes -= state->config.pageCacheBytes;
  *free = static_cast<size_t>(freeBytes < 0 ? 0 : freeBytes);
  *total = static_cast<size_t>(state->config.totalBytes);
  state->takenByOthers = state->config.takenAfterQueryBytes;
  return cudaSuccess;
}

//===- Allocations.cpp - Memory of the fake CUDA runtime ------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include <algorithm>

using namespace lane::test;

cudaError_t CUDARTAPI cudaMalloc(void **pointer, size_t size) {
  auto bytes = static_cast<int64_t>(size);
  Call call("cudaMalloc", bytes);
  if (call.fails())
    return call.finish();
  if (cudaError_t status = state->checkNoCapture())
    return status;
  if (bytes <= 0)
    return state->fault("cudaMalloc of no bytes");
  int64_t taken = state->getGranules(bytes);
  int64_t lackingBytes = taken - std::max<int64_t>(state->getFreeBytes(), 0);
  if (bytes > state->config.largestBytes ||
      (lackingBytes > 0 && !state->config.spills))
    return state->finish(cudaErrorMemoryAllocation);
  state->spilledBytes += std::max<int64_t>(lackingBytes, 0);
  auto memory = std::make_unique<Memory>(bytes);
  char *start = memory->guarded;
  char *behind = memory->behind;
  state->allocations[start] = {"cudaMalloc",  std::move(memory),  behind,
                               bytes,         state->nextOrder++, 0,
                               State::current};
  state->take(taken);
  *pointer = start;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaFree(void *pointer) {
  Call call("cudaFree");
  if (pointer) {
    auto found = state->find(pointer, "cudaMalloc");
    if (found == state->allocations.end())
      return state->fault("cudaFree of a pointer not from cudaMalloc");
    Allocation &allocation = found->second;
    state->checkUnused("cudaFree", allocation);
    state->devices[static_cast<size_t>(allocation.device)].takenBytes -=
        state->getGranules(allocation.bytes);
    state->allocations.erase(found);
  }
  return call.fails() ? call.finish() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaHostAlloc(void **pointer, size_t size,
                                    unsigned int flags) {
  auto bytes = static_cast<int64_t>(size);
  Call call("cudaHostAlloc", bytes);
  if (call.fails())
    return call.finish();
  if (cudaError_t status = state->checkNoCapture())
    return status;
  if (bytes <= 0)
    return state->fault("cudaHostAlloc of no bytes");
  if (cudaError_t status = state->pin(bytes))
    return status;
  auto memory = std::make_unique<Memory>(bytes);
  char *start = memory->behind;
  state->allocations[start] = {"cudaHostAlloc", std::move(memory),  start,
                               bytes,           state->nextOrder++, flags,
                               State::current};
  *pointer = start;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaFreeHost(void *pointer) {
  Call call("cudaFreeHost");
  auto found = state->find(pointer, "cudaHostAlloc");
  if (found == state->allocations.end())
    return state->fault("cudaFreeHost of a pointer not from cudaHostAlloc");
  state->checkUnused("cudaFreeHost", found->second);
  state->unpin(found->second);
  state->mappedPointers.erase(found->second.memory->guarded);
  state->allocations.erase(found);
  return call.fails() ? call.finish() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaHostRegister(void *pointer, size_t size,
                                       unsigned int flags) {
  auto bytes = static_cast<int64_t>(size);
  Call call("cudaHostRegister", bytes);
  if (call.fails())
    return call.finish();
  if (bytes <= 0 || !pointer)
    return state->fault("cudaHostRegister of no bytes");
  if (!state->config.canRegister)
    return state->fault("cudaHostRegister where it is not supported");
  char *start = static_cast<char *>(pointer);
  for (auto &[address, allocation] : state->allocations)
    if (allocation.function != "cudaMalloc" &&
        start < address + allocation.bytes && address < start + bytes)
      return state->finish(cudaErrorHostMemoryAlreadyRegistered);
  if (cudaError_t status = state->pin(bytes))
    return status;
  state->allocations[start] = {
      "cudaHostRegister", nullptr, start,         bytes,
      state->nextOrder++, flags,   State::current};
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaHostUnregister(void *pointer) {
  Call call("cudaHostUnregister");
  auto found = state->find(pointer, "cudaHostRegister");
  if (found == state->allocations.end())
    return state->fault("cudaHostUnregister of memory that is not registered");
  state->checkUnused("cudaHostUnregister", found->second);
  state->unpin(found->second);
  state->allocations.erase(found);
  return call.fails() ? call.finish() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaHostGetDevicePointer(void **mapped, void *pointer,
                                               unsigned int) {
  Call call("cudaHostGetDevicePointer");
  if (call.fails())
    return call.finish();
  auto found = state->allocations.find(static_cast<char *>(pointer));
  const char *why = "cudaHostGetDevicePointer of memory that is not mapped";
  if (found == state->allocations.end() || !state->config.canMapHost)
    return state->fault(why);
  Allocation &allocation = found->second;
  static_assert(cudaHostAllocMapped == cudaHostRegisterMapped, "one flag");
  if (allocation.function == "cudaMalloc" ||
      !(allocation.flags & cudaHostAllocMapped))
    return state->fault(why);
  if (!allocation.memory) {
    if (!state->config.canUseHostPointer)
      return state->fault("registered memory at another address of the device");
    *mapped = pointer;
    return cudaSuccess;
  }
  char *address = allocation.memory->guarded;
  state->mappedPointers[address] = found->first;
  *mapped = address;
  return cudaSuccess;
}

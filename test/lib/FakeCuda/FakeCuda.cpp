//===- FakeCuda.cpp - What tests see of the fake CUDA runtime -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"

namespace lane::test {

void resetFakeCuda(const FakeCudaConfig &config) {
  // The old state is destroyed without the lock, which its kernels take.
  auto next = std::make_unique<State>(config);
  {
    std::lock_guard<std::recursive_mutex> lock(stateMutex);
    std::swap(state, next);
  }
  State::current = 0;
}

std::vector<FakeCudaAllocation> getLiveAllocations() {
  std::map<int64_t, FakeCudaAllocation> byOrder;
  for (auto &[start, allocation] : state->allocations)
    byOrder[allocation.order] = {allocation.function, allocation.bytes,
                                 allocation.flags};
  std::vector<FakeCudaAllocation> live;
  for (auto &[order, allocation] : byOrder)
    live.push_back(allocation);
  return live;
}

int64_t getNumLiveObjects() { return state->numObjects; }
int64_t getNumLiveLibraries() {
  int64_t numLive = 0;
  for (auto &library : state->libraries)
    numLive += library->isLoaded;
  return numLive;
}
int64_t getPeakDeviceBytes() { return state->peakDeviceBytes; }
int64_t getPeakPinnedBytes() { return state->peakPinnedBytes; }
int64_t getSpilledBytes() { return state->spilledBytes; }
const std::vector<std::string> &getCalls() { return state->calls; }
bool hasFailed() { return state->hasFailed; }
const std::vector<std::string> &getFaults() { return state->faults; }

void *getBehindPointer(const void *pointer, int64_t bytes) {
  return state->findBehind(pointer, bytes);
}

void startFakeKernel(const void *pointer, int64_t bytes, cudaStream_t stream) {
  char *source = state->findBehind(pointer, bytes);
  if (!source)
    state->fault("a kernel reads outside of an allocation");
  else
    state->enqueue(stream, {[] {}, nullptr, source, bytes});
}

} // namespace lane::test

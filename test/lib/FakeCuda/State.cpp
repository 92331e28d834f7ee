//===- State.cpp - The state of the fake CUDA runtime ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include <algorithm>

using namespace lane::test;

namespace lane::test {
thread_local int State::current = 0;
std::recursive_mutex stateMutex;
std::unique_ptr<State> state = std::make_unique<State>(FakeCudaConfig());
} // namespace lane::test

State::State(const FakeCudaConfig &config) : config(config) {
  for (int i = 0; i < config.numDevices; ++i) {
    devices.emplace_back();
    devices.back().defaultStream.reset(
        new CUstream_st{i, true, Queue(config.copies)});
  }
}

void State::enqueue(cudaStream_t stream, Work work) {
  CUstream_st &target = getStream(stream);
  if (target.isCapturing) {
    target.captured.push_back(std::move(work));
    return;
  }
  CUstream_st &legacy =
      *devices[static_cast<size_t>(target.device)].defaultStream;
  auto waitFor = [&](CUstream_st &other) {
    work.dependencies.push_back({&other.queue, other.queue.getNumEnqueued()});
  };
  if (&target == &legacy) {
    for (auto &other : streams)
      if (other->isBlocking && other->device == target.device)
        waitFor(*other);
  } else if (target.isBlocking) {
    waitFor(legacy);
  }
  target.queue.enqueue(std::move(work));
}

cudaError_t State::checkNoCapture() {
  cudaError_t status = cudaSuccess;
  for (auto &stream : streams) {
    if (!stream->isCapturing || stream->capturer != std::this_thread::get_id())
      continue;
    status = invalidate(*stream);
  }
  return status;
}

void State::take(int64_t deviceBytes) {
  getDevice().takenBytes += deviceBytes;
  int64_t total = 0;
  for (const Device &device : devices)
    total += device.takenBytes;
  peakDeviceBytes = std::max(peakDeviceBytes, total);
}

/// A table of 4 KiB for each 2 MiB, and one above for each 512 MiB.
static int64_t countPageTables(int64_t bytes) {
  auto count = [=](int64_t span) { return (bytes + span - 1) / span; };
  return 4096 * (count(int64_t(2) << 20) + count(int64_t(512) << 20));
}

cudaError_t State::pin(int64_t bytes) {
  int64_t tables = config.hasPageTables ? countPageTables(bytes) : 0;
  if (bytes > config.pinnedLimitBytes - pinnedBytes ||
      bytes > config.pinnedCallLimitBytes || tables > getFreeBytes())
    return finish(cudaErrorMemoryAllocation);
  getDevice().pageTableBytes += tables;
  pinnedBytes += bytes;
  peakPinnedBytes = std::max(peakPinnedBytes, pinnedBytes);
  return cudaSuccess;
}

void State::unpin(const Allocation &allocation) {
  pinnedBytes -= allocation.bytes;
  if (config.hasPageTables)
    devices[static_cast<size_t>(allocation.device)].pageTableBytes -=
        countPageTables(allocation.bytes);
}

void State::beginKernel() {
  std::lock_guard<std::recursive_mutex> lock(stateMutex);
  if (numRunningKernels++ == 0)
    for (auto &[start, allocation] : allocations)
      if (allocation.memory)
        allocation.memory->setOpen(true);
}

void State::endKernel() {
  std::lock_guard<std::recursive_mutex> lock(stateMutex);
  if (--numRunningKernels == 0)
    for (auto &[start, allocation] : allocations)
      if (allocation.memory)
        allocation.memory->setOpen(false);
}

void State::checkUnused(const char *function, const Allocation &allocation) {
  auto check = [&](CUstream_st &stream) {
    if (!stream.queue.isUsing(allocation.behind, allocation.bytes))
      return;
    fault(std::string(function) + " of memory that work still uses");
    stream.queue.wait(stream.queue.getNumEnqueued());
  };
  for (Device &device : devices)
    check(*device.defaultStream);
  for (auto &stream : streams)
    check(*stream);
}

char *State::findBehind(const void *pointer, int64_t bytes) {
  char *address = const_cast<char *>(static_cast<const char *>(pointer));
  auto findIn = [&](char *start, const Allocation &allocation) -> char * {
    int64_t offset = address - start;
    if (offset < 0 || offset > allocation.bytes ||
        bytes > allocation.bytes - offset)
      return nullptr;
    return allocation.behind + offset;
  };
  for (auto &[start, allocation] : allocations)
    if (allocation.function == "cudaMalloc")
      if (char *found = findIn(start, allocation))
        return found;
  for (auto &[mapped, host] : mappedPointers)
    if (char *found = findIn(mapped, allocations.at(host)))
      return found;
  return isRegistered(address, bytes) ? address : nullptr;
}

bool State::isRegistered(const char *start, int64_t bytes) {
  const char *end = start + bytes;
  for (auto &[address, allocation] : allocations)
    if (allocation.function == "cudaHostRegister" && address <= start &&
        start < address + allocation.bytes)
      start = address + allocation.bytes;
  return start >= end;
}

std::map<char *, Allocation>::iterator State::find(const void *pointer,
                                                   const char *function) {
  auto found =
      allocations.find(const_cast<char *>(static_cast<const char *>(pointer)));
  bool isFound =
      found != allocations.end() && found->second.function == function;
  return isFound ? found : allocations.end();
}

Call::Call(const char *function, int64_t bytes) : lock(stateMutex) {
  std::string text = std::string(function) + "(";
  state->calls.push_back(text + (bytes < 0 ? "" : std::to_string(bytes)) + ")");
  const FakeCudaConfig &config = state->config;
  isFailing = state->hasFailed && config.isSticky;
  bool counts = config.failFunction.empty() || config.failFunction == function;
  if (!isFailing && counts && state->numCounted++ == config.failCall)
    isFailing = state->hasFailed = true;
}

cudaError_t Call::finish(cudaError_t status) const {
  return isFailing ? state->getFailure() : state->finish(status);
}

void Call::wait(Queue &queue, int64_t number) {
  if (state->config.copies == FakeCudaConfig::Copies::Meanwhile)
    lock.unlock();
  queue.wait(number);
  if (!lock.owns_lock())
    lock.lock();
}

//===- FakeCuda.cpp - The CUDA runtime over host memory -----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

// The types of the CUDA runtime are opaque; ours are these.
struct CUstream_st {
  int64_t number;
};
struct CUevent_st {
  int64_t recorded = 0;
};

namespace lane::test {
namespace {

/// Memory that is seen at two places: where its owner may touch it, and where a
/// touch faults. A guarded page follows both.
class Memory {
public:
  explicit Memory(int64_t bytes) : bytes(bytes) {
    size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    mappedBytes = (static_cast<size_t>(bytes) + page - 1) / page * page + page;
    int file = memfd_create("cuda-double", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, static_cast<off_t>(mappedBytes)) != 0)
      std::abort();
    // What is not written is not zero by chance, and pages are there when they
    // are used; what is large is not touched.
    bool isFilled = bytes <= kMostFilled;
    behind = map(file, PROT_READ | PROT_WRITE, isFilled ? MAP_POPULATE : 0);
    guarded = map(file, PROT_NONE);
    close(file);
    if (mprotect(behind + mappedBytes - page, page, PROT_NONE) != 0)
      std::abort();
    if (isFilled)
      std::memset(behind, 0xA5, static_cast<size_t>(bytes));
  }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() {
    munmap(behind, mappedBytes);
    munmap(guarded, mappedBytes);
  }

  const int64_t bytes;
  /// Where it can be touched, and where it cannot.
  char *behind;
  char *guarded;

private:
  static constexpr int64_t kMostFilled = int64_t(4) << 20;

  char *map(int file, int protection, int flags = 0) {
    void *address = mmap(nullptr, mappedBytes, protection,
                         MAP_SHARED | MAP_NORESERVE | flags, file, 0);
    if (address == MAP_FAILED)
      std::abort();
    return static_cast<char *>(address);
  }

  size_t mappedBytes;
};

struct Allocation {
  std::string function;
  std::unique_ptr<Memory> memory;
  int64_t order;
};

/// The device, its ledger and its queue of copies.
class Device {
public:
  FakeCudaConfig config;
  /// By the address that the program has: of device memory the guarded one, of
  /// pinned memory the other.
  std::map<char *, Allocation> allocations;
  std::map<char *, char *> mappedPointers;
  std::vector<std::string> calls;
  std::vector<std::string> faults;
  int64_t numCounted = 0;
  int64_t numObjects = 0;
  int64_t nextOrder = 0;
  int64_t takenByOthers = 0;
  int64_t deviceBytes = 0, peakDeviceBytes = 0;
  int64_t pinnedBytes = 0, peakPinnedBytes = 0;
  bool hasFailed = false;
  cudaError_t lastError = cudaSuccess;

  ~Device() { stopWorker(); }

  cudaError_t finish(cudaError_t status) {
    if (status != cudaSuccess)
      lastError = status;
    return status;
  }

  /// Notes the call. Returns whether it is the one that fails.
  bool begin(const char *function, int64_t bytes = -1) {
    calls.push_back(bytes < 0 ? std::string(function) + "()"
                              : std::string(function) + "(" +
                                    std::to_string(bytes) + ")");
    if (!config.failFunction.empty() && config.failFunction != function)
      return false;
    if (numCounted++ != config.failCall)
      return false;
    hasFailed = true;
    return true;
  }
  cudaError_t getFailure() {
    return finish(static_cast<cudaError_t>(config.failStatus));
  }
  cudaError_t fault(const std::string &what) {
    faults.push_back(what);
    return finish(cudaErrorInvalidValue);
  }

  int64_t getGranules(int64_t bytes) const {
    return (bytes + config.granuleBytes - 1) / config.granuleBytes *
           config.granuleBytes;
  }
  int64_t getFreeBytes() const {
    return config.freeBytes - takenByOthers - deviceBytes;
  }

  char *findBehind(const void *pointer, int64_t bytes, bool isHostSide);

  // Copies are done in order, each counted.
  void enqueue(std::function<void()> copy);
  void wait(int64_t number);
  int64_t numEnqueued = 0;
  void waitForAll() { wait(numEnqueued); }
  void stopWorker();

private:
  void work();

  std::deque<std::function<void()>> queue;
  /// What the worker has been given, and what it has done.
  std::atomic<int64_t> numQueued{0}, numDone{0};
  std::mutex mutex;
  std::thread worker;
  std::atomic<bool> isStopping{false};
};

/// Waits without a call of the system for a while, since these can take longer
/// than a copy; but does not keep a lone processor from those it waits for.
class Spin {
public:
  void wait() {
    if (++count % kPauses == 0)
      std::this_thread::yield();
#ifdef __SSE2__
    else
      _mm_pause();
#endif
  }

private:
  static constexpr int64_t kPauses = 4096;
  int64_t count = 0;
};

void Device::enqueue(std::function<void()> copy) {
  ++numEnqueued;
  if (config.copies == FakeCudaConfig::Copies::AtOnce) {
    copy();
    ++numQueued;
    ++numDone;
    return;
  }
  std::lock_guard<std::mutex> lock(mutex);
  queue.push_back(std::move(copy));
  ++numQueued;
  if (config.copies == FakeCudaConfig::Copies::Meanwhile) {
    if (!worker.joinable())
      worker = std::thread([this] { work(); });
  }
}

void Device::wait(int64_t number) {
  if (config.copies == FakeCudaConfig::Copies::Meanwhile) {
    for (Spin spin; numDone.load() < number;)
      spin.wait();
    return;
  }
  while (numDone < number) {
    queue.front()();
    queue.pop_front();
    ++numDone;
  }
}

/// Never sleeps: a device's engine is not woken by the host's scheduler either.
void Device::work() {
  Spin spin;
  while (true) {
    if (numQueued.load() == numDone.load() && !isStopping.load()) {
      spin.wait();
      continue;
    }
    std::function<void()> copy;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (queue.empty())
        return;
      copy = std::move(queue.front());
      queue.pop_front();
    }
    copy();
    ++numDone;
  }
}

void Device::stopWorker() {
  if (!worker.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    isStopping = true;
  }
  worker.join();
}

/// Where the bytes behind a pointer are. With `isHostSide` the pointer is one
/// that the host may use, of its own memory or of pinned.
char *Device::findBehind(const void *pointer, int64_t bytes, bool isHostSide) {
  char *address = const_cast<char *>(static_cast<const char *>(pointer));
  auto findIn = [&](char *start, const Memory &memory) -> char * {
    int64_t offset = address - start;
    if (offset < 0 || offset > memory.bytes || bytes > memory.bytes - offset)
      return nullptr;
    return memory.behind + offset;
  };
  for (auto &[start, allocation] : allocations) {
    bool isDevice = allocation.function == "cudaMalloc";
    if (isDevice == isHostSide)
      continue;
    if (char *found = findIn(start, *allocation.memory))
      return found;
  }
  if (!isHostSide)
    for (auto &[mapped, host] : mappedPointers)
      if (char *found = findIn(mapped, *allocations.at(host).memory))
        return found;
  return nullptr;
}

std::unique_ptr<Device> device = std::make_unique<Device>();

} // namespace

//===----------------------------------------------------------------------===//
// What tests see
//===----------------------------------------------------------------------===//

void resetFakeCuda(const FakeCudaConfig &config) {
  device = std::make_unique<Device>();
  device->config = config;
}

std::vector<FakeCudaAllocation> getLiveAllocations() {
  std::map<int64_t, FakeCudaAllocation> byOrder;
  for (auto &[start, allocation] : device->allocations)
    byOrder[allocation.order] = {allocation.function, allocation.memory->bytes};
  std::vector<FakeCudaAllocation> live;
  for (auto &[order, allocation] : byOrder)
    live.push_back(allocation);
  return live;
}

int64_t getNumLiveObjects() { return device->numObjects; }
int64_t getPeakDeviceBytes() { return device->peakDeviceBytes; }
int64_t getPeakPinnedBytes() { return device->peakPinnedBytes; }
const std::vector<std::string> &getCalls() { return device->calls; }
bool hasFailed() { return device->hasFailed; }
const std::vector<std::string> &getFaults() { return device->faults; }

void *getBehindPointer(const void *pointer, int64_t bytes) {
  return device->findBehind(pointer, bytes, /*isHostSide=*/false);
}

} // namespace lane::test

using namespace lane::test;

//===----------------------------------------------------------------------===//
// Errors and the device
//===----------------------------------------------------------------------===//

cudaError_t CUDARTAPI cudaGetLastError(void) {
  cudaError_t error = device->lastError;
  device->lastError = cudaSuccess;
  return error;
}

cudaError_t CUDARTAPI cudaPeekAtLastError(void) { return device->lastError; }

const char *CUDARTAPI cudaGetErrorString(cudaError_t error) {
  switch (static_cast<int>(error)) {
  case cudaSuccess:
    return "no error";
  case cudaErrorInvalidValue:
    return "invalid argument";
  case cudaErrorMemoryAllocation:
    return "out of memory";
  default:
    return "unknown error";
  }
}

cudaError_t CUDARTAPI cudaGetDevice(int *number) {
  if (device->begin("cudaGetDevice"))
    return device->getFailure();
  *number = 0;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaDeviceGetAttribute(int *value,
                                             enum cudaDeviceAttr attribute,
                                             int) {
  if (device->begin("cudaDeviceGetAttribute", attribute))
    return device->getFailure();
  if (attribute == cudaDevAttrIntegrated)
    *value = device->config.isIntegrated;
  else if (attribute == cudaDevAttrCanMapHostMemory)
    *value = device->config.canMapHost;
  else
    return device->fault("an attribute that the double does not know");
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaMemGetInfo(size_t *free, size_t *total) {
  if (device->begin("cudaMemGetInfo"))
    return device->getFailure();
  *free = static_cast<size_t>(device->getFreeBytes());
  *total = static_cast<size_t>(device->config.totalBytes);
  device->takenByOthers = device->config.takenAfterQueryBytes;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

cudaError_t CUDARTAPI cudaMalloc(void **pointer, size_t size) {
  auto bytes = static_cast<int64_t>(size);
  if (device->begin("cudaMalloc", bytes))
    return device->getFailure();
  if (bytes <= 0)
    return device->fault("cudaMalloc of no bytes");
  int64_t taken = device->getGranules(bytes);
  if (taken > device->getFreeBytes() || bytes > device->config.largestBytes)
    return device->finish(cudaErrorMemoryAllocation);
  auto memory = std::make_unique<Memory>(bytes);
  char *start = memory->guarded;
  device->allocations[start] = {"cudaMalloc", std::move(memory),
                                device->nextOrder++};
  device->deviceBytes += taken;
  device->peakDeviceBytes =
      std::max(device->peakDeviceBytes, device->deviceBytes);
  *pointer = start;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaFree(void *pointer) {
  bool fails = device->begin("cudaFree");
  device->waitForAll();
  if (pointer) {
    auto found = device->allocations.find(static_cast<char *>(pointer));
    if (found == device->allocations.end() ||
        found->second.function != "cudaMalloc")
      return device->fault("cudaFree of what cudaMalloc did not give");
    device->deviceBytes -= device->getGranules(found->second.memory->bytes);
    device->allocations.erase(found);
  }
  return fails ? device->getFailure() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaHostAlloc(void **pointer, size_t size, unsigned int) {
  auto bytes = static_cast<int64_t>(size);
  if (device->begin("cudaHostAlloc", bytes))
    return device->getFailure();
  if (bytes <= 0)
    return device->fault("cudaHostAlloc of no bytes");
  if (bytes > device->config.pinnedLimitBytes - device->pinnedBytes)
    return device->finish(cudaErrorMemoryAllocation);
  auto memory = std::make_unique<Memory>(bytes);
  char *start = memory->behind;
  device->allocations[start] = {"cudaHostAlloc", std::move(memory),
                                device->nextOrder++};
  device->pinnedBytes += bytes;
  device->peakPinnedBytes =
      std::max(device->peakPinnedBytes, device->pinnedBytes);
  *pointer = start;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaFreeHost(void *pointer) {
  bool fails = device->begin("cudaFreeHost");
  device->waitForAll();
  auto found = device->allocations.find(static_cast<char *>(pointer));
  if (found == device->allocations.end() ||
      found->second.function != "cudaHostAlloc")
    return device->fault("cudaFreeHost of what cudaHostAlloc did not give");
  device->pinnedBytes -= found->second.memory->bytes;
  device->mappedPointers.erase(found->second.memory->guarded);
  device->allocations.erase(found);
  return fails ? device->getFailure() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaHostGetDevicePointer(void **mapped, void *pointer,
                                               unsigned int) {
  if (device->begin("cudaHostGetDevicePointer"))
    return device->getFailure();
  auto found = device->allocations.find(static_cast<char *>(pointer));
  if (found == device->allocations.end() ||
      found->second.function != "cudaHostAlloc" || !device->config.canMapHost)
    return device->fault("cudaHostGetDevicePointer of what is not mapped");
  char *address = found->second.memory->guarded;
  device->mappedPointers[address] = found->first;
  *mapped = address;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

cudaError_t CUDARTAPI cudaMemcpyAsync(void *to, const void *from, size_t count,
                                      enum cudaMemcpyKind kind, cudaStream_t) {
  auto bytes = static_cast<int64_t>(count);
  if (device->begin("cudaMemcpyAsync", bytes))
    return device->getFailure();
  bool isToHost = kind == cudaMemcpyDeviceToHost;
  bool isFromHost = kind == cudaMemcpyHostToDevice;
  // What the host has itself is in no allocation.
  char *target =
      isToHost ? static_cast<char *>(to) : device->findBehind(to, bytes, false);
  const char *source = isFromHost ? static_cast<const char *>(from)
                                  : device->findBehind(from, bytes, false);
  if (!target || !source)
    return device->fault("cudaMemcpyAsync of " + std::to_string(bytes) +
                         " bytes outside of an allocation");
  device->enqueue([=] { std::memcpy(target, source, count); });
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaMemcpy(void *to, const void *from, size_t count,
                                 enum cudaMemcpyKind kind) {
  cudaError_t status = cudaMemcpyAsync(to, from, count, kind, nullptr);
  device->waitForAll();
  return status;
}

cudaError_t CUDARTAPI cudaMemsetAsync(void *pointer, int value, size_t count,
                                      cudaStream_t) {
  auto bytes = static_cast<int64_t>(count);
  if (device->begin("cudaMemsetAsync", bytes))
    return device->getFailure();
  char *target = device->findBehind(pointer, bytes, false);
  if (!target)
    return device->fault("cudaMemsetAsync of " + std::to_string(bytes) +
                         " bytes outside of an allocation");
  device->enqueue([=] { std::memset(target, value, count); });
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaMemset(void *pointer, int value, size_t count) {
  cudaError_t status = cudaMemsetAsync(pointer, value, count, nullptr);
  device->waitForAll();
  return status;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

cudaError_t CUDARTAPI cudaDeviceSynchronize(void) {
  if (device->begin("cudaDeviceSynchronize"))
    return device->getFailure();
  device->waitForAll();
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaStreamCreateWithFlags(cudaStream_t *stream,
                                                unsigned int) {
  if (device->begin("cudaStreamCreateWithFlags"))
    return device->getFailure();
  *stream = new CUstream_st{device->numObjects++};
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaStreamDestroy(cudaStream_t stream) {
  bool fails = device->begin("cudaStreamDestroy");
  device->waitForAll();
  delete stream;
  --device->numObjects;
  return fails ? device->getFailure() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t) {
  bool fails = device->begin("cudaStreamSynchronize");
  device->waitForAll();
  return fails ? device->getFailure() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t *event,
                                               unsigned int) {
  if (device->begin("cudaEventCreateWithFlags"))
    return device->getFailure();
  *event = new CUevent_st;
  ++device->numObjects;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t event) {
  bool fails = device->begin("cudaEventDestroy");
  delete event;
  --device->numObjects;
  return fails ? device->getFailure() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  if (device->begin("cudaEventRecord"))
    return device->getFailure();
  event->recorded = device->numEnqueued;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t event) {
  bool fails = device->begin("cudaEventSynchronize");
  device->wait(event->recorded);
  return fails ? device->getFailure() : cudaSuccess;
}

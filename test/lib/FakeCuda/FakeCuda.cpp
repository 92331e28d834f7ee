//===- FakeCuda.cpp - The CUDA runtime over host memory -------------------===//
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

// The CUDA runtime leaves these types opaque.
struct CUstream_st {
  int64_t number;
};
struct CUevent_st {
  int64_t recorded = 0;
  int device = 0;
};

namespace lane::test {
namespace {

/// Memory with two addresses: at one it can be accessed, at the other an access
/// faults. A guard page follows both.
class Memory {
public:
  explicit Memory(int64_t bytes) : bytes(bytes) {
    size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    mappedBytes = (static_cast<size_t>(bytes) + page - 1) / page * page + page;
    int file = memfd_create("fake-cuda", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, static_cast<off_t>(mappedBytes)) != 0)
      std::abort();
    // Unwritten memory must not be zero by chance. Large memory is not touched.
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
  /// The address that can be accessed, and the one that cannot.
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
  unsigned flags;
  /// Of device memory: its device.
  int device;
};

/// Work of a device that is not done yet: a copy, a fill or a kernel, and the
/// bytes behind the pointers that it uses.
struct Work {
  std::function<void()> run;
  const char *target;
  const char *source;
  int64_t bytes;

  bool uses(const Memory &memory) const {
    auto isIn = [&](const char *start) {
      return start && start < memory.behind + memory.bytes &&
             start + bytes > memory.behind;
    };
    return isIn(target) || isIn(source);
  }
};

/// The work of one device, done in order.
class Queue {
public:
  explicit Queue(FakeCudaConfig::Copies copies) : copies(copies) {}
  ~Queue() { stopWorker(); }

  void enqueue(Work work);
  /// Waits until so many items are done.
  void wait(int64_t number);
  void waitForAll() { wait(numEnqueued); }
  /// Whether work that is not done uses the memory.
  bool isUsed(const Memory &memory);
  int64_t numEnqueued = 0;

private:
  void work();
  void stopWorker();

  FakeCudaConfig::Copies copies;
  std::deque<Work> queue;
  /// Items given to the worker, and items done.
  std::atomic<int64_t> numQueued{0}, numDone{0};
  std::mutex mutex;
  std::thread worker;
  std::atomic<bool> isStopping{false};
};

/// The fake's state: the ledger, and a queue for each device.
class Runtime {
public:
  explicit Runtime(const FakeCudaConfig &config) : config(config) {
    for (int i = 0; i < config.numDevices; ++i) {
      queues.push_back(std::make_unique<Queue>(config.copies));
      deviceBytes.push_back(0);
    }
  }

  FakeCudaConfig config;
  std::vector<std::unique_ptr<Queue>> queues;
  /// By the address that the program has: the guarded one of device memory, the
  /// accessible one of pinned memory.
  std::map<char *, Allocation> allocations;
  std::map<char *, char *> mappedPointers;
  std::vector<std::string> calls;
  std::vector<std::string> faults;
  int64_t numCounted = 0;
  int64_t numObjects = 0;
  int64_t nextOrder = 0;
  int64_t takenByOthers = 0;
  /// Bytes in use on each device, and the peak over all.
  std::vector<int64_t> deviceBytes;
  int64_t peakDeviceBytes = 0;
  int64_t pinnedBytes = 0, peakPinnedBytes = 0;
  bool hasFailed = false;
  cudaError_t lastError = cudaSuccess;

  Queue &getQueue() { return *queues[static_cast<size_t>(current)]; }
  void waitForAll() {
    for (auto &queue : queues)
      queue->waitForAll();
  }

  /// The device that is current on this thread.
  static thread_local int current;

  cudaError_t finish(cudaError_t status) {
    if (status != cudaSuccess)
      lastError = status;
    return status;
  }

  /// Records the call. Returns whether it is the one to fail, or whether an
  /// earlier failure was sticky.
  bool begin(const char *function, int64_t bytes = -1) {
    calls.push_back(bytes < 0 ? std::string(function) + "()"
                              : std::string(function) + "(" +
                                    std::to_string(bytes) + ")");
    if (hasFailed && config.isSticky)
      return true;
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
    return config.freeBytes - takenByOthers -
           deviceBytes[static_cast<size_t>(current)];
  }

  /// A free does not wait: it is a fault where work still uses the memory.
  void checkUnused(const char *function, const Memory &memory) {
    for (auto &queue : queues)
      if (queue->isUsed(memory)) {
        fault(std::string(function) + " of memory that work still uses");
        queue->waitForAll();
      }
  }

  char *findBehind(const void *pointer, int64_t bytes);
};

thread_local int Runtime::current = 0;

/// Spins for a while before it yields, since a system call can take longer than
/// a copy.
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

void Queue::enqueue(Work work) {
  ++numEnqueued;
  if (copies == FakeCudaConfig::Copies::AtOnce) {
    work.run();
    ++numQueued;
    ++numDone;
    return;
  }
  std::lock_guard<std::mutex> lock(mutex);
  queue.push_back(std::move(work));
  ++numQueued;
  if (copies == FakeCudaConfig::Copies::Meanwhile) {
    if (!worker.joinable())
      worker = std::thread([this] { this->work(); });
  }
}

void Queue::wait(int64_t number) {
  if (copies == FakeCudaConfig::Copies::Meanwhile) {
    for (Spin spin; numDone.load() < number;)
      spin.wait();
    return;
  }
  while (numDone < number) {
    queue.front().run();
    queue.pop_front();
    ++numDone;
  }
}

bool Queue::isUsed(const Memory &memory) {
  std::lock_guard<std::mutex> lock(mutex);
  for (const Work &work : queue)
    if (work.uses(memory))
      return true;
  return false;
}

/// Never sleeps: the engine of a device does not wait for a scheduler either.
void Queue::work() {
  Spin spin;
  while (true) {
    if (numQueued.load() == numDone.load() && !isStopping.load()) {
      spin.wait();
      continue;
    }
    Work *next = nullptr;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (queue.empty())
        return;
      next = &queue.front();
    }
    next->run();
    {
      std::lock_guard<std::mutex> lock(mutex);
      queue.pop_front();
    }
    ++numDone;
  }
}

void Queue::stopWorker() {
  if (!worker.joinable())
    return;
  isStopping = true;
  worker.join();
}

/// Returns the accessible address of a device pointer or mapped pointer, or
/// null where `bytes` from it are not in one allocation.
char *Runtime::findBehind(const void *pointer, int64_t bytes) {
  char *address = const_cast<char *>(static_cast<const char *>(pointer));
  auto findIn = [&](char *start, const Memory &memory) -> char * {
    int64_t offset = address - start;
    if (offset < 0 || offset > memory.bytes || bytes > memory.bytes - offset)
      return nullptr;
    return memory.behind + offset;
  };
  for (auto &[start, allocation] : allocations)
    if (allocation.function == "cudaMalloc")
      if (char *found = findIn(start, *allocation.memory))
        return found;
  for (auto &[mapped, host] : mappedPointers)
    if (char *found = findIn(mapped, *allocations.at(host).memory))
      return found;
  return nullptr;
}

std::unique_ptr<Runtime> runtime = std::make_unique<Runtime>(FakeCudaConfig());

} // namespace

//===----------------------------------------------------------------------===//
// The interface of tests
//===----------------------------------------------------------------------===//

void resetFakeCuda(const FakeCudaConfig &config) {
  runtime = std::make_unique<Runtime>(config);
  Runtime::current = 0;
}

std::vector<FakeCudaAllocation> getLiveAllocations() {
  std::map<int64_t, FakeCudaAllocation> byOrder;
  for (auto &[start, allocation] : runtime->allocations)
    byOrder[allocation.order] = {allocation.function, allocation.memory->bytes,
                                 allocation.flags};
  std::vector<FakeCudaAllocation> live;
  for (auto &[order, allocation] : byOrder)
    live.push_back(allocation);
  return live;
}

int64_t getNumLiveObjects() { return runtime->numObjects; }
int64_t getPeakDeviceBytes() { return runtime->peakDeviceBytes; }
int64_t getPeakPinnedBytes() { return runtime->peakPinnedBytes; }
const std::vector<std::string> &getCalls() { return runtime->calls; }
bool hasFailed() { return runtime->hasFailed; }
const std::vector<std::string> &getFaults() { return runtime->faults; }

void *getBehindPointer(const void *pointer, int64_t bytes) {
  return runtime->findBehind(pointer, bytes);
}

void startFakeKernel(const void *pointer, int64_t bytes) {
  char *source = runtime->findBehind(pointer, bytes);
  if (!source)
    runtime->fault("a kernel reads outside of an allocation");
  else
    runtime->getQueue().enqueue({[] {}, nullptr, source, bytes});
}

} // namespace lane::test

using namespace lane::test;

//===----------------------------------------------------------------------===//
// Errors and the device
//===----------------------------------------------------------------------===//

cudaError_t CUDARTAPI cudaGetLastError(void) {
  cudaError_t error = runtime->lastError;
  if (!(runtime->hasFailed && runtime->config.isSticky))
    runtime->lastError = cudaSuccess;
  return error;
}

cudaError_t CUDARTAPI cudaPeekAtLastError(void) { return runtime->lastError; }

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
  if (runtime->begin("cudaGetDevice"))
    return runtime->getFailure();
  *number = Runtime::current;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaSetDevice(int number) {
  if (runtime->begin("cudaSetDevice", number))
    return runtime->getFailure();
  if (number < 0 || number >= runtime->config.numDevices)
    return runtime->fault("cudaSetDevice of an unknown device");
  Runtime::current = number;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaDeviceGetAttribute(int *value,
                                             enum cudaDeviceAttr attribute,
                                             int) {
  if (runtime->begin("cudaDeviceGetAttribute", attribute))
    return runtime->getFailure();
  if (attribute == cudaDevAttrIntegrated)
    *value = runtime->config.isIntegrated;
  else if (attribute == cudaDevAttrCanMapHostMemory)
    *value = runtime->config.canMapHost;
  else if (attribute == cudaDevAttrPageableMemoryAccessUsesHostPageTables)
    *value = runtime->config.isCoherent;
  else
    return runtime->fault("an attribute that the fake does not know");
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaMemGetInfo(size_t *free, size_t *total) {
  if (runtime->begin("cudaMemGetInfo"))
    return runtime->getFailure();
  *free = static_cast<size_t>(runtime->getFreeBytes());
  *total = static_cast<size_t>(runtime->config.totalBytes);
  runtime->takenByOthers = runtime->config.takenAfterQueryBytes;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

cudaError_t CUDARTAPI cudaMalloc(void **pointer, size_t size) {
  auto bytes = static_cast<int64_t>(size);
  if (runtime->begin("cudaMalloc", bytes))
    return runtime->getFailure();
  if (bytes <= 0)
    return runtime->fault("cudaMalloc of no bytes");
  int64_t taken = runtime->getGranules(bytes);
  if (taken > runtime->getFreeBytes() || bytes > runtime->config.largestBytes)
    return runtime->finish(cudaErrorMemoryAllocation);
  auto memory = std::make_unique<Memory>(bytes);
  char *start = memory->guarded;
  runtime->allocations[start] = {"cudaMalloc", std::move(memory),
                                 runtime->nextOrder++, 0, Runtime::current};
  int64_t total = 0;
  runtime->deviceBytes[static_cast<size_t>(Runtime::current)] += taken;
  for (int64_t bytes : runtime->deviceBytes)
    total += bytes;
  runtime->peakDeviceBytes = std::max(runtime->peakDeviceBytes, total);
  *pointer = start;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaFree(void *pointer) {
  bool fails = runtime->begin("cudaFree");
  if (pointer) {
    auto found = runtime->allocations.find(static_cast<char *>(pointer));
    if (found == runtime->allocations.end() ||
        found->second.function != "cudaMalloc")
      return runtime->fault("cudaFree of a pointer not from cudaMalloc");
    runtime->checkUnused("cudaFree", *found->second.memory);
    runtime->deviceBytes[static_cast<size_t>(found->second.device)] -=
        runtime->getGranules(found->second.memory->bytes);
    runtime->allocations.erase(found);
  }
  return fails ? runtime->getFailure() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaHostAlloc(void **pointer, size_t size,
                                    unsigned int flags) {
  auto bytes = static_cast<int64_t>(size);
  if (runtime->begin("cudaHostAlloc", bytes))
    return runtime->getFailure();
  if (bytes <= 0)
    return runtime->fault("cudaHostAlloc of no bytes");
  if (bytes > runtime->config.pinnedLimitBytes - runtime->pinnedBytes)
    return runtime->finish(cudaErrorMemoryAllocation);
  auto memory = std::make_unique<Memory>(bytes);
  char *start = memory->behind;
  runtime->allocations[start] = {"cudaHostAlloc", std::move(memory),
                                 runtime->nextOrder++, flags, 0};
  runtime->pinnedBytes += bytes;
  runtime->peakPinnedBytes =
      std::max(runtime->peakPinnedBytes, runtime->pinnedBytes);
  *pointer = start;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaFreeHost(void *pointer) {
  bool fails = runtime->begin("cudaFreeHost");
  auto found = runtime->allocations.find(static_cast<char *>(pointer));
  if (found == runtime->allocations.end() ||
      found->second.function != "cudaHostAlloc")
    return runtime->fault("cudaFreeHost of a pointer not from cudaHostAlloc");
  runtime->checkUnused("cudaFreeHost", *found->second.memory);
  runtime->pinnedBytes -= found->second.memory->bytes;
  runtime->mappedPointers.erase(found->second.memory->guarded);
  runtime->allocations.erase(found);
  return fails ? runtime->getFailure() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaHostGetDevicePointer(void **mapped, void *pointer,
                                               unsigned int) {
  if (runtime->begin("cudaHostGetDevicePointer"))
    return runtime->getFailure();
  auto found = runtime->allocations.find(static_cast<char *>(pointer));
  if (found == runtime->allocations.end() ||
      found->second.function != "cudaHostAlloc" ||
      !(found->second.flags & cudaHostAllocMapped) ||
      !runtime->config.canMapHost)
    return runtime->fault(
        "cudaHostGetDevicePointer of memory that is not mapped");
  char *address = found->second.memory->guarded;
  runtime->mappedPointers[address] = found->first;
  *mapped = address;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

cudaError_t CUDARTAPI cudaMemcpyAsync(void *to, const void *from, size_t count,
                                      enum cudaMemcpyKind kind, cudaStream_t) {
  auto bytes = static_cast<int64_t>(count);
  if (runtime->begin("cudaMemcpyAsync", bytes))
    return runtime->getFailure();
  bool isToHost = kind == cudaMemcpyDeviceToHost;
  bool isFromHost = kind == cudaMemcpyHostToDevice;
  // The host's own memory is not in an allocation.
  char *target =
      isToHost ? static_cast<char *>(to) : runtime->findBehind(to, bytes);
  const char *source = isFromHost ? static_cast<const char *>(from)
                                  : runtime->findBehind(from, bytes);
  if (!target || !source)
    return runtime->fault("cudaMemcpyAsync of " + std::to_string(bytes) +
                          " bytes outside of an allocation");
  runtime->getQueue().enqueue(
      {[=] { std::memcpy(target, source, count); }, target, source, bytes});
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaMemcpy(void *to, const void *from, size_t count,
                                 enum cudaMemcpyKind kind) {
  cudaError_t status = cudaMemcpyAsync(to, from, count, kind, nullptr);
  runtime->getQueue().waitForAll();
  return status;
}

cudaError_t CUDARTAPI cudaMemsetAsync(void *pointer, int value, size_t count,
                                      cudaStream_t) {
  auto bytes = static_cast<int64_t>(count);
  if (runtime->begin("cudaMemsetAsync", bytes))
    return runtime->getFailure();
  char *target = runtime->findBehind(pointer, bytes);
  if (!target)
    return runtime->fault("cudaMemsetAsync of " + std::to_string(bytes) +
                          " bytes outside of an allocation");
  runtime->getQueue().enqueue(
      {[=] { std::memset(target, value, count); }, target, nullptr, bytes});
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaMemset(void *pointer, int value, size_t count) {
  cudaError_t status = cudaMemsetAsync(pointer, value, count, nullptr);
  runtime->getQueue().waitForAll();
  return status;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

cudaError_t CUDARTAPI cudaDeviceSynchronize(void) {
  if (runtime->begin("cudaDeviceSynchronize"))
    return runtime->getFailure();
  runtime->getQueue().waitForAll();
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaStreamCreateWithFlags(cudaStream_t *stream,
                                                unsigned int) {
  if (runtime->begin("cudaStreamCreateWithFlags"))
    return runtime->getFailure();
  *stream = new CUstream_st{runtime->numObjects++};
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaStreamDestroy(cudaStream_t stream) {
  bool fails = runtime->begin("cudaStreamDestroy");
  runtime->waitForAll();
  delete stream;
  --runtime->numObjects;
  return fails ? runtime->getFailure() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t) {
  bool fails = runtime->begin("cudaStreamSynchronize");
  runtime->getQueue().waitForAll();
  return fails ? runtime->getFailure() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t *event,
                                               unsigned int) {
  if (runtime->begin("cudaEventCreateWithFlags"))
    return runtime->getFailure();
  *event = new CUevent_st;
  ++runtime->numObjects;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t event) {
  bool fails = runtime->begin("cudaEventDestroy");
  delete event;
  --runtime->numObjects;
  return fails ? runtime->getFailure() : cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  if (runtime->begin("cudaEventRecord"))
    return runtime->getFailure();
  event->recorded = runtime->getQueue().numEnqueued;
  event->device = Runtime::current;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t event) {
  bool fails = runtime->begin("cudaEventSynchronize");
  runtime->queues[static_cast<size_t>(event->device)]->wait(event->recorded);
  return fails ? runtime->getFailure() : cudaSuccess;
}

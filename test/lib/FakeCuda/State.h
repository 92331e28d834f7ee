//===- State.h - The state of the fake CUDA runtime -------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_FAKECUDA_STATE_H
#define LANE_TEST_FAKECUDA_STATE_H

#include "FakeCuda.h"
#include "Memory.h"
#include "Queue.h"
#include "lane/Runtime/Program.h"
#include <cuda_runtime_api.h>
#include <map>
#include <memory>
#include <mutex>

// The CUDA runtime leaves these types opaque.
struct CUstream_st {
  int device;
  bool isBlocking;
  lane::test::Queue queue;
  /// Whether work is captured rather than done, and the thread that captures.
  bool isCapturing = false;
  std::thread::id capturer = {};
  /// Whether a call was made that a capture cannot have.
  bool isInvalidated = false;
  std::vector<lane::test::Work> captured = {};
};
struct CUgraph_st {
  std::vector<lane::test::Work> work;
};
struct CUgraphExec_st {
  std::vector<lane::test::Work> work;
};
struct CUevent_st {
  lane::test::Queue *queue = nullptr;
  int64_t recorded = 0;
};
struct CUlib_st {
  std::map<std::string, lane_host_kernel> kernels;
  bool isLoaded = true;
};

namespace lane::test {

/// An entry of the ledger.
struct Allocation {
  std::string function;
  /// Null for registered memory, which is the program's own.
  std::unique_ptr<Memory> memory;
  /// The address that can be accessed.
  char *behind;
  int64_t bytes;
  int64_t order;
  unsigned flags;
  /// The device that was current.
  int device;
};

struct Device {
  /// The default stream.
  std::unique_ptr<CUstream_st> defaultStream;
  /// Whole granules of allocations, and page tables of pinned memory.
  int64_t takenBytes = 0;
  int64_t pageTableBytes = 0;
};

class State {
public:
  explicit State(const FakeCudaConfig &config);

  FakeCudaConfig config;
  std::vector<Device> devices;
  /// Streams are kept until the state ends: work can outlive its stream.
  std::vector<std::unique_ptr<CUstream_st>> streams;
  /// Libraries are kept too: a launch may come after the unload.
  std::vector<std::unique_ptr<CUlib_st>> libraries;
  /// By the address that the program has: the guarded one of device memory, the
  /// accessible one of host memory.
  std::map<char *, Allocation> allocations;
  /// Device addresses of memory from cudaHostAlloc, and the host's.
  std::map<char *, char *> mappedPointers;
  std::vector<std::string> calls;
  std::vector<std::string> faults;
  int64_t numCounted = 0;
  int64_t numObjects = 0;
  int64_t numRunningKernels = 0;
  int64_t nextOrder = 0;
  int64_t takenByOthers = 0;
  int64_t peakDeviceBytes = 0;
  int64_t spilledBytes = 0;
  int64_t pinnedBytes = 0, peakPinnedBytes = 0;
  bool hasFailed = false;
  cudaError_t lastError = cudaSuccess;

  /// The device that is current on this thread.
  static thread_local int current;

  Device &getDevice() { return devices[static_cast<size_t>(current)]; }
  /// The stream, or the default stream of the current device.
  CUstream_st &getStream(cudaStream_t stream) {
    return stream ? *stream : *getDevice().defaultStream;
  }
  /// Appends work to a stream, or to its capture. The default stream and
  /// blocking streams wait for each other.
  void enqueue(cudaStream_t stream, Work work);

  /// Fails where this thread captures streams, and invalidates their captures:
  /// the call is one that a capture cannot have.
  cudaError_t checkNoCapture();
  /// Fails, and invalidates the capture of the stream.
  cudaError_t invalidate(CUstream_st &stream) {
    stream.isInvalidated = true;
    return finish(cudaErrorStreamCaptureUnsupported);
  }

  cudaError_t finish(cudaError_t status) {
    if (status != cudaSuccess)
      lastError = status;
    return status;
  }
  cudaError_t fault(const std::string &what) {
    faults.push_back(what);
    return finish(cudaErrorInvalidValue);
  }
  cudaError_t getFailure() {
    return finish(static_cast<cudaError_t>(config.failStatus));
  }

  int64_t getGranules(int64_t bytes) const {
    return (bytes + config.granuleBytes - 1) / config.granuleBytes *
           config.granuleBytes;
  }
  int64_t getFreeBytes() {
    return config.freeBytes - takenByOthers - getDevice().takenBytes -
           getDevice().pageTableBytes;
  }
  void take(int64_t deviceBytes);
  /// Pins `bytes` of host memory, or fails: the limits are the host's, and page
  /// tables take device memory.
  cudaError_t pin(int64_t bytes);
  void unpin(const Allocation &allocation);

  /// Opens device memory and mapped memory to the host while a kernel runs.
  void beginKernel();
  void endKernel();

  /// A free does not wait: it is a fault where work still uses the memory.
  void checkUnused(const char *function, const Allocation &allocation);
  /// The accessible address of a device pointer or mapped pointer, or null
  /// where `bytes` from it are not in one allocation (or in registered memory,
  /// which may have several parts).
  char *findBehind(const void *pointer, int64_t bytes);
  /// Whether `kernel` is that of a library which was unloaded.
  bool isUnloaded(const void *kernel) const;
  bool isRegistered(const char *start, int64_t bytes);
  /// Finds an entry by the program's address and the function that made it.
  std::map<char *, Allocation>::iterator find(const void *pointer,
                                              const char *function);
};

/// The state, and the lock that its users hold. A call of a program counts from
/// here: it is recorded, and it is checked whether it is the one to fail.
class Call {
public:
  explicit Call(const char *function, int64_t bytes = -1);

  /// Whether this call was chosen to fail, or an earlier failure is sticky.
  bool fails() const { return isFailing; }
  /// The status of the call: `status`, unless it was chosen to fail.
  cudaError_t finish(cudaError_t status = cudaSuccess) const;
  /// Waits for all work so far of a stream or queue, without the lock where
  /// other threads do the work.
  void wait(Queue &queue, int64_t number);

private:
  std::unique_lock<std::recursive_mutex> lock;
  bool isFailing;
};

extern std::recursive_mutex stateMutex;
extern std::unique_ptr<State> state;

} // namespace lane::test

#endif // LANE_TEST_FAKECUDA_STATE_H

//===- FakeCuda.h - The CUDA runtime over host memory -----------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library with the CUDA runtime's functions over host memory, to run
// generated programs without a GPU. Devices have a set size and the driver's
// granule, and any call can be made to fail. Only these functions can access
// device memory. Every allocation is in a ledger, so that tests check bytes and
// leaks exactly.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_FAKECUDA_FAKECUDA_H
#define LANE_TEST_FAKECUDA_FAKECUDA_H

#include <cstdint>
#include <cuda_runtime_api.h>
#include <string>
#include <vector>

namespace lane::test {

/// The devices, and how they behave.
struct FakeCudaConfig {
  int numDevices = 1;
  /// Of each device: bytes that are free once the context is up, and in total.
  int64_t freeBytes = int64_t(1) << 30;
  int64_t totalBytes = int64_t(1) << 30;
  /// An allocation takes whole granules of what is free.
  int64_t granuleBytes = int64_t(2) << 20;
  /// The largest allocation that fragmentation allows.
  int64_t largestBytes = INT64_MAX;
  /// Bytes that other processes take after the free memory was queried.
  int64_t takenAfterQueryBytes = 0;
  /// The most pinned memory that the host gives, in total and in one call.
  int64_t pinnedLimitBytes = INT64_MAX;
  int64_t pinnedCallLimitBytes = INT64_MAX;
  /// Whether page tables of pinned memory take device memory.
  bool hasPageTables = true;
  bool isIntegrated = false;
  /// Of an integrated device: the host's page cache, which is not free.
  int64_t pageCacheBytes = 0;
  bool canMapHost = true;
  /// Whether cudaHostRegister works, and whether the device has that memory at
  /// the host's addresses.
  bool canRegister = true;
  bool canUseHostPointer = true;
  /// The host's NUMA node next to the device, or -1.
  int hostNumaNode = -1;
  /// Whether an allocation past the free memory succeeds in host memory, as
  /// with Windows' driver model (WDDM) and WSL2.
  bool spills = false;
  /// Whether the device reads pageable memory by the host's page tables.
  bool isCoherent = false;

  /// When a copy is done: at the call; only when it is waited for, which shows
  /// a missing wait; or in a thread for each stream.
  enum class Copies { AtOnce, WhenAwaited, Meanwhile };
  Copies copies = Copies::AtOnce;

  /// The call that fails, counted from 0 over all functions except those that
  /// return errors; -1 for none. With `failFunction`, only its calls count.
  int64_t failCall = -1;
  std::string failFunction;
  /// What it returns. A function that frees still frees.
  int failStatus = 999;
  /// Whether every later call fails too, and the error cannot be cleared.
  bool isSticky = false;
};

/// A kernel of a fake binary: a host function, which runs once for the whole
/// grid of a launch.
struct FakeKernel {
  const char *name;
  /// Gets the addresses of so many arguments, of 8 bytes at most.
  void (*run)(void **arguments);
  int64_t numArguments;
};

/// What cudaLibraryLoadData takes in place of a cubin or PTX.
struct FakeBinary {
  static constexpr uint64_t kMagic = 0x656B61662D6E6167;

  uint64_t magic = kMagic;
  int64_t numKernels;
  const FakeKernel *kernels;
};

/// An allocation in the ledger.
struct FakeCudaAllocation {
  /// "cudaMalloc", "cudaHostAlloc" or "cudaHostRegister".
  std::string function;
  int64_t bytes;
  /// Those of the two latter.
  unsigned flags;
};

/// Starts again with `config`. Everything must have been freed.
void resetFakeCuda(const FakeCudaConfig &config);

/// Live allocations, in the order of their calls.
std::vector<FakeCudaAllocation> getLiveAllocations();
/// Events, streams and graphs that are live.
int64_t getNumLiveObjects();
/// Libraries that are loaded. A program may keep them until it exits.
int64_t getNumLiveLibraries();
/// The peak of allocated device memory, in whole granules, and of pinned
/// memory, in bytes.
int64_t getPeakDeviceBytes();
int64_t getPeakPinnedBytes();
/// Bytes of cudaMalloc that the device did not have.
int64_t getSpilledBytes();
/// Every call so far, with the bytes it asked for: "cudaMalloc(256)".
const std::vector<std::string> &getCalls();
/// Whether the call to fail was made.
bool hasFailed();
/// Errors of the program: a copy outside of an allocation, a pointer freed
/// twice or not allocated, memory freed while work uses it. Empty if there are
/// none.
const std::vector<std::string> &getFaults();

/// Returns an address at which a test can read `bytes` of a device pointer or
/// mapped pointer, as a kernel would; null if they are not in one allocation.
void *getBehindPointer(const void *pointer, int64_t bytes);

/// Starts a kernel that reads `bytes` of a device pointer or mapped pointer, on
/// a stream, or the default stream of the current device. It ends as a copy
/// does.
void startFakeKernel(const void *pointer, int64_t bytes,
                     cudaStream_t stream = nullptr);

} // namespace lane::test

#endif // LANE_TEST_FAKECUDA_FAKECUDA_H

//===- FakeCuda.h - The CUDA runtime over host memory ---------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library with the CUDA runtime's functions over host memory, to run what is
// generated where no GPU is. The device has a set size and the driver's granule
// and can be made to fail anywhere; nothing but these functions can touch its
// memory; and every allocation is in a ledger, so that a test can say to the
// byte what was taken and whether all of it came back.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_FAKECUDA_FAKECUDA_H
#define LANE_TEST_FAKECUDA_FAKECUDA_H

#include <cstdint>
#include <string>
#include <vector>

namespace lane::test {

/// What the device is, and how it behaves.
struct FakeCudaConfig {
  /// Bytes that are free once the context is up, and bytes in all.
  int64_t freeBytes = int64_t(1) << 30;
  int64_t totalBytes = int64_t(1) << 30;
  /// An allocation takes whole granules of what is free.
  int64_t granuleBytes = int64_t(2) << 20;
  /// The largest allocation that its fragments allow.
  int64_t largestBytes = INT64_MAX;
  /// What others take as soon as the free memory was asked for.
  int64_t takenAfterQueryBytes = 0;
  /// Pinned memory that the host gives.
  int64_t pinnedLimitBytes = INT64_MAX;
  bool isIntegrated = false;
  bool canMapHost = true;

  /// When a copy is carried out: as it is called; only when it is waited for,
  /// which shows who does not wait; or meanwhile, by a thread.
  enum class Copies { AtOnce, WhenAwaited, Meanwhile };
  Copies copies = Copies::AtOnce;

  /// The call that fails, counted from 0 over all functions but those that only
  /// tell what went wrong; -1 for none. With `failFunction` calls of that
  /// function alone are counted.
  int64_t failCall = -1;
  std::string failFunction;
  /// What it returns; a function that frees does its work nonetheless.
  int failStatus = 999;
};

/// An allocation that is in the ledger.
struct FakeCudaAllocation {
  /// "cudaMalloc" or "cudaHostAlloc".
  std::string function;
  int64_t bytes;
};

/// Forgets everything, which must have been freed, and starts with `config`.
void resetFakeCuda(const FakeCudaConfig &config);

/// Allocations that are live, in the order in which they were made.
std::vector<FakeCudaAllocation> getLiveAllocations();
/// Events and streams that are live.
int64_t getNumLiveObjects();
/// The most bytes of the device that were taken at once, in whole granules, and
/// of pinned memory, as asked for.
int64_t getPeakDeviceBytes();
int64_t getPeakPinnedBytes();
/// Every call so far, with the bytes it asked for: "cudaMalloc(256)".
const std::vector<std::string> &getCalls();
/// Whether the call that was to fail did.
bool hasFailed();
/// What no program may do: a copy outside of an allocation, a pointer freed
/// twice or never given; empty where all was well.
const std::vector<std::string> &getFaults();

/// Where the bytes of a device pointer, or of a mapped one, truly are: for
/// tests that read as a kernel would. Null where `bytes` from it are not all
/// of one allocation.
void *getBehindPointer(const void *pointer, int64_t bytes);

} // namespace lane::test

#endif // LANE_TEST_FAKECUDA_FAKECUDA_H

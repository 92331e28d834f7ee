//===- FakeCudaTest.cpp - Tests of the fake CUDA runtime ------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fake must be as strict as a device, or the tests that use it prove
// nothing.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "gtest/gtest.h"
#include <cstring>
#include <cuda_runtime_api.h>

using namespace lane::test;

namespace {

constexpr int64_t kGranule = int64_t(2) << 20;

class FakeCuda : public testing::Test {
protected:
  void SetUp() override { resetFakeCuda(config); }
  void TearDown() override {
    EXPECT_TRUE(getLiveAllocations().empty());
    EXPECT_EQ(getNumLiveObjects(), 0);
  }

  /// Starts again with `config`.
  void reset() { resetFakeCuda(config); }

  int64_t getFree() {
    size_t free = 0, total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    EXPECT_EQ(int64_t(total), config.totalBytes);
    return int64_t(free);
  }

  FakeCudaConfig config;
};

TEST_F(FakeCuda, TakesWholeGranules) {
  void *first = nullptr, *second = nullptr;
  int64_t before = getFree();
  EXPECT_EQ(cudaMalloc(&first, 1), cudaSuccess);
  EXPECT_EQ(getFree(), before - kGranule);
  EXPECT_EQ(cudaMalloc(&second, kGranule + 1), cudaSuccess);
  EXPECT_EQ(getFree(), before - 3 * kGranule);
  EXPECT_EQ(getPeakDeviceBytes(), 3 * kGranule);
  ASSERT_EQ(getLiveAllocations().size(), 2u);
  EXPECT_EQ(getLiveAllocations()[0].bytes, 1);
  EXPECT_EQ(getLiveAllocations()[1].bytes, kGranule + 1);
  EXPECT_EQ(cudaFree(second), cudaSuccess);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(getFree(), before);
  EXPECT_EQ(getPeakDeviceBytes(), 3 * kGranule);
}

TEST_F(FakeCuda, HasNoMoreThanItsSize) {
  config.freeBytes = 2 * kGranule;
  reset();
  void *all = nullptr, *more = nullptr;
  EXPECT_EQ(cudaMalloc(&more, 2 * kGranule + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&all, 2 * kGranule), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&more, 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(more, nullptr);
  EXPECT_EQ(cudaFree(all), cudaSuccess);
}

TEST_F(FakeCuda, IsFragmented) {
  config.largestBytes = 1000;
  reset();
  void *pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 1001), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&pointer, 1000), cudaSuccess);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
}

TEST_F(FakeCuda, OthersTakeMemoryAfterTheQuery) {
  config.freeBytes = 10 * kGranule;
  config.takenAfterQueryBytes = 4 * kGranule;
  reset();
  void *pointer = nullptr;
  EXPECT_EQ(getFree(), 10 * kGranule);
  EXPECT_EQ(cudaMalloc(&pointer, 7 * kGranule), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&pointer, 6 * kGranule), cudaSuccess);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
}

TEST_F(FakeCuda, PinnedMemoryHasAnExactLimit) {
  config.pinnedLimitBytes = 5000;
  reset();
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(cudaHostAlloc(&first, 4000, cudaHostAllocMapped), cudaSuccess);
  EXPECT_EQ(cudaHostAlloc(&second, 1001, 0), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaHostAlloc(&second, 1000, 0), cudaSuccess);
  EXPECT_EQ(getPeakPinnedBytes(), 5000);
  EXPECT_EQ(cudaFreeHost(first), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(second), cudaSuccess);
}

TEST_F(FakeCuda, MappedMemoryHasAnotherAddress) {
  void *host = nullptr, *mapped = nullptr;
  EXPECT_EQ(cudaHostAlloc(&host, 256, cudaHostAllocMapped), cudaSuccess);
  EXPECT_EQ(cudaHostGetDevicePointer(&mapped, host, 0), cudaSuccess);
  EXPECT_NE(host, mapped);
  std::memset(host, 7, 256);
  auto *behind = static_cast<char *>(getBehindPointer(mapped, 256));
  ASSERT_NE(behind, nullptr);
  EXPECT_EQ(behind[255], 7);
  EXPECT_EQ(getBehindPointer(mapped, 257), nullptr);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
  EXPECT_EQ(getBehindPointer(mapped, 256), nullptr);
}

TEST_F(FakeCuda, HostAccessToDeviceMemoryDies) {
  void *device = nullptr, *host = nullptr, *mapped = nullptr;
  EXPECT_EQ(cudaMalloc(&device, 256), cudaSuccess);
  EXPECT_DEATH(*static_cast<volatile char *>(device) = 1, "");
  EXPECT_EQ(cudaHostAlloc(&host, 256, cudaHostAllocMapped), cudaSuccess);
  EXPECT_EQ(cudaHostGetDevicePointer(&mapped, host, 0), cudaSuccess);
  EXPECT_DEATH(*static_cast<volatile char *>(mapped) = 1, "");
  // The page after pinned memory is a guard.
  EXPECT_DEATH(static_cast<volatile char *>(host)[4096] = 1, "");
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST_F(FakeCuda, CopiesWhenConfigured) {
  for (auto copies :
       {FakeCudaConfig::Copies::AtOnce, FakeCudaConfig::Copies::WhenAwaited,
        FakeCudaConfig::Copies::Meanwhile}) {
    config.copies = copies;
    reset();
    void *device = nullptr;
    EXPECT_EQ(cudaMalloc(&device, 8), cudaSuccess);
    char source[8] = "1234567";
    cudaEvent_t isDone = nullptr;
    EXPECT_EQ(cudaEventCreateWithFlags(&isDone, cudaEventDisableTiming),
              cudaSuccess);
    EXPECT_EQ(
        cudaMemcpyAsync(device, source, 8, cudaMemcpyHostToDevice, nullptr),
        cudaSuccess);
    EXPECT_EQ(cudaEventRecord(isDone, nullptr), cudaSuccess);
    // A copy that is not waited for reads later bytes.
    if (copies == FakeCudaConfig::Copies::WhenAwaited)
      source[0] = 'x';
    EXPECT_EQ(cudaMemsetAsync(static_cast<char *>(device) + 6, 0, 2, nullptr),
              cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(isDone), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    char result[8];
    EXPECT_EQ(cudaMemcpy(result, device, 8, cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_STREQ(result, copies == FakeCudaConfig::Copies::WhenAwaited
                             ? "x23456"
                             : "123456");
    EXPECT_EQ(cudaEventDestroy(isDone), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    EXPECT_TRUE(getFaults().empty());
  }
}

TEST_F(FakeCuda, CopiesOutsideOfAnAllocationAreFaults) {
  void *device = nullptr;
  EXPECT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  char source[200] = {};
  EXPECT_EQ(
      cudaMemcpyAsync(device, source, 101, cudaMemcpyHostToDevice, nullptr),
      cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemsetAsync(static_cast<char *>(device) + 99, 0, 2, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(source), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc(&device, 0), cudaErrorInvalidValue);
  EXPECT_EQ(getFaults().size(), 5u);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(getFaults().size(), 6u);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST_F(FakeCuda, FailsAtTheGivenCall) {
  config.failCall = 1;
  reset();
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(cudaMalloc(&first, 1), cudaSuccess);
  EXPECT_FALSE(hasFailed());
  EXPECT_EQ(cudaMalloc(&second, 1), cudaErrorUnknown);
  EXPECT_TRUE(hasFailed());
  EXPECT_EQ(cudaGetLastError(), cudaErrorUnknown);
  EXPECT_EQ(cudaMalloc(&second, 1), cudaSuccess);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(cudaFree(second), cudaSuccess);

  config.failFunction = "cudaFree";
  config.failCall = 0;
  config.failStatus = 700;
  reset();
  EXPECT_EQ(cudaMalloc(&first, 1), cudaSuccess);
  // It still frees.
  EXPECT_EQ(int(cudaFree(first)), 700);
  ASSERT_EQ(getCalls().size(), 2u);
  EXPECT_EQ(getCalls()[0], "cudaMalloc(1)");
  EXPECT_EQ(getCalls()[1], "cudaFree()");
}

TEST_F(FakeCuda, FailsForeverIfSticky) {
  config.failCall = 0;
  config.isSticky = true;
  reset();
  void *pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 1), cudaErrorUnknown);
  EXPECT_EQ(cudaGetLastError(), cudaErrorUnknown);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorUnknown);
  EXPECT_EQ(cudaMalloc(&pointer, 1), cudaErrorUnknown);
}

TEST_F(FakeCuda, FreesOfUsedMemoryAreFaults) {
  config.copies = FakeCudaConfig::Copies::WhenAwaited;
  reset();
  void *device = nullptr, *host = nullptr, *mapped = nullptr;
  EXPECT_EQ(cudaMalloc(&device, 8), cudaSuccess);
  EXPECT_EQ(cudaHostAlloc(&host, 8, cudaHostAllocMapped), cudaSuccess);
  EXPECT_EQ(cudaHostGetDevicePointer(&mapped, host, 0), cudaSuccess);
  startFakeKernel(device, 8);
  startFakeKernel(mapped, 8);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(getFaults().size(), 1u);
  startFakeKernel(mapped, 8);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
  EXPECT_EQ(getFaults().size(), 2u);
  EXPECT_EQ(cudaMalloc(&device, 8), cudaSuccess);
  startFakeKernel(device, 8);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(getFaults().size(), 2u);
}

TEST_F(FakeCuda, HasDevicesWithMemoryOfTheirOwn) {
  config.numDevices = 2;
  config.copies = FakeCudaConfig::Copies::WhenAwaited;
  reset();
  void *pointer = nullptr;
  int64_t before = getFree();
  EXPECT_EQ(cudaMalloc(&pointer, 1), cudaSuccess);
  EXPECT_EQ(getFree(), before - kGranule);
  startFakeKernel(pointer, 1);
  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(getFree(), before);
  // Only the current device is waited for.
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_EQ(getFaults().size(), 1u);
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidValue);
  int current = -1;
  EXPECT_EQ(cudaGetDevice(&current), cudaSuccess);
  EXPECT_EQ(current, 1);
}

TEST_F(FakeCuda, PageTablesTakeDeviceMemory) {
  void *host = nullptr;
  int64_t before = getFree();
  EXPECT_EQ(cudaHostAlloc(&host, 3 * kGranule, cudaHostAllocMapped),
            cudaSuccess);
  EXPECT_EQ(getFree(), before - 4 * 4096);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
  EXPECT_EQ(getFree(), before);
  EXPECT_EQ(getPeakDeviceBytes(), 0);
  config.freeBytes = 4 * 4096 - 1;
  reset();
  EXPECT_EQ(cudaHostAlloc(&host, 3 * kGranule, cudaHostAllocMapped),
            cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaHostAlloc(&host, 2 * kGranule, 0), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST_F(FakeCuda, RegistersMemory) {
  config.pinnedCallLimitBytes = 8192;
  reset();
  std::vector<char> memory(3 * 8192);
  char *start = memory.data();
  EXPECT_EQ(cudaHostRegister(start, 8193, cudaHostRegisterMapped),
            cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaHostRegister(start, 8192, cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(start + 8191, 10, cudaHostRegisterMapped),
            cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostRegister(start + 8192, 8192, cudaHostRegisterMapped),
            cudaSuccess);
  EXPECT_EQ(getLiveAllocations()[1].function, "cudaHostRegister");
  void *mapped = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&mapped, start, 0), cudaSuccess);
  EXPECT_EQ(mapped, start);
  // A kernel reads across the border, but not past the end.
  EXPECT_EQ(getBehindPointer(start + 1, 16383), start + 1);
  EXPECT_EQ(getBehindPointer(start + 1, 16384), nullptr);
  EXPECT_EQ(cudaHostUnregister(start + 8192), cudaSuccess);
  EXPECT_EQ(getBehindPointer(start + 1, 8192), nullptr);
  EXPECT_EQ(cudaHostUnregister(start + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(start), cudaSuccess);
  EXPECT_EQ(getFaults().size(), 1u);
}

TEST_F(FakeCuda, SpillsWhereTheDriverDoes) {
  config.freeBytes = 2 * kGranule;
  config.spills = true;
  reset();
  void *pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 2 * kGranule), cudaSuccess);
  EXPECT_EQ(getSpilledBytes(), 0);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&pointer, 5 * kGranule), cudaSuccess);
  EXPECT_EQ(getSpilledBytes(), 3 * kGranule);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
}

TEST_F(FakeCuda, CountsThePageCacheOfIntegratedDevices) {
  int64_t before = getFree();
  config.pageCacheBytes = 1000;
  reset();
  EXPECT_EQ(getFree(), before);
  config.isIntegrated = true;
  reset();
  EXPECT_EQ(getFree(), before - 1000);
}

TEST_F(FakeCuda, AlignsPointersTo256BytesOnly) {
  void *device = nullptr, *host = nullptr;
  EXPECT_EQ(cudaMalloc(&device, 1), cudaSuccess);
  EXPECT_EQ(cudaHostAlloc(&host, 1, 0), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(device) % 512, 256u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(host) % 512, 256u);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

/// The default stream and blocking streams wait for each other; a stream of its
/// own kind waits for nobody, and to destroy it does not wait either.
TEST_F(FakeCuda, StreamsWaitAsTheirKindDoes) {
  for (auto copies :
       {FakeCudaConfig::Copies::WhenAwaited, FakeCudaConfig::Copies::Meanwhile})
    for (bool isBlocking : {true, false}) {
      config.copies = copies;
      reset();
      void *device = nullptr;
      cudaStream_t stream = nullptr;
      EXPECT_EQ(cudaMalloc(&device, 1), cudaSuccess);
      EXPECT_EQ(cudaStreamCreateWithFlags(
                    &stream, isBlocking ? 0 : cudaStreamNonBlocking),
                cudaSuccess);
      EXPECT_EQ(cudaMemset(device, 1, 1), cudaSuccess);
      EXPECT_EQ(cudaMemsetAsync(device, 2, 1, stream), cudaSuccess);
      EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
      char value = 0;
      EXPECT_EQ(cudaMemcpy(&value, device, 1, cudaMemcpyDeviceToHost),
                cudaSuccess);
      if (isBlocking || copies == FakeCudaConfig::Copies::WhenAwaited) {
        EXPECT_EQ(value, isBlocking ? 2 : 1);
      }
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      EXPECT_EQ(cudaMemcpy(&value, device, 1, cudaMemcpyDeviceToHost),
                cudaSuccess);
      EXPECT_EQ(value, 2);
      EXPECT_EQ(cudaFree(device), cudaSuccess);
    }
}

/// Stores 7 at its argument.
void storeSeven(void **arguments) { **static_cast<char **>(arguments[0]) = 7; }

constexpr FakeKernel kKernels[] = {{"store_seven", storeSeven, 1}};
constexpr FakeBinary kBinary = {FakeBinary::kMagic, 1, kKernels};

cudaError_t load(cudaLibrary_t *library, const void *code) {
  return cudaLibraryLoadData(library, code, nullptr, nullptr, 0, nullptr,
                             nullptr, 0);
}

TEST_F(FakeCuda, RunsKernelsOfLibraries) {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  void *device = nullptr;
  char value = 0;
  EXPECT_EQ(load(&library, "\x7f"
                           "ELF, not a fake"),
            cudaErrorInvalidKernelImage);
  ASSERT_EQ(load(&library, &kBinary), cudaSuccess);
  EXPECT_EQ(getNumLiveLibraries(), 1);
  EXPECT_EQ(cudaLibraryGetKernel(&kernel, library, "none"),
            cudaErrorSymbolNotFound);
  ASSERT_EQ(cudaLibraryGetKernel(&kernel, library, "store_seven"), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&device, 1), cudaSuccess);
  void *arguments[] = {&device};
  EXPECT_EQ(cudaLaunchKernel(kernel, dim3(1), dim3(1), arguments, 0, nullptr),
            cudaSuccess);
  EXPECT_EQ(cudaMemcpy(&value, device, 1, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 7);
  EXPECT_TRUE(getFaults().empty());
  EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
  EXPECT_EQ(getNumLiveLibraries(), 0);
  // All of these are faults of the program.
  EXPECT_NE(cudaLibraryUnload(library), cudaSuccess);
  EXPECT_NE(cudaLibraryGetKernel(&kernel, library, "store_seven"), cudaSuccess);
  EXPECT_NE(cudaLaunchKernel(kernel, dim3(1), dim3(1), arguments, 0, nullptr),
            cudaSuccess);
  EXPECT_NE(cudaLaunchKernel(nullptr, dim3(1), dim3(1), arguments, 0, nullptr),
            cudaSuccess);
  EXPECT_EQ(getFaults().size(), 4u);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST_F(FakeCuda, StreamsWaitForEvents) {
  config.copies = FakeCudaConfig::Copies::WhenAwaited;
  reset();
  void *device = nullptr;
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t event = nullptr;
  char value = 0;
  EXPECT_EQ(cudaMalloc(&device, 1), cudaSuccess);
  for (cudaStream_t *stream : {&first, &second})
    EXPECT_EQ(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking),
              cudaSuccess);
  EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming),
            cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(device, 1, 1, first), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, first), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(second, event, 0), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(device, 2, 1, second), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(first), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(&value, device, 1, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 2);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(first), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(second), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST_F(FakeCuda, HasAttributes) {
  int value = -1;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrIntegrated, 0),
            cudaSuccess);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrCanMapHostMemory, 0),
            cudaSuccess);
  EXPECT_EQ(value, 1);
  config.isIntegrated = true;
  config.canMapHost = false;
  reset();
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrIntegrated, 0),
            cudaSuccess);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrCanMapHostMemory, 0),
            cudaSuccess);
  EXPECT_EQ(value, 0);
  void *host = nullptr, *mapped = nullptr;
  EXPECT_EQ(cudaHostAlloc(&host, 256, cudaHostAllocMapped), cudaSuccess);
  EXPECT_NE(cudaHostGetDevicePointer(&mapped, host, 0), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
  // One that nobody taught the fake, and an unknown device.
  size_t numFaults = getFaults().size();
  EXPECT_NE(cudaDeviceGetAttribute(&value, cudaDeviceAttr(1), 0), cudaSuccess);
  EXPECT_NE(cudaDeviceGetAttribute(&value, cudaDevAttrIntegrated, 1),
            cudaSuccess);
  EXPECT_EQ(getFaults().size(), numFaults + 2);
}

} // namespace

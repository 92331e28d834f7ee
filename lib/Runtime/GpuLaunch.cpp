//===- GpuLaunch.cpp - Upstream's functions for GPUs ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuLaunch.h"
#include "LaunchError.h"
#include "Message.h"
#include <climits>
#include <cstdio>
#include <mutex>
#include <new>

using namespace lane::runtime;

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

/// Remembers a failure, unless there was one. The last error of the CUDA
/// runtime is cleared.
static void check(const char *function, cudaError_t status) {
  if (status == cudaSuccess)
    return;
  lane_error ignored;
  bool isFirst = launchError.code == LANE_OK;
  try {
    checkCuda(isFirst ? &launchError : &ignored, function, status);
  } catch (...) {
    // The text has no memory.
    launchError.code = LANE_CUDA_FAILED;
  }
}

static void failLaunch(int32_t code, const char *message) {
  if (launchError.code != LANE_OK)
    return;
  launchError.code = code;
  std::snprintf(launchError.message, sizeof(launchError.message), "%s",
                message);
}

/// Whether a launch may run: none did fail.
static bool mayLaunch() { return launchError.code == LANE_OK; }

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

namespace {
class GpuModule {
public:
  GpuModule(const void *data, int optLevel) : data(data), optLevel(optLevel) {}
  GpuModule(const GpuModule &) = delete;
  GpuModule &operator=(const GpuModule &) = delete;
  ~GpuModule() {
    // The destructors of an object may run after the CUDA runtime's end.
    if (library && cudaLibraryUnload(library) != cudaSuccess)
      cudaGetLastError();
  }

  cudaError_t load();
  cudaLibrary_t get() const { return library; }

private:
  const void *data;
  /// Of PTX, from 0 to 4; negative for a binary.
  int optLevel;
  std::mutex mutex;
  cudaLibrary_t library = nullptr;
};
} // namespace

/// Loads the module, unless it is loaded. A library belongs to no device: each
/// device loads a kernel when it first runs it.
cudaError_t GpuModule::load() {
  std::lock_guard<std::mutex> lock(mutex);
  if (library)
    return cudaSuccess;
  cudaJitOption jit[] = {cudaJitOptimizationLevel};
  void *jitValues[] = {
      reinterpret_cast<void *>(static_cast<intptr_t>(optLevel))};
  cudaLibraryOption option[] = {cudaLibraryBinaryIsPreserved};
  int isPreserved = 1;
  void *optionValues[] = {&isPreserved};
  cudaLibrary_t loaded = nullptr;
  cudaError_t status =
      cudaLibraryLoadData(&loaded, data, jit, jitValues, optLevel >= 0 ? 1 : 0,
                          option, optionValues, 1);
  if (status == cudaSuccess)
    library = loaded;
  return status;
}

extern "C" void *mgpuModuleLoad(void *data, size_t) {
  return new (std::nothrow) GpuModule(data, /*optLevel=*/-1);
}

extern "C" void *mgpuModuleLoadJIT(void *data, int optLevel) {
  return new (std::nothrow) GpuModule(data, std::clamp(optLevel, 0, 4));
}

extern "C" void mgpuModuleUnload(void *module) {
  delete static_cast<GpuModule *>(module);
}

extern "C" void *mgpuModuleGetFunction(void *module, const char *name) {
  if (!mayLaunch())
    return nullptr;
  if (!module) {
    failLaunch(LANE_NO_HOST_MEMORY, "the host has no memory to load kernels");
    return nullptr;
  }
  char function[256];
  auto *loaded = static_cast<GpuModule *>(module);
  std::snprintf(function, sizeof(function),
                "cudaLibraryLoadData for kernel '%s'", name);
  check(function, loaded->load());
  if (!mayLaunch())
    return nullptr;
  cudaKernel_t kernel = nullptr;
  std::snprintf(function, sizeof(function),
                "cudaLibraryGetKernel of kernel '%s'", name);
  check(function, cudaLibraryGetKernel(&kernel, loaded->get(), name));
  return mayLaunch() ? kernel : nullptr;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Above this, a kernel is told how much shared memory it may have, in bytes.
static constexpr int32_t kMaxSharedBytes = 48 * 1024;

extern "C" void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                                 intptr_t gridZ, intptr_t blockX,
                                 intptr_t blockY, intptr_t blockZ,
                                 int32_t sharedBytes, void *stream,
                                 void **arguments, void **, size_t) {
  if (!mayLaunch())
    return;
  for (intptr_t size : {gridX, gridY, gridZ, blockX, blockY, blockZ})
    if (size < 0 || size > static_cast<intptr_t>(UINT_MAX))
      return failLaunch(LANE_CUDA_FAILED,
                        "a launch has a grid or a block whose size is not "
                        "an unsigned number of 32 bits");
  if (sharedBytes > kMaxSharedBytes)
    check("cudaFuncSetAttribute",
          cudaFuncSetAttribute(function,
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               sharedBytes));
  if (!mayLaunch())
    return;
  auto size = [](intptr_t value) { return static_cast<unsigned>(value); };
  dim3 grid(size(gridX), size(gridY), size(gridZ));
  dim3 block(size(blockX), size(blockY), size(blockZ));
  check("cudaLaunchKernel",
        cudaLaunchKernel(function, grid, block, arguments,
                         static_cast<size_t>(std::max(sharedBytes, 0)),
                         static_cast<cudaStream_t>(stream)));
}

extern "C" void mgpuMemcpy(void *target, void *source, size_t bytes,
                           void *stream) {
  if (mayLaunch())
    check("cudaMemcpyAsync",
          cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault,
                          static_cast<cudaStream_t>(stream)));
}

/// Fills `bytes` with the lowest byte of `value`, whose bytes are equal
/// if `isUniform`.
static void fill(void *target, unsigned value, bool isUniform, size_t bytes,
                 void *stream) {
  if (!mayLaunch())
    return;
  if (!isUniform)
    return failLaunch(LANE_CUDA_FAILED,
                      "gpu.memset of a value whose bytes differ is not "
                      "supported: fill memory with a kernel");
  check("cudaMemsetAsync",
        cudaMemsetAsync(target, static_cast<int>(value & 0xFF), bytes,
                        static_cast<cudaStream_t>(stream)));
}

extern "C" void mgpuMemset32(void *target, unsigned value, size_t count,
                             void *stream) {
  fill(target, value, value == (value & 0xFF) * 0x01010101u, count * 4, stream);
}

extern "C" void mgpuMemset16(void *target, unsigned short value, size_t count,
                             void *stream) {
  fill(target, value, value == (value & 0xFF) * 0x0101u, count * 2, stream);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

extern "C" void *mgpuStreamCreate() {
  cudaStream_t stream = nullptr;
  check("cudaStreamCreateWithFlags",
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

extern "C" void mgpuStreamDestroy(void *stream) {
  if (stream)
    check("cudaStreamDestroy",
          cudaStreamDestroy(static_cast<cudaStream_t>(stream)));
}

extern "C" void mgpuStreamSynchronize(void *stream) {
  check("cudaStreamSynchronize",
        cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
}

extern "C" void mgpuStreamWaitEvent(void *stream, void *event) {
  if (event)
    check("cudaStreamWaitEvent",
          cudaStreamWaitEvent(static_cast<cudaStream_t>(stream),
                              static_cast<cudaEvent_t>(event), 0));
}

extern "C" void *mgpuEventCreate() {
  cudaEvent_t event = nullptr;
  check("cudaEventCreateWithFlags",
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

extern "C" void mgpuEventDestroy(void *event) {
  if (event)
    check("cudaEventDestroy",
          cudaEventDestroy(static_cast<cudaEvent_t>(event)));
}

extern "C" void mgpuEventSynchronize(void *event) {
  if (event)
    check("cudaEventSynchronize",
          cudaEventSynchronize(static_cast<cudaEvent_t>(event)));
}

extern "C" void mgpuEventRecord(void *event, void *stream) {
  if (event)
    check("cudaEventRecord",
          cudaEventRecord(static_cast<cudaEvent_t>(event),
                          static_cast<cudaStream_t>(stream)));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static void refuseMemory() {
  failLaunch(LANE_CUDA_FAILED,
             "a step allocates, frees or registers memory, but a planned "
             "program has all of its memory before its steps");
}

extern "C" void *mgpuMemAlloc(uint64_t, void *, bool) {
  refuseMemory();
  return nullptr;
}

extern "C" void mgpuMemFree(void *, void *) { refuseMemory(); }

extern "C" void mgpuMemHostRegister(void *, uint64_t) { refuseMemory(); }

extern "C" void mgpuMemHostUnregister(void *) { refuseMemory(); }

extern "C" void mgpuMemHostRegisterMemRef(int64_t, void *, int64_t) {
  refuseMemory();
}

extern "C" void mgpuMemHostUnregisterMemRef(int64_t, void *, int64_t) {
  refuseMemory();
}

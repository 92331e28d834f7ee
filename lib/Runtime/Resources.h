//===- Resources.h - Owners of CUDA resources -------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_RESOURCES_H
#define LANE_LIB_RUNTIME_RESOURCES_H

#include <cstdint>
#include <cuda_runtime_api.h>

namespace lane::runtime {

/// Memory of the current device.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  ~DeviceMemory() {
    if (data)
      cudaFree(data);
  }

  /// Called once; again after it failed.
  cudaError_t allocate(int64_t bytes) {
    return cudaMalloc(&data, static_cast<size_t>(bytes));
  }
  void *get() const { return data; }

private:
  void *data = nullptr;
};

/// Pinned memory of the host.
class HostMemory {
public:
  HostMemory() = default;
  HostMemory(const HostMemory &) = delete;
  HostMemory &operator=(const HostMemory &) = delete;
  ~HostMemory() { free(); }

  /// Called once; `flags` are those of cudaHostAlloc.
  cudaError_t allocate(int64_t bytes, unsigned flags) {
    return cudaHostAlloc(&data, static_cast<size_t>(bytes), flags);
  }
  cudaError_t free() {
    void *freed = data;
    data = nullptr;
    return freed ? cudaFreeHost(freed) : cudaSuccess;
  }
  void *get() const { return data; }

private:
  void *data = nullptr;
};

/// A stream that does not wait for the default stream.
class StreamOwner {
public:
  StreamOwner() = default;
  StreamOwner(const StreamOwner &) = delete;
  StreamOwner &operator=(const StreamOwner &) = delete;
  ~StreamOwner() { destroy(); }

  /// Called once.
  cudaError_t create() {
    return cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  }
  cudaError_t destroy() {
    cudaStream_t destroyed = stream;
    stream = nullptr;
    return destroyed ? cudaStreamDestroy(destroyed) : cudaSuccess;
  }
  cudaStream_t get() const { return stream; }

private:
  cudaStream_t stream = nullptr;
};

/// Makes a device current, and restores the caller's.
class DeviceGuard {
public:
  /// A negative number is no device: nothing changes.
  explicit DeviceGuard(int device) : device(device) {
    if (device >= 0)
      status = cudaGetDevice(&callers);
    if (device < 0 || status != cudaSuccess)
      callers = device;
    if (callers != device)
      status = cudaSetDevice(device);
  }
  DeviceGuard(const DeviceGuard &) = delete;
  DeviceGuard &operator=(const DeviceGuard &) = delete;
  ~DeviceGuard() {
    if (callers != device)
      cudaSetDevice(callers);
  }

  /// Whether the device is current.
  cudaError_t getStatus() const { return status; }

private:
  int device;
  int callers = -1;
  cudaError_t status = cudaSuccess;
};

} // namespace lane::runtime

#endif // LANE_LIB_RUNTIME_RESOURCES_H

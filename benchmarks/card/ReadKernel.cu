//===- ReadKernel.cu - A kernel that reads memory -------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadKernel.h"

static constexpr int kThreads = 512;
static constexpr int kBlocksOfProcessor = 4;

/// Each thread has several loads of 16 bytes in flight.
static __global__ void read(const uint4 *data, int64_t count, uint32_t *sum) {
  int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
  int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  uint32_t total = 0;
#pragma unroll 8
  for (; i < count; i += stride) {
    uint4 words = __ldcs(data + i);
    total += words.x + words.y + words.z + words.w;
  }
  for (int lanes = 16; lanes > 0; lanes /= 2)
    total += __shfl_down_sync(~0u, total, lanes);
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, total);
}

cudaError_t startRead(const void *data, int64_t bytes, uint32_t *sum) {
  int device = 0, numProcessors = 0;
  if (cudaError_t status = cudaGetDevice(&device))
    return status;
  if (cudaError_t status = cudaDeviceGetAttribute(
          &numProcessors, cudaDevAttrMultiProcessorCount, device))
    return status;
  read<<<numProcessors * kBlocksOfProcessor, kThreads>>>(
      static_cast<const uint4 *>(data),
      bytes / static_cast<int64_t>(sizeof(uint4)), sum);
  return cudaGetLastError();
}

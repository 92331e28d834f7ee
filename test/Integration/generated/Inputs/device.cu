//===- device.cu - A generated program on a real card ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens a program at every budget that changes its placement. Kernels read each
// array through its pointer, in either memory: the bytes are the checkpoint's,
// and a step in q8_0 gives the same bits.
//
//===----------------------------------------------------------------------===//

#include "lane_tiny.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// Bytes of the reference that a pointer must have, and its upload or -1.
struct Array {
  int32_t pointer;
  int64_t rank;
  int64_t offset;
  int64_t bytes;
};
#include "reference.h"

static void expect(bool holds, const std::string &what) {
  if (holds)
    return;
  std::printf("failed: %s\n", what.c_str());
  std::exit(1);
}

static void check(cudaError_t status) {
  expect(status == cudaSuccess, cudaGetErrorString(status));
}

/// Copies bytes from where they live to device memory.
__global__ void copyBytes(const char *from, char *to, int64_t count) {
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < count)
    to[i] = from[i];
}

/// Gathers a row of 64 elements of q8_0.
__global__ void gather(const int8_t *quants, const __half *scales, int row,
                       float *x) {
  int i = row * 64 + threadIdx.x;
  x[threadIdx.x] = quants[i] * __half2float(scales[i / 32]);
}

/// Each thread computes a row of the product, summed in order.
__global__ void matmul(const int8_t *quants, const __half *scales, int firstRow,
                       const float *x, float *y) {
  int row = firstRow + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 64; ++i)
    sum +=
        quants[row * 64 + i] * __half2float(scales[(row * 64 + i) / 32]) * x[i];
  y[threadIdx.x] = sum;
}

static std::vector<char> fetch(const void *from, int64_t bytes) {
  char *buffer = nullptr;
  check(cudaMalloc(&buffer, bytes));
  copyBytes<<<(bytes + 255) / 256, 256>>>(static_cast<const char *>(from),
                                          buffer, bytes);
  std::vector<char> result(bytes);
  check(cudaMemcpy(result.data(), buffer, bytes, cudaMemcpyDeviceToHost));
  check(cudaFree(buffer));
  return result;
}

static std::vector<char> step(const lane_program *program) {
  float *x = nullptr;
  check(cudaMalloc(&x, 3 * 256 * sizeof(float)));
  float *y = x + 256, *z = y + 256;
  auto quants = [&](int32_t which) {
    return static_cast<const int8_t *>(program->pointers[which]);
  };
  auto scales = [&](int32_t which) {
    return static_cast<const __half *>(program->pointers[which]);
  };
  gather<<<1, 64>>>(quants(LANE_TINY_TOKEN_EMBD_WEIGHT),
                    scales(LANE_TINY_TOKEN_EMBD_WEIGHT_SCALES), 17, x);
  matmul<<<1, 64>>>(quants(LANE_TINY_BLK_0_ATTN_OUTPUT_WEIGHT),
                    scales(LANE_TINY_BLK_0_ATTN_OUTPUT_WEIGHT_SCALES), 0, x, y);
  matmul<<<1, 256>>>(quants(LANE_TINY_BLK_1_FFN_GATE_EXPS_WEIGHT),
                     scales(LANE_TINY_BLK_1_FFN_GATE_EXPS_WEIGHT_SCALES),
                     3 * 256, y, z);
  std::vector<char> result(256 * sizeof(float));
  check(cudaMemcpy(result.data(), z, result.size(), cudaMemcpyDeviceToHost));
  check(cudaFree(x));
  return result;
}

int main(int, char **argv) {
  std::ifstream file(argv[1], std::ios::binary);
  std::vector<char> reference{std::istreambuf_iterator<char>(file), {}};
  std::vector<char> wanted;
  int64_t budget = kWholeBytes;
  int64_t numUploads = std::size(kUploadBytes);
  for (int64_t moved = 0; moved <= numUploads; ++moved) {
    lane_options options = lane_default_options();
    options.device_bytes = budget + kSpareBytes;
    lane_program *program = nullptr;
    lane_error error = {};
    expect(lane_tiny_open(&options, &program, &error) == LANE_OK,
           error.message);
    expect(program->moved == moved, "moved");
    expect(program->device_bytes == budget, "device bytes");
    expect(program->host_bytes == kWholeBytes - budget, "host bytes");
    for (const Array &array : kArrays)
      expect(
          fetch(program->pointers[array.pointer], array.bytes) ==
              std::vector<char>(reference.begin() + array.offset,
                                reference.begin() + array.offset + array.bytes),
          "bytes of pointer " + std::to_string(array.pointer));
    std::vector<char> result = step(program);
    if (wanted.empty())
      wanted = result;
    expect(result == wanted, "a step's results differ");
    lane_tiny_close(program);
    check(cudaGetLastError());
    if (moved < numUploads)
      budget -= kUploadBytes[moved];
  }
  std::printf("%lld placements: all as planned\n",
              static_cast<long long>(numUploads + 1));
}

//===- Step.h - Steps against a reference -----------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the tests that run steps on the fake CUDA runtime and compare them,
// to the bit, with functions that upstream's passes compiled without Lane.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_STEP_STEP_H
#define LANE_TEST_STEP_STEP_H

#include "FakeCuda.h"
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <string>
#include <vector>

/// Ends the test if the condition does not hold.
inline void expect(bool holds, const std::string &what) {
  if (holds)
    return;
  std::printf("failed: %s\n", what.c_str());
  std::exit(1);
}

/// A memref of upstream's C interface.
template <typename T, int Rank>
struct Memref {
  T *allocated;
  T *aligned;
  int64_t offset;
  std::array<int64_t, Rank> sizes;
  std::array<int64_t, Rank> strides;
};

template <typename T, int Rank>
Memref<T, Rank> makeMemref(std::vector<T> &data,
                           std::array<int64_t, Rank> sizes) {
  Memref<T, Rank> memref = {data.data(), data.data(), 0, sizes, {}};
  int64_t stride = 1;
  for (int i = Rank; i-- > 0; stride *= sizes[i])
    memref.strides[i] = stride;
  expect(int64_t(data.size()) == stride, "a memref has another size");
  return memref;
}

/// Values between -1 and 1 that differ from step to step.
inline std::vector<float> makeValues(size_t count, uint32_t seed) {
  std::vector<float> values(count);
  uint32_t state = seed * 2654435761u + 1;
  for (float &value : values) {
    state = state * 1664525 + 1013904223;
    value = float(int32_t(state)) / 2147483648.0f;
  }
  return values;
}

template <typename T>
void write(void *pointer, const std::vector<T> &values) {
  expect(cudaMemcpy(pointer, values.data(), values.size() * sizeof(T),
                    cudaMemcpyHostToDevice) == cudaSuccess,
         "cudaMemcpy to a buffer");
}

template <typename T>
std::vector<T> read(const void *pointer, size_t count) {
  std::vector<T> values(count);
  expect(cudaMemcpy(values.data(), pointer, count * sizeof(T),
                    cudaMemcpyDeviceToHost) == cudaSuccess,
         "cudaMemcpy from a buffer");
  return values;
}

/// The same bits, and not all zero.
inline void expectSame(const std::vector<float> &found,
                       const std::vector<float> &wanted,
                       const std::string &what) {
  expect(std::memcmp(found.data(), wanted.data(),
                     wanted.size() * sizeof(float)) == 0,
         what + " differs");
  bool hasNumber = false;
  for (float value : wanted)
    hasNumber |= value != 0;
  expect(hasNumber, what + " is zero");
}

inline void expectNoFaults() {
  for (const std::string &fault : lane::test::getFaults())
    expect(false, fault);
}

#endif // LANE_TEST_STEP_STEP_H

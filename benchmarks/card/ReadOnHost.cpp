//===- ReadOnHost.cpp - The kernel for the fake CUDA runtime --------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "ReadKernel.h"

cudaError_t startRead(const void *data, int64_t bytes, uint32_t *sum) {
  auto *words =
      static_cast<const uint32_t *>(lane::test::getBehindPointer(data, bytes));
  auto *result = static_cast<uint32_t *>(
      lane::test::getBehindPointer(sum, sizeof(uint32_t)));
  if (!words || !result)
    return cudaErrorInvalidValue;
  uint32_t total = 0;
  for (int64_t i = 0; i < bytes / int64_t(sizeof(uint32_t)); ++i)
    total += words[i];
  *result += total;
  return cudaSuccess;
}

//===- ReadKernel.h - A kernel that reads memory ----------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_BENCHMARKS_CARD_READKERNEL_H
#define LANE_BENCHMARKS_CARD_READKERNEL_H

#include <cstdint>
#include <cuda_runtime_api.h>

/// Starts a kernel on the default stream that reads `bytes` (a multiple of 16)
/// of a device address, and writes their sum, by words of 32 bits, to `*sum`,
/// which is another device address and 0 before.
cudaError_t startRead(const void *data, int64_t bytes, uint32_t *sum);

#endif // LANE_BENCHMARKS_CARD_READKERNEL_H

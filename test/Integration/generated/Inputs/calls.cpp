//===- calls.cpp - The calls that a generated program makes ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints every call of the CUDA runtime at a number of budgets, refused ones
// too: two ways of compiling one program must print the same.
//
//===----------------------------------------------------------------------===//

#include "Opened.h"
#include <cstddef>

/// The reference has arrays, which this test does not use.
struct Array {
  int32_t pointer;
  int64_t rank;
  int64_t offset;
  int64_t bytes;
};
#include "reference.h"

int main() {
  int64_t least = kSpareBytes + kArenaBytes + kFixedBytes;
  int64_t most = kSpareBytes + kWholeBytes;
  for (int64_t bytes = least - 10007; bytes < most + 10007; bytes += 10007)
    for (int64_t taken : {int64_t(0), int64_t(33) << 20}) {
      FakeCudaConfig config;
      config.freeBytes = bytes;
      config.granuleBytes = 256;
      config.takenAfterQueryBytes = taken;
      lane::test::resetFakeCuda(config);
      {
        lane_options options = lane_default_options();
        options.reserve_bytes = LANE_RESERVE_NOTHING;
        Opened opened(&options);
        std::printf(
            "%lld less %lld: code %d '%s', %lld moved\n",
            static_cast<long long>(bytes), static_cast<long long>(taken),
            opened.code, opened.error.message,
            opened.program ? static_cast<long long>(opened.program->moved)
                           : -1);
      }
      for (const std::string &call : lane::test::getCalls())
        std::printf("  %s\n", call.c_str());
    }
}

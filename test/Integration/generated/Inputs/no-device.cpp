//===- no-device.cpp - A generated program on the real CUDA runtime -------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane_tiny.h"
#include <cstdio>

int main() {
  lane_program *program = nullptr;
  lane_error error = {};
  int32_t code = lane_tiny_open(nullptr, &program, &error);
  std::printf("code %d, program %s: %s\n", code, program ? "open" : "none",
              error.message);
  lane_tiny_close(program);
}

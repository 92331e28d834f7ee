//===- Message.h - Why something failed -------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_MESSAGE_H
#define LANE_LIB_RUNTIME_MESSAGE_H

#include "lane/Runtime/Program.h"
#include <cstring>
#include <cuda_runtime_api.h>
#include <string>

// Unnamed, so that two generated sources in one program do not meet.
namespace {
/// `text` with each `{}` replaced by the next figure.
inline std::string laneFormat(const char *text, int64_t first, int64_t second) {
  std::string line;
  int64_t figures[] = {first, second};
  size_t next = 0;
  for (; *text; ++text) {
    if (text[0] == '{' && text[1] == '}' && next < 2) {
      line += std::to_string(figures[next++]);
      ++text;
    } else {
      line += *text;
    }
  }
  return line;
}

inline int32_t laneFailWith(lane_error *error, int32_t code,
                            const std::string &message) {
  if (!error)
    return code;
  error->code = code;
  size_t length = message.size() < sizeof(error->message) - 1
                      ? message.size()
                      : sizeof(error->message) - 1;
  std::memcpy(error->message, message.data(), length);
  error->message[length] = 0;
  return code;
}

/// What failed, as laneCheckCuda says it.
inline std::string laneDescribeCuda(const char *name, int32_t status,
                                    int64_t bytes) {
  std::string message = name;
  if (bytes > 0)
    message += " of " + std::to_string(bytes) + " bytes";
  return message +
         " failed: " + cudaGetErrorString(static_cast<cudaError_t>(status)) +
         " (" + std::to_string(status) + ")";
}
} // namespace

#endif // LANE_LIB_RUNTIME_MESSAGE_H

//===- Message.h - Errors and log lines of the runtime ----------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that fail return a code of Program.h and write a line to `error`,
// which may be null.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_MESSAGE_H
#define LANE_LIB_RUNTIME_MESSAGE_H

#include "lane/Runtime/Program.h"
#include <algorithm>
#include <cuda_runtime_api.h>
#include <string>
#include <unistd.h>

namespace lane::runtime {

inline int32_t fail(lane_error *error, int32_t code,
                    const std::string &message) {
  if (!error)
    return code;
  error->code = code;
  size_t length = std::min(message.size(), sizeof(error->message) - 1);
  // Names in files have any bytes; the message is one line.
  std::replace_copy_if(
      message.begin(), message.begin() + static_cast<ptrdiff_t>(length),
      error->message, [](char c) { return c >= 0 && c < ' '; }, '?');
  error->message[length] = 0;
  return code;
}

inline std::string describeCuda(const char *function, cudaError_t status,
                                int64_t bytes) {
  std::string message = function;
  if (bytes > 0)
    message += " of " + std::to_string(bytes) + " bytes";
  return message + " failed: " + cudaGetErrorString(status) + " (" +
         std::to_string(status) + ")";
}

/// Clears the last error of the CUDA runtime, so that the caller's next call
/// does not return it. Returns a text for an error that cannot be cleared.
inline std::string clearCudaError() {
  cudaGetLastError();
  bool isCleared = cudaPeekAtLastError() == cudaSuccess;
  return isCleared ? "" : "; the error cannot be cleared";
}

/// Fails where `status`, which `function` returned for `bytes`, is an error.
inline int32_t checkCuda(lane_error *error, const char *function,
                         cudaError_t status, int64_t bytes = 0) {
  if (status == cudaSuccess)
    return LANE_OK;
  std::string message = describeCuda(function, status, bytes);
  return fail(error, LANE_CUDA_FAILED, message + clearCudaError());
}

/// The same for `bytes` of pinned memory. Every error means that the host does
/// not provide the memory.
inline int32_t checkPinned(lane_error *error, const char *function,
                           cudaError_t status, int64_t bytes) {
  if (status == cudaSuccess)
    return LANE_OK;
  int64_t hostBytes =
      static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  std::string message = describeCuda(function, status, bytes) +
                        "; the host has " + std::to_string(hostBytes) +
                        " bytes of memory";
  return fail(error, LANE_NO_HOST_MEMORY, message + clearCudaError());
}

inline void log(const lane_options &options, const std::string &line) {
  if (options.log)
    options.log(options.user, line.c_str());
}

} // namespace lane::runtime

#endif // LANE_LIB_RUNTIME_MESSAGE_H

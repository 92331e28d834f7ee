//===- Program.cpp - Messages, options and the program itself -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "lane/Runtime/Runtime.h"
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <unistd.h>

LANE_RUNTIME_LINKAGE int32_t laneFail(lane_error *error, int32_t code,
                                      const char *text, int64_t first,
                                      int64_t second) {
  return laneFailWith(error, code, laneFormat(text, first, second));
}

LANE_RUNTIME_LINKAGE int32_t laneCheckCuda(lane_error *error, const char *name,
                                           int32_t status, int64_t bytes) {
  if (status == cudaSuccess)
    return LANE_OK;
  cudaGetLastError();
  return laneFailWith(error, LANE_CUDA_FAILED,
                      laneDescribeCuda(name, status, bytes));
}

LANE_RUNTIME_LINKAGE int32_t laneCheckPinned(lane_error *error, int32_t status,
                                             int64_t bytes) {
  if (status == cudaSuccess)
    return LANE_OK;
  cudaGetLastError();
  int64_t hostBytes =
      static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return laneFailWith(error,
                      status == cudaErrorMemoryAllocation ? LANE_NO_HOST_MEMORY
                                                          : LANE_CUDA_FAILED,
                      laneDescribeCuda("cudaHostAlloc", status, bytes) +
                          "; the host has " + std::to_string(hostBytes) +
                          " bytes of memory");
}

LANE_RUNTIME_LINKAGE void laneLog(const lane_options *options, const char *text,
                                  int64_t figure) {
  if (options->log)
    options->log(options->user, laneFormat(text, figure, 0).c_str());
}

LANE_RUNTIME_LINKAGE const lane_options *
laneOptionsOrDefaults(const lane_options *options) {
  static const lane_options defaults = {};
  return options ? options : &defaults;
}

LANE_RUNTIME_LINKAGE void laneDeleteProgram(lane_program *program) {
  std::free(program->pointers);
  std::free(program->on_host);
  std::free(program->upload_offsets);
  std::free(program);
}

LANE_RUNTIME_LINKAGE lane_program *
laneNewProgram(lane_error *error, int64_t numPointers, int64_t numUploads) {
  // One more of each, so that none asks for no bytes.
  auto allocate = [](int64_t count, size_t size) {
    return std::calloc(static_cast<size_t>(count) + 1, size);
  };
  auto *program =
      static_cast<lane_program *>(allocate(0, sizeof(lane_program)));
  if (program) {
    program->pointers =
        static_cast<void **>(allocate(numPointers, sizeof(void *)));
    program->on_host =
        static_cast<int8_t *>(allocate(numUploads, sizeof(int8_t)));
    program->upload_offsets =
        static_cast<int64_t *>(allocate(numUploads, sizeof(int64_t)));
    if (program->pointers && program->on_host && program->upload_offsets)
      return program;
    laneDeleteProgram(program);
  }
  laneFail(error, LANE_NO_HOST_MEMORY,
           "the host has no memory for {} pointers and {} uploads", numPointers,
           numUploads);
  return nullptr;
}

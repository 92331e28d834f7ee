//===- Program.cpp - Begin, bind, finish and close ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramState.h"
#include <new>

using namespace lane::runtime;

LANE_RUNTIME_LINKAGE lane_program *
laneBegin(const lane_description *description, const lane_options *options,
          lane_error *error) {
  auto *state = new (std::nothrow) ProgramState;
  if (!state) {
    fail(error, LANE_NO_HOST_MEMORY,
         "the host has no memory to open the program");
    return nullptr;
  }
  state->size_bytes = sizeof(lane_program);
  state->description = description;
  state->error = error;
  state->options = options && options->size_bytes == sizeof(lane_options)
                       ? *options
                       : lane_default_options();
  state->usesGraphs = state->options.graph != 0;
  if (options && options->size_bytes != sizeof(lane_options))
    state->code = fail(
        error, LANE_BAD_OPTION,
        "size_bytes of the options is " + std::to_string(options->size_bytes) +
            ", not " + std::to_string(sizeof(lane_options)) +
            ": use lane_default_options() of the program's header");
  runStep(state, [](ProgramState &state) -> int32_t {
    // Add an element, so that empty arrays have an address too.
    auto numPointers = static_cast<size_t>(state.description->num_pointers);
    auto numUploads = static_cast<size_t>(state.description->num_uploads);
    state.pointerStorage.resize(numPointers + 1);
    state.pointers = state.pointerStorage.data();
    state.extentStorage.resize(numUploads + 1);
    state.extents = state.extentStorage.data();
    return LANE_OK;
  });
  return state;
}

LANE_RUNTIME_LINKAGE void laneBindPointers(lane_program *program) {
  runMemoryStep(program, [](ProgramState &state) -> int32_t {
    for (int64_t i = 0; i < state.description->num_pointers; ++i) {
      const lane_pointer &pointer = state.description->pointers[i];
      char *start = state.getStart(pointer.base, ProgramState::View::Device);
      state.pointers[i] = start + pointer.offset_bytes;
    }
    return LANE_OK;
  });
}

LANE_RUNTIME_LINKAGE void laneClose(lane_program *program) {
  auto *state = static_cast<ProgramState *>(program);
  if (!state)
    return;
  DeviceGuard guard(state->device);
  // Kernels may still read what is freed here.
  if (state->arena || state->pool)
    checkCuda(nullptr, "cudaDeviceSynchronize", cudaDeviceSynchronize());
  delete state;
}

LANE_RUNTIME_LINKAGE int32_t laneFinish(lane_program *program,
                                        lane_program **result) {
  *result = nullptr;
  auto *state = static_cast<ProgramState *>(program);
  if (!state)
    return LANE_NO_HOST_MEMORY;
  // Both belong to the caller of `open`.
  state->error = nullptr;
  state->options = {};
  int32_t code = state->code;
  if (code == LANE_OK)
    *result = state;
  else
    laneClose(state);
  return code;
}

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
  state->description = description;
  state->error = error;
  if (options)
    state->options = *options;
  runStep(state, [](ProgramState &state) -> int32_t {
    // One more, so that both arrays have an address.
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
  delete static_cast<ProgramState *>(program);
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

//===- Step.cpp - Running steps -------------------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchError.h"
#include "ProgramState.h"

using namespace lane::runtime;

LANE_RUNTIME_LINKAGE void laneBeginStep(lane_program *program) {
  program->step_error = {};
  auto *state = static_cast<ProgramState *>(program);
  state->stepGuard.emplace(state->device);
}

LANE_RUNTIME_LINKAGE int32_t laneEndStep(lane_program *program) {
  auto *state = static_cast<ProgramState *>(program);
  // A launch through upstream's functions, or any other, which leaves the last
  // error of the CUDA runtime.
  checkCuda(&program->step_error, "a launch", cudaGetLastError());
  if (launchError.code != LANE_OK)
    program->step_error = launchError;
  launchError = {};
  state->stepGuard.reset();
  return program->step_error.code;
}

LANE_RUNTIME_LINKAGE int32_t laneRunOnHost(lane_program *program, void *stream,
                                           void (*run)(void **arguments)) {
  auto *state = static_cast<ProgramState *>(program);
  program->step_error = {};
  DeviceGuard guard(state->device);
  lane_host_kernel kernel = {run, 1};
  void *arguments[] = {&program};
  return checkCuda(&program->step_error, "cudaLaunchKernel",
                   cudaLaunchKernel(&kernel, dim3(1, 1, 1), dim3(1, 1, 1),
                                    arguments, 0,
                                    static_cast<cudaStream_t>(stream)));
}

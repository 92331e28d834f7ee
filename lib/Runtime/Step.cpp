//===- Step.cpp - Running steps -------------------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchError.h"
#include "ProgramState.h"
#include <new>

using namespace lane::runtime;

/// Makes a graph of what `launch` puts on a stream. Where it fails, the step
/// has not run, and the next call captures again.
template <typename LaunchT>
static int32_t capture(lane_program *program, StepGraph &graph,
                       LaunchT launch) {
  StreamOwner stream;
  cudaGraph_t captured = nullptr;
  cudaGraphExec_t runnable = nullptr;
  int32_t code = LANE_OK;
  auto check = [&](const char *function, cudaError_t status) {
    lane_error later;
    bool isFirst = code == LANE_OK;
    int32_t result =
        checkCuda(isFirst ? &program->step_error : &later, function, status);
    if (isFirst)
      code = result;
  };
  check("cudaStreamCreateWithFlags", stream.create());
  if (code != LANE_OK)
    return code;
  check("cudaStreamBeginCapture",
        cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
  if (code == LANE_OK) {
    code = launch(stream.get());
    // The capture ends where a launch failed too.
    check("cudaStreamEndCapture",
          cudaStreamEndCapture(stream.get(), &captured));
  }
  if (code == LANE_OK)
    check("cudaGraphInstantiate",
          cudaGraphInstantiateWithFlags(&runnable, captured, 0));
  graph.reset(runnable);
  if (captured)
    check("cudaGraphDestroy", cudaGraphDestroy(captured));
  check("cudaStreamDestroy", stream.destroy());
  if (code != LANE_OK)
    graph.reset();
  return code;
}

/// Runs a step whose launches `launch` puts on a stream. `step` is the function
/// that makes them.
template <typename LaunchT>
static int32_t runLaunches(lane_program *program, void *stream, void (*step)(),
                           LaunchT launch) {
  auto *state = static_cast<ProgramState *>(program);
  program->step_error = {};
  DeviceGuard guard(state->device);
  if (int32_t code =
          checkCuda(&program->step_error, "cudaSetDevice", guard.getStatus()))
    return code;
  auto *target = static_cast<cudaStream_t>(stream);
  if (!state->usesGraphs)
    return launch(target);
  auto found = state->graphs.find(step);
  if (found == state->graphs.end()) {
    // A capture must not load kernels, so the first call runs without.
    int32_t code = launch(target);
    try {
      if (code == LANE_OK)
        state->graphs[step].reset();
    } catch (const std::bad_alloc &) {
      // The next call is the first one again.
    }
    return code;
  }
  StepGraph &graph = found->second;
  if (!graph.get())
    if (int32_t code = capture(program, graph, launch))
      return code;
  return checkCuda(&program->step_error, "cudaGraphLaunch",
                   cudaGraphLaunch(graph.get(), target));
}

LANE_RUNTIME_LINKAGE int32_t laneRunStep(lane_program *program, void *stream,
                                         void (*launch)(lane_program *program,
                                                        void *stream)) {
  return runLaunches(program, stream, reinterpret_cast<void (*)()>(launch),
                     [&](cudaStream_t target) {
                       launch(program, target);
                       // A launch through upstream's functions, or any other,
                       // which leaves the last error of the CUDA runtime.
                       checkCuda(&program->step_error, "a launch",
                                 cudaGetLastError());
                       if (launchError.code != LANE_OK)
                         program->step_error = launchError;
                       launchError = {};
                       return program->step_error.code;
                     });
}

LANE_RUNTIME_LINKAGE int32_t laneRunOnHost(lane_program *program, void *stream,
                                           void (*run)(void **arguments)) {
  return runLaunches(
      program, stream, reinterpret_cast<void (*)()>(run),
      [&](cudaStream_t target) {
        lane_host_kernel kernel = {run, 1};
        void *arguments[] = {&program};
        return checkCuda(&program->step_error, "cudaLaunchKernel",
                         cudaLaunchKernel(&kernel, dim3(1, 1, 1), dim3(1, 1, 1),
                                          arguments, 0, target));
      });
}

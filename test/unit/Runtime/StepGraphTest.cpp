//===- StepGraphTest.cpp - Tests of steps as CUDA graphs ------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelObject.h"
#include "OpenedProgram.h"
#include <algorithm>
#include <string>

using namespace lane::test;

namespace {

constexpr int kSteps = 10;

class StepGraphTest : public testing::Test {
protected:
  void SetUp() override {
    description.arena_bytes = 512;
    description.fixed_bytes = 256;
    description.spare_bytes = int64_t(1) << 20;
    options.device_bytes = int64_t(1) << 26;
    options.graph = 1;
    resetFakeCuda(config);
  }

  static int64_t count(const std::string &function) {
    return std::count(getCalls().begin(), getCalls().end(), function + "()");
  }

  static void clearArena(lane_program *program) {
    EXPECT_EQ(cudaMemset(program->arena, 0, 512), cudaSuccess);
  }

  /// Whether all values of the arena are `value`.
  static bool hasValues(lane_program *program, float value) {
    float values[128];
    EXPECT_EQ(cudaMemcpy(values, program->arena, 512, cudaMemcpyDeviceToHost),
              cudaSuccess);
    return std::all_of(values, values + 128,
                       [=](float each) { return each == value; });
  }

  lane_description description = {};
  lane_options options = lane_default_options();
  FakeCudaConfig config;
};

TEST_F(StepGraphTest, TenStepsAreThoseWithoutGraphs) {
  for (auto copies :
       {FakeCudaConfig::Copies::AtOnce, FakeCudaConfig::Copies::WhenAwaited,
        FakeCudaConfig::Copies::Meanwhile}) {
    for (bool hasStream : {false, true}) {
      for (int32_t graph : {0, 1}) {
        config.copies = copies;
        resetFakeCuda(config);
        options.graph = graph;
        void *stream = hasStream ? mgpuStreamCreate() : nullptr;
        {
          OpenedProgram program(description, options, hasStream);
          ASSERT_EQ(program.code, LANE_OK) << program.error.message;
          clearArena(program.program);
          KernelObject object;
          for (int i = 0; i < kSteps; ++i)
            ASSERT_EQ(object.accumulate(program.program, stream), LANE_OK)
                << program->step_error.message;
          EXPECT_EQ(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)),
                    cudaSuccess);
          EXPECT_TRUE(hasValues(program.program, 2.5f * kSteps));
          // The first step loads the kernels, the second is captured.
          EXPECT_EQ(count("cudaLaunchKernel"), graph ? 2 : kSteps);
          EXPECT_EQ(count("cudaGraphLaunch"), graph ? kSteps - 1 : 0);
        }
        if (stream)
          mgpuStreamDestroy(stream);
      }
    }
  }
}

TEST_F(StepGraphTest, EachStepHasItsGraph) {
  OpenedProgram program(description, options);
  KernelObject object;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(object.step(program.program, nullptr), LANE_OK);
    EXPECT_TRUE(hasValues(program.program, 2.5f));
    ASSERT_EQ(object.accumulate(program.program, nullptr), LANE_OK);
    EXPECT_TRUE(hasValues(program.program, 5));
  }
  EXPECT_EQ(count("cudaGraphInstantiateWithFlags"), 2);
}

TEST_F(StepGraphTest, RunsOnHostAsAGraph) {
  auto run = +[](void **arguments) {
    auto *program = *static_cast<lane_program **>(arguments[0]);
    *static_cast<float *>(getBehindPointer(program->arena, sizeof(float))) += 1;
  };
  OpenedProgram program(description, options);
  clearArena(program.program);
  for (int i = 0; i < kSteps; ++i)
    ASSERT_EQ(laneRunOnHost(program.program, nullptr, run), LANE_OK);
  float sum = 0;
  EXPECT_EQ(
      cudaMemcpy(&sum, program->arena, sizeof(sum), cudaMemcpyDeviceToHost),
      cudaSuccess);
  EXPECT_EQ(sum, kSteps);
  EXPECT_EQ(count("cudaLaunchKernel"), 2);
}

/// Each call fails in turn. A step that fails has not run once it is captured,
/// the next one runs, and nothing is left.
TEST_F(StepGraphTest, ReportsEachFailure) {
  int64_t numOpenCalls = 0;
  {
    OpenedProgram program(description, options);
    numOpenCalls = int64_t(getCalls().size());
  }
  bool hasFailedOnce = true;
  for (int64_t call = 0; hasFailedOnce; ++call) {
    ASSERT_LT(call, 100);
    // One call more sets the arena to zero.
    config.failCall = numOpenCalls + 1 + call;
    resetFakeCuda(config);
    OpenedProgram program(description, options);
    ASSERT_EQ(program.code, LANE_OK) << program.error.message;
    clearArena(program.program);
    KernelObject object;
    int numErrors = 0, firstError = 0;
    for (int i = 0; i < 4; ++i) {
      int32_t code = object.accumulate(program.program, nullptr);
      EXPECT_EQ(program->step_error.code, code);
      EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
      if (code == LANE_OK)
        continue;
      EXPECT_EQ(code, LANE_CUDA_FAILED);
      EXPECT_NE(std::string(program->step_error.message).find(" failed: "),
                std::string::npos);
      firstError = i;
      ++numErrors;
    }
    hasFailedOnce = hasFailed();
    if (!hasFailedOnce) {
      // The call to fail is a later one: all calls of the steps did.
      EXPECT_EQ(numErrors, 0);
      EXPECT_GE(call, 15);
      break;
    }
    EXPECT_EQ(numErrors, 1);
    // The first step has no graph: it has done what precedes the failure.
    if (firstError != 0) {
      EXPECT_TRUE(hasValues(program.program, 2.5f * 3));
    }
  }
}

/// An error when the graph is destroyed is not that of a later call.
TEST_F(StepGraphTest, DestroysItsGraphs) {
  config.failFunction = "cudaGraphExecDestroy";
  config.failCall = 0;
  resetFakeCuda(config);
  {
    OpenedProgram program(description, options);
    KernelObject object;
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(object.step(program.program, nullptr), LANE_OK);
  }
  EXPECT_TRUE(hasFailed());
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

/// A graph cannot be launched on a stream under capture.
TEST_F(StepGraphTest, RefusesAStreamUnderCapture) {
  OpenedProgram program(description, options);
  KernelObject object;
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(object.step(program.program, nullptr), LANE_OK);
  auto *stream = static_cast<cudaStream_t>(mgpuStreamCreate());
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
            cudaSuccess);
  EXPECT_EQ(object.step(program.program, stream), LANE_CUDA_FAILED);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph),
            cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(graph, nullptr);
  cudaGetLastError();
  mgpuStreamDestroy(stream);
}

/// Without the option, the caller can capture a step after its first run.
TEST_F(StepGraphTest, TheCallerCanCapture) {
  options.graph = 0;
  OpenedProgram program(description, options);
  KernelObject object;
  auto *stream = static_cast<cudaStream_t>(mgpuStreamCreate());
  auto captureStep = [&](cudaGraph_t *graph) {
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
              cudaSuccess);
    int32_t code = object.step(program.program, stream);
    cudaStreamEndCapture(stream, graph);
    cudaGetLastError();
    return code;
  };
  cudaGraph_t graph = nullptr;
  // The capture would load the kernels.
  EXPECT_EQ(captureStep(&graph), LANE_CUDA_FAILED);
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(object.step(program.program, stream), LANE_OK);
  EXPECT_EQ(captureStep(&graph), LANE_OK);
  EXPECT_NE(graph, nullptr);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  mgpuStreamDestroy(stream);
}

} // namespace

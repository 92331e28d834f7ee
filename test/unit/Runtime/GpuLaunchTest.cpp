//===- GpuLaunchTest.cpp - Tests of launches through upstream's functions -===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps as `gpu-to-llvm` writes them, on the fake CUDA runtime.
//
//===----------------------------------------------------------------------===//

#include "KernelObject.h"
#include "OpenedProgram.h"
#include <cstring>

using namespace lane::test;

namespace {

class GpuLaunchTest : public testing::Test {
protected:
  void SetUp() override {
    description.arena_bytes = 512;
    description.fixed_bytes = 256;
    description.spare_bytes = int64_t(1) << 20;
    options.device_bytes = int64_t(1) << 26;
    resetFakeCuda(config);
  }

  lane_description description = {};
  lane_options options = lane_default_options();
  FakeCudaConfig config;
};

TEST_F(GpuLaunchTest, RunsInOrderOnTheStreamOfTheStep) {
  for (auto copies :
       {FakeCudaConfig::Copies::AtOnce, FakeCudaConfig::Copies::WhenAwaited,
        FakeCudaConfig::Copies::Meanwhile}) {
    config.copies = copies;
    resetFakeCuda(config);
    OpenedProgram program(description, options);
    ASSERT_EQ(program.code, LANE_OK) << program.error.message;
    void *stream = mgpuStreamCreate();
    {
      KernelObject object;
      // A module is loaded at its first use.
      EXPECT_EQ(getNumLiveLibraries(), 0);
      for (int i = 0; i < 10; ++i)
        ASSERT_EQ(object.step(program.program, stream), LANE_OK)
            << program->step_error.message;
      EXPECT_EQ(getNumLiveLibraries(), 1);
      mgpuStreamSynchronize(stream);
    }
    EXPECT_EQ(getNumLiveLibraries(), 0);
    float values[128];
    EXPECT_EQ(cudaMemcpy(values, program->arena, 512, cudaMemcpyDeviceToHost),
              cudaSuccess);
    for (float value : values)
      EXPECT_EQ(value, 2.5f);
    mgpuStreamDestroy(stream);
  }
}

/// Each call of a step fails in turn.
TEST_F(GpuLaunchTest, ReportsEachFailure) {
  bool hasFailedOnce = true;
  for (int64_t call = 0; hasFailedOnce; ++call) {
    ASSERT_LT(call, 100);
    config.failCall = -1;
    resetFakeCuda(config);
    int64_t numOpenCalls = 0;
    {
      OpenedProgram program(description, options);
      numOpenCalls = int64_t(getCalls().size());
    }
    config.failCall = numOpenCalls + call;
    resetFakeCuda(config);
    OpenedProgram program(description, options);
    ASSERT_EQ(program.code, LANE_OK) << program.error.message;
    KernelObject object;
    int32_t code = object.step(program.program, nullptr);
    hasFailedOnce = hasFailed();
    EXPECT_EQ(code, hasFailedOnce ? LANE_CUDA_FAILED : LANE_OK);
    EXPECT_EQ(program->step_error.code, code);
    EXPECT_EQ(std::strlen(program->step_error.message) > 0, hasFailedOnce);
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    if (!hasFailedOnce) {
      // The call to fail is a later one: all calls of the step did.
      EXPECT_GE(call, 5);
      break;
    }
    // The next step runs.
    EXPECT_EQ(object.step(program.program, nullptr), LANE_OK)
        << program->step_error.message;
    EXPECT_STREQ(program->step_error.message, "");
  }
}

TEST_F(GpuLaunchTest, NamesWhatItCannotLoad) {
  OpenedProgram program(description, options);
  KernelObject object("a cubin for other hardware");
  EXPECT_EQ(object.step(program.program, nullptr), LANE_CUDA_FAILED);
  EXPECT_STREQ(program->step_error.message,
               "cudaLibraryLoadData for kernel 'add_to' failed: device kernel "
               "image is invalid (200)");
  KernelObject other;
  EXPECT_EQ(other.step(program.program, nullptr, "sub"), LANE_CUDA_FAILED);
  EXPECT_STREQ(program->step_error.message,
               "cudaLibraryGetKernel of kernel 'sub' failed: named symbol not "
               "found (500)");
  EXPECT_EQ(other.step(program.program, nullptr), LANE_OK);
}

TEST_F(GpuLaunchTest, RefusesWhatAPlannedProgramDoesNotNeed) {
  OpenedProgram program(description, options);
  using Launch = void(lane_program *, void *);
  auto run = [&](Launch *launch) {
    return laneRunStep(program.program, nullptr, launch);
  };
  EXPECT_EQ(run([](lane_program *, void *) {
              EXPECT_EQ(mgpuMemAlloc(4, nullptr, false), nullptr);
            }),
            LANE_CUDA_FAILED);
  EXPECT_STREQ(program->step_error.message,
               "a step allocates, frees or registers memory, but a planned "
               "program has all of its memory before its steps");
  Launch *const refused[] = {
      [](lane_program *, void *) { mgpuMemFree(nullptr, nullptr); },
      [](lane_program *, void *) { mgpuMemHostRegister(nullptr, 1); },
      [](lane_program *, void *) { mgpuMemHostUnregister(nullptr); },
      [](lane_program *, void *) { mgpuMemHostRegisterMemRef(1, nullptr, 1); },
      [](lane_program *, void *) {
        mgpuMemHostUnregisterMemRef(1, nullptr, 1);
      },
      [](lane_program *program, void *) {
        mgpuMemset32(program->arena, 0x3f800000, 1, nullptr);
      },
      [](lane_program *, void *) {
        mgpuLaunchKernel(nullptr, intptr_t(1) << 32, 1, 1, 1, 1, 1, 0, nullptr,
                         nullptr, nullptr, 0);
      }};
  for (Launch *launch : refused)
    EXPECT_EQ(run(launch), LANE_CUDA_FAILED);
  EXPECT_EQ(run([](lane_program *program, void *) {
              mgpuMemset16(program->arena, 0x0101, 4, nullptr);
            }),
            LANE_OK);
}

TEST_F(GpuLaunchTest, StreamsAndEvents) {
  OpenedProgram program(description, options);
  void *first = mgpuStreamCreate();
  void *second = mgpuStreamCreate();
  void *event = mgpuEventCreate();
  KernelObject object;
  EXPECT_EQ(object.step(program.program, first), LANE_OK);
  mgpuEventRecord(event, first);
  mgpuStreamWaitEvent(second, event);
  mgpuEventSynchronize(event);
  EXPECT_EQ(object.step(program.program, second), LANE_OK);
  mgpuStreamSynchronize(second);
  mgpuEventDestroy(event);
  mgpuStreamDestroy(first);
  mgpuStreamDestroy(second);
}

} // namespace

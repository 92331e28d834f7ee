//===- forward.cpp - Programs of other compilers at every budget ----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs forward(tensor<4xi64>, tensor<4x32xf32>) -> tensor<4x64xf32>, whose
// result is the parameter RESULT of the program.
//
// usage: forward WEIGHTS DEVICE-BYTES...
//
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "lane_forward.h"

static constexpr int kSteps = 10;
static constexpr int64_t kTokens = 4, kWidth = 32, kOutputs = 64;
static constexpr int64_t kVocabulary = 64;

extern "C" void _mlir_ciface_forward(Memref<float, 2> *result,
                                     Memref<int64_t, 1> *ids,
                                     Memref<float, 2> *x);

/// The inputs of a step.
struct Inputs {
  explicit Inputs(int step) : x(makeValues(kTokens * kWidth, step)) {
    for (int64_t i = 0; i < kTokens; ++i)
      ids.push_back((step * 37 + i * 11 + 5) % kVocabulary);
  }

  std::vector<int64_t> ids;
  std::vector<float> x;
};

/// The result of upstream's function.
static std::vector<float> runReference(int step) {
  Inputs inputs(step);
  Memref<float, 2> result;
  auto ids = makeMemref<int64_t, 1>(inputs.ids, {kTokens});
  auto x = makeMemref<float, 2>(inputs.x, {kTokens, kWidth});
  _mlir_ciface_forward(&result, &ids, &x);
  std::vector<float> values(result.aligned,
                            result.aligned + kTokens * kOutputs);
  std::free(result.allocated);
  return values;
}

static std::vector<float> runStep(lane_program *program, int step) {
  Inputs inputs(step);
  write(program->pointers[LANE_FORWARD_FORWARD_ARG0], inputs.ids);
  write(program->pointers[LANE_FORWARD_FORWARD_ARG1], inputs.x);
  expect(lane_forward_forward(program, nullptr) == LANE_OK,
         program->step_error.message);
  return read<float>(program->pointers[RESULT], kTokens * kOutputs);
}

static void testBudget(const char *weights, int64_t bytes,
                       const std::vector<std::vector<float>> &wanted,
                       lane::test::FakeCudaConfig config) {
  lane::test::resetFakeCuda(config);
  lane_options options = lane_default_options();
  options.files = &weights;
  options.num_files = 1;
  options.device_bytes = bytes;
  lane_program *program = nullptr;
  lane_error error = {};
  expect(lane_forward_open(&options, &program, &error) == LANE_OK,
         error.message);
  for (int step = 0; step < kSteps; ++step)
    expectSame(runStep(program, step), wanted[step],
               "step " + std::to_string(step) + " at " + std::to_string(bytes));
  lane_forward_close(program);
  expect(lane::test::getLiveAllocations().empty(), "memory is left");
  expectNoFaults();
}

int main(int argc, char **argv) {
  std::vector<std::vector<float>> wanted;
  for (int step = 0; step < kSteps; ++step)
    wanted.push_back(runReference(step));
  expect(wanted[0] != wanted[1], "all steps are the same");
  using Copies = lane::test::FakeCudaConfig::Copies;
  for (int i = 2; i < argc; ++i)
    for (Copies copies :
         {Copies::AtOnce, Copies::WhenAwaited, Copies::Meanwhile}) {
      lane::test::FakeCudaConfig config;
      config.copies = copies;
      testBudget(argv[1], std::atoll(argv[i]), wanted, config);
    }
  std::printf("%d budgets, %d steps each: the same bits\n", argc - 2, kSteps);
}

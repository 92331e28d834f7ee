//===- transformer.cpp - A transformer block at every budget --------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: transformer WEIGHTS DEVICE-BYTES...
//
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "lane_forward.h"

static constexpr int kSteps = 10;
static constexpr int64_t kVocabulary = 256, kWidth = 32, kTokens = 64;

extern "C" void _mlir_ciface_forward(Memref<float, 2> *result,
                                     Memref<int64_t, 1> *tokens,
                                     Memref<int64_t, 2> *choice,
                                     Memref<float, 3> *keys,
                                     Memref<float, 3> *values);

/// The inputs of a step.
struct Inputs {
  explicit Inputs(int step)
      : tokens({(step * 37 + 5) % kVocabulary}),
        choice({step % 8, (step * 3 + 1) % 8}),
        keys(makeValues(kTokens * kWidth, 2 * step)),
        values(makeValues(kTokens * kWidth, 2 * step + 1)) {}

  std::vector<int64_t> tokens, choice;
  std::vector<float> keys, values;
};

/// The logits of upstream's function.
static std::vector<float> runReference(int step) {
  Inputs inputs(step);
  Memref<float, 2> result;
  auto tokens = makeMemref<int64_t, 1>(inputs.tokens, {1});
  auto choice = makeMemref<int64_t, 2>(inputs.choice, {1, 2});
  auto keys = makeMemref<float, 3>(inputs.keys, {1, kTokens, kWidth});
  auto values = makeMemref<float, 3>(inputs.values, {1, kTokens, kWidth});
  _mlir_ciface_forward(&result, &tokens, &choice, &keys, &values);
  std::vector<float> logits(result.aligned, result.aligned + kVocabulary);
  std::free(result.allocated);
  return logits;
}

static std::vector<float> runStep(lane_program *program, int step) {
  Inputs inputs(step);
  write(program->pointers[LANE_FORWARD_FORWARD_ARG0], inputs.tokens);
  write(program->pointers[LANE_FORWARD_FORWARD_ARG1], inputs.choice);
  write(program->pointers[LANE_FORWARD_FORWARD_ARG2], inputs.keys);
  write(program->pointers[LANE_FORWARD_FORWARD_ARG3], inputs.values);
  expect(lane_forward_forward(program, nullptr) == LANE_OK,
         program->step_error.message);
  return read<float>(program->pointers[LANE_FORWARD_FORWARD_BUFFER8],
                     kVocabulary);
}

static lane_options makeOptions(const char *const *weights, int64_t bytes) {
  lane_options options = lane_default_options();
  options.files = weights;
  options.num_files = 1;
  options.device_bytes = bytes;
  return options;
}

static void testBudget(const char *const *weights, int64_t bytes, int32_t graph,
                       const std::vector<std::vector<float>> &wanted,
                       lane::test::FakeCudaConfig config) {
  lane::test::resetFakeCuda(config);
  lane_options options = makeOptions(weights, bytes);
  options.graph = graph;
  lane_program *program = nullptr;
  lane_error error = {};
  expect(lane_forward_open(&options, &program, &error) == LANE_OK,
         error.message);
  for (int step = 0; step < kSteps; ++step)
    expectSame(runStep(program, step), wanted[step],
               "step " + std::to_string(step) + " at " + std::to_string(bytes));
  lane_forward_close(program);
  expect(lane::test::getLiveAllocations().empty(), "memory is left");
  expect(lane::test::getNumLiveObjects() == 0, "a graph is left");
  expectNoFaults();
}

/// Each call of a function that launches or captures fails in turn: the step
/// returns an error, and nothing is left when the program is closed.
static int testFailures(const char *const *weights, int64_t bytes,
                        const std::string &function, int32_t graph) {
  for (int call = 0;; ++call) {
    lane::test::FakeCudaConfig config;
    config.failFunction = function;
    config.failCall = call;
    lane::test::resetFakeCuda(config);
    lane_options options = makeOptions(weights, bytes);
    options.graph = graph;
    lane_program *program = nullptr;
    lane_error error = {};
    expect(lane_forward_open(&options, &program, &error) == LANE_OK,
           error.message);
    int numErrors = 0;
    for (int step = 0; step < kSteps; ++step)
      if (lane_forward_forward(program, nullptr) != LANE_OK) {
        ++numErrors;
        std::string message = program->step_error.message;
        expect(program->step_error.code == LANE_CUDA_FAILED &&
                   message.find(" failed: ") != std::string::npos,
               message);
      }
    lane_forward_close(program);
    expect(lane::test::getLiveAllocations().empty(), "memory is left");
    expect(lane::test::getNumLiveObjects() == 0, "a graph is left");
    expect(numErrors == lane::test::hasFailed(), "an error without a failure");
    if (!lane::test::hasFailed())
      return call;
  }
}

int main(int argc, char **argv) {
  const char *weights[] = {argv[1]};
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
      for (int32_t graph : {0, 1})
        testBudget(weights, std::atoll(argv[i]), graph, wanted, config);
    }
  int64_t bytes = std::atoll(argv[argc - 1]);
  int numFailures = testFailures(weights, bytes, "cudaLaunchKernel", 0);
  int numOfGraphs = 0;
  for (const char *function :
       {"cudaLaunchKernel", "cudaStreamBeginCapture", "cudaStreamEndCapture",
        "cudaGraphInstantiateWithFlags", "cudaGraphDestroy", "cudaGraphLaunch"})
    numOfGraphs += testFailures(weights, bytes, function, 1);
  std::printf("%d budgets, %d steps each: the same bits; %d failures, %d of "
              "graphs\n",
              argc - 2, kSteps, numFailures, numOfGraphs);
}

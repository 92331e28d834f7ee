//===- transformer-device.cpp - A transformer block on a card -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: transformer-device WEIGHTS DEVICE-BYTES...
//
// Results of a card differ from the host's in the last bits: the card has its
// own rsqrt.
//
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "lane_forward.h"
#include <cmath>

static constexpr int kSteps = 10;
static constexpr int64_t kVocabulary = 256, kWidth = 32, kTokens = 64;
static constexpr float kTolerance = 1e-5f;

extern "C" void _mlir_ciface_forward(Memref<float, 2> *result,
                                     Memref<int64_t, 1> *tokens,
                                     Memref<int64_t, 2> *choice,
                                     Memref<float, 3> *keys,
                                     Memref<float, 3> *values);

namespace {

/// The inputs of a step.
struct Inputs {
  explicit Inputs(int step)
      : tokens({(step * 37 + 5) % kVocabulary}),
        choice({step % 8, (step * 3 + 1) % 8}),
        keys(makeValues(kTokens * kWidth, 2 * step)),
        values(makeValues(kTokens * kWidth, 2 * step + 1)) {}

  void upload(lane_program *program) const {
    write(program->pointers[LANE_FORWARD_FORWARD_ARG0], tokens);
    write(program->pointers[LANE_FORWARD_FORWARD_ARG1], choice);
    write(program->pointers[LANE_FORWARD_FORWARD_ARG2], keys);
    write(program->pointers[LANE_FORWARD_FORWARD_ARG3], values);
  }

  std::vector<int64_t> tokens, choice;
  std::vector<float> keys, values;
};

} // namespace

/// The logits of upstream's function, on the host.
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

static void check(lane_program *program, cudaStream_t stream, int step,
                  const std::string &how) {
  expect(cudaStreamSynchronize(stream) == cudaSuccess, how + " failed later");
  std::vector<float> found =
      read<float>(program->pointers[LANE_FORWARD_FORWARD_BUFFER8], kVocabulary);
  std::vector<float> wanted = runReference(step);
  float largest = 0;
  for (float value : wanted)
    largest = std::fmax(largest, std::fabs(value));
  expect(largest > 0, how + " is zero");
  for (size_t i = 0; i < wanted.size(); ++i)
    expect(std::fabs(found[i] - wanted[i]) <= kTolerance * largest,
           how + " differs at " + std::to_string(i));
}

/// Ten steps, each with inputs of its own.
static void testSteps(lane_program *program, cudaStream_t stream,
                      const std::string &how) {
  for (int step = 0; step < kSteps; ++step) {
    Inputs(step).upload(program);
    expect(lane_forward_forward(program, stream) == LANE_OK,
           program->step_error.message);
    check(program, stream, step, how + " " + std::to_string(step));
  }
}

/// Captures a step into a graph, which then runs with other inputs.
static void testGraph(lane_program *program, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t runnable = nullptr;
  expect(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) ==
             cudaSuccess,
         "cudaStreamBeginCapture");
  expect(lane_forward_forward(program, stream) == LANE_OK,
         program->step_error.message);
  expect(cudaStreamEndCapture(stream, &graph) == cudaSuccess,
         "cudaStreamEndCapture");
  expect(cudaGraphInstantiate(&runnable, graph, 0) == cudaSuccess,
         "cudaGraphInstantiate");
  for (int step = 0; step < kSteps; ++step) {
    Inputs(step).upload(program);
    expect(cudaGraphLaunch(runnable, stream) == cudaSuccess, "cudaGraphLaunch");
    check(program, stream, step, "graph " + std::to_string(step));
  }
  cudaGraphExecDestroy(runnable);
  cudaGraphDestroy(graph);
}

/// Ten steps as they are launched, or as the graphs of the program.
static int32_t testBudget(const lane_options &options, lane_error &error) {
  lane_program *program = nullptr;
  if (int32_t code = lane_forward_open(&options, &program, &error))
    return code;
  cudaStream_t stream = nullptr;
  expect(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) ==
             cudaSuccess,
         "cudaStreamCreateWithFlags");
  testSteps(program, stream, options.graph ? "graph" : "step");
  if (options.graph)
    testSteps(program, nullptr, "graph on the default stream");
  else
    testGraph(program, stream);
  cudaStreamDestroy(stream);
  lane_forward_close(program);
  expect(cudaGetLastError() == cudaSuccess, "close left an error");
  return LANE_OK;
}

int main(int argc, char **argv) {
  const char *weights[] = {argv[1]};
  for (int i = 2; i < argc; ++i) {
    lane_options options = lane_default_options();
    options.files = weights;
    options.num_files = 1;
    options.device_bytes = std::atoll(argv[i]);
    for (int32_t graph : {0, 1}) {
      options.graph = graph;
      lane_error error = {};
      if (int32_t code = testBudget(options, error)) {
        std::printf("code %d: %s\n", code, error.message);
        return 0;
      }
    }
  }
  std::printf("%d budgets, %d steps each: as on the host\n", argc - 2, kSteps);
}

//===- kernels.cpp - A step of kernels ------------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: kernels DEVICE-BYTES...
//
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "lane_tiny.h"

static constexpr int kSteps = 10;
static constexpr int64_t kVocabulary = 64, kWidth = 32, kRows = 40;

static int numCalls = 0;

/// The kernel that is an external function.
extern "C" void _mlir_ciface_head(Memref<float, 1> *sums, float scale,
                                  Memref<float, 2> *head,
                                  Memref<float, 1> *logits) {
  ++numCalls;
  for (int64_t row = 0; row < kVocabulary; ++row) {
    float sum = 0;
    for (int64_t k = 0; k < kRows; ++k)
      sum += sums->aligned[k] * head->aligned[row * kRows + k];
    logits->aligned[row] = sum * scale;
  }
}

static std::vector<int64_t> getId(int step) { return {(step * 11 + 2) % 64}; }

using Logits = std::vector<std::vector<float>>;

/// The same without Lane. The weights are those that the program has uploaded.
static Logits runReference(std::vector<float> table, std::vector<float> up,
                           std::vector<float> headData) {
  std::vector<float> sumsData(kRows), logitsData(kVocabulary);
  auto sums = makeMemref<float, 1>(sumsData, {kRows});
  auto head = makeMemref<float, 2>(headData, {kVocabulary, kRows});
  auto logits = makeMemref<float, 1>(logitsData, {kVocabulary});
  Logits results;
  for (int step = 0; step < kSteps; ++step) {
    const float *x = &table[getId(step)[0] * kWidth];
    for (int64_t row = 0; row < kRows; ++row) {
      float product = 0;
      for (int64_t k = 0; k < kWidth; ++k)
        product += x[k] * up[row * kWidth + k];
      sumsData[row] += product;
    }
    _mlir_ciface_head(&sums, 0.25f, &head, &logits);
    results.push_back(logitsData);
  }
  return results;
}

static Logits runProgram(lane_program *program) {
  Logits results;
  for (int step = 0; step < kSteps; ++step) {
    write(program->pointers[LANE_TINY_DECODE_ARG4], getId(step));
    expect(lane_tiny_decode(program, nullptr) == LANE_OK,
           program->step_error.message);
    results.push_back(
        read<float>(program->pointers[LANE_TINY_DECODE_ARG5], kVocabulary));
  }
  return results;
}

int main(int argc, char **argv) {
  int64_t numMoved = 0;
  for (int i = 1; i < argc; ++i) {
    lane::test::resetFakeCuda({});
    lane_options options = lane_default_options();
    options.device_bytes = std::atoll(argv[i]);
    lane_program *program = nullptr;
    lane_error error = {};
    expect(lane_tiny_open(&options, &program, &error) == LANE_OK,
           error.message);
    Logits wanted = runReference(
        read<float>(program->pointers[LANE_TINY_TABLE], kVocabulary * kWidth),
        read<float>(program->pointers[LANE_TINY_UP], kRows * kWidth),
        read<float>(program->pointers[LANE_TINY_HEAD], kVocabulary * kRows));
    numCalls = 0;
    Logits found = runProgram(program);
    expect(numCalls == kSteps, "a step does not call its external kernel once");
    for (int step = 0; step < kSteps; ++step)
      expectSame(found[step], wanted[step], "step " + std::to_string(step));
    expect(wanted[0] != wanted[kSteps - 1], "all steps are the same");
    numMoved = program->moved;
    lane_tiny_close(program);
    expect(lane::test::getLiveAllocations().empty(), "memory is left");
    expectNoFaults();
  }
  std::printf("%d budgets, up to %lld moved: the same bits\n", argc - 1,
              static_cast<long long>(numMoved));
}

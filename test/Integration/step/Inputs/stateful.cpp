//===- stateful.cpp - Prefill, then decode, with one cache ----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: stateful DEVICE-BYTES...
//
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "lane_tiny.h"

static constexpr int kSteps = 10;
static constexpr int64_t kVocabulary = 64, kWidth = 32, kContext = 16,
                         kPrompt = 4;

extern "C" {
void _mlir_ciface_decode(Memref<float, 2> *table, Memref<float, 2> *up,
                         Memref<float, 2> *cache, Memref<int64_t, 1> *ids,
                         Memref<int64_t, 1> *position,
                         Memref<float, 2> *logits);
void _mlir_ciface_prefill(Memref<float, 2> *table, Memref<float, 2> *up,
                          Memref<float, 2> *cache, Memref<int64_t, 1> *ids);
}

static std::vector<int64_t> getPrompt() { return {3, 60, 17, 42}; }
static std::vector<int64_t> getId(int step) { return {(step * 11 + 2) % 64}; }
static std::vector<int64_t> getPosition(int step) { return {kPrompt + step}; }

using Logits = std::vector<std::vector<float>>;

/// The weights are those that the program has uploaded.
static Logits runReference(std::vector<float> tableData,
                           std::vector<float> upData) {
  std::vector<float> cacheData(kContext * kWidth), logitsData(kVocabulary);
  auto table = makeMemref<float, 2>(tableData, {kVocabulary, kWidth});
  auto up = makeMemref<float, 2>(upData, {kWidth, kWidth});
  auto cache = makeMemref<float, 2>(cacheData, {kContext, kWidth});
  auto logits = makeMemref<float, 2>(logitsData, {1, kVocabulary});
  std::vector<int64_t> prompt = getPrompt();
  auto ids = makeMemref<int64_t, 1>(prompt, {kPrompt});
  _mlir_ciface_prefill(&table, &up, &cache, &ids);
  Logits results;
  for (int step = 0; step < kSteps; ++step) {
    std::vector<int64_t> id = getId(step), at = getPosition(step);
    auto ids = makeMemref<int64_t, 1>(id, {1});
    auto position = makeMemref<int64_t, 1>(at, {1});
    _mlir_ciface_decode(&table, &up, &cache, &ids, &position, &logits);
    results.push_back(logitsData);
  }
  return results;
}

static Logits runProgram(lane_program *program) {
  write(program->pointers[LANE_TINY_PREFILL_ARG3], getPrompt());
  expect(lane_tiny_prefill(program, nullptr) == LANE_OK,
         program->step_error.message);
  Logits results;
  for (int step = 0; step < kSteps; ++step) {
    write(program->pointers[LANE_TINY_DECODE_ARG3], getId(step));
    write(program->pointers[LANE_TINY_DECODE_ARG4], getPosition(step));
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
        read<float>(program->pointers[LANE_TINY_UP], kWidth * kWidth));
    Logits found = runProgram(program);
    for (int step = 0; step < kSteps; ++step)
      expectSame(found[step], wanted[step], "step " + std::to_string(step));
    expect(wanted[0] != wanted[kSteps - 1], "all steps are the same");
    numMoved = program->moved;
    lane_tiny_close(program);
    expectNoFaults();
  }
  std::printf("%d budgets, up to %lld moved: the same bits\n", argc - 1,
              static_cast<long long>(numMoved));
}

//===- logits.cpp - Logits of a program of a language model ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: logits OUTPUT VOCABULARY TOKENS POINTERS BYTES...
//
// Opens the program `model` with each number of device bytes, on the fake CUDA
// runtime, runs a step for each of the tokens, which are separated by commas,
// and writes the logits of the last step to OUTPUT. POINTERS are the indices of
// the decode form's ids, position and logits; and, if the program has a prefill
// form, of its ids and position and the number of its rows: the first tokens
// are its prompt. Fails if the logits are not the same bits with each number of
// bytes.
//
//===----------------------------------------------------------------------===//

#include "../../step/Inputs/Step.h"
#include "lane/Runtime/Program.h"
#include <fstream>
#include <sstream>

extern "C" {
int32_t lane_model_open(const lane_options *, lane_program **, lane_error *);
int32_t lane_model_decode(lane_program *, void *);
__attribute__((weak)) int32_t lane_model_prefill(lane_program *, void *);
void lane_model_close(lane_program *);
}

static std::vector<int32_t> parse(const char *text) {
  std::vector<int32_t> numbers;
  std::stringstream stream(text);
  for (std::string number; std::getline(stream, number, ',');)
    numbers.push_back(std::atoi(number.c_str()));
  return numbers;
}

static std::vector<float> run(lane_program *program,
                              const std::vector<int32_t> &tokens,
                              const std::vector<int32_t> &pointers,
                              size_t vocabulary) {
  auto get = [&](size_t i) {
    return program->pointers[size_t(pointers.at(i))];
  };
  size_t next = 0;
  if (pointers.size() > 3) {
    next = size_t(pointers[5]);
    write<int32_t>(get(3), {tokens.begin(), tokens.begin() + long(next)});
    write<int32_t>(get(4), {0});
    expect(lane_model_prefill(program, nullptr) == LANE_OK,
           program->step_error.message);
  }
  for (; next < tokens.size(); ++next) {
    write<int32_t>(get(0), {tokens[next]});
    write<int32_t>(get(1), {int32_t(next)});
    expect(lane_model_decode(program, nullptr) == LANE_OK,
           program->step_error.message);
  }
  return read<float>(get(2), vocabulary);
}

int main(int argc, char **argv) {
  expect(argc > 5, "usage: logits OUTPUT VOCABULARY TOKENS POINTERS BYTES...");
  std::vector<int32_t> tokens = parse(argv[3]), pointers = parse(argv[4]);
  auto vocabulary = size_t(std::atoll(argv[2]));
  std::vector<float> first;
  for (int i = 5; i < argc; ++i) {
    lane::test::resetFakeCuda({});
    lane_options options = lane_default_options();
    options.device_bytes = std::atoll(argv[i]);
    lane_program *program = nullptr;
    lane_error error = {};
    expect(lane_model_open(&options, &program, &error) == LANE_OK,
           error.message);
    std::vector<float> logits = run(program, tokens, pointers, vocabulary);
    lane_model_close(program);
    expect(lane::test::getLiveAllocations().empty(), "memory is not freed");
    expectNoFaults();
    if (first.empty())
      first = logits;
    expectSame(logits, first, "the logits of another placement");
  }
  std::ofstream(argv[1], std::ios::binary)
      .write(reinterpret_cast<const char *>(first.data()),
             std::streamsize(first.size() * sizeof(float)));
}

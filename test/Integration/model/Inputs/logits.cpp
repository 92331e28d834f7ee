//===- logits.cpp - Logits of a program of a language model ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: logits OUTPUT TOKENS VOCABULARY BYTES...
//
// Opens the program `model` with each number of device bytes, on the fake CUDA
// runtime, runs its decode form once for each of the tokens, separated by
// commas, and writes the logits of the last step to OUTPUT. Fails if they are
// not the same bits with each number of bytes.
//
//===----------------------------------------------------------------------===//

#include "../../step/Inputs/Step.h"
#include "model.h"
#include <fstream>
#include <sstream>

static std::vector<int32_t> parseTokens(const char *text) {
  std::vector<int32_t> tokens;
  std::stringstream stream(text);
  for (std::string token; std::getline(stream, token, ',');)
    tokens.push_back(std::atoi(token.c_str()));
  return tokens;
}

static std::vector<float> run(lane_program *program,
                              const std::vector<int32_t> &tokens,
                              int64_t vocabulary) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    write<int32_t>(program->pointers[LANE_MODEL_DECODE_IDS], {tokens[i]});
    write<int32_t>(program->pointers[LANE_MODEL_DECODE_POSITION], {int32_t(i)});
    expect(lane_model_decode(program, nullptr) == LANE_OK,
           program->step_error.message);
  }
  return read<float>(program->pointers[LANE_MODEL_DECODE_LOGITS], vocabulary);
}

int main(int argc, char **argv) {
  expect(argc > 3, "usage: logits OUTPUT TOKENS VOCABULARY BYTES...");
  std::vector<int32_t> tokens = parseTokens(argv[2]);
  std::vector<float> first;
  int64_t numMoved = 0;
  for (int i = 4; i < argc; ++i) {
    lane::test::resetFakeCuda({});
    lane_options options = lane_default_options();
    options.device_bytes = std::atoll(argv[i]);
    lane_program *program = nullptr;
    lane_error error = {};
    expect(lane_model_open(&options, &program, &error) == LANE_OK,
           error.message);
    numMoved += program->moved > 0;
    std::vector<float> logits = run(program, tokens, std::atoll(argv[3]));
    lane_model_close(program);
    expect(lane::test::getLiveAllocations().empty(), "memory is not freed");
    expect(lane::test::getFaults().empty(), "the fake runtime has a fault");
    if (first.empty())
      first = logits;
    expect(first.size() == logits.size() &&
               !std::memcmp(first.data(), logits.data(),
                            first.size() * sizeof(float)),
           "another placement gives other logits");
  }
  std::ofstream(argv[1], std::ios::binary)
      .write(reinterpret_cast<const char *>(first.data()),
             std::streamsize(first.size() * sizeof(float)));
  std::printf("%d budgets, %d of them with matrices on the host: the same "
              "logits\n",
              argc - 4, int(numMoved));
}

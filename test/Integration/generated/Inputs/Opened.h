//===- Opened.h - A generated program, opened for a test --------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the tests of generated programs: a program that is opened and
// closed, and checks that end the test.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_GENERATED_OPENED_H
#define LANE_TEST_GENERATED_OPENED_H

#include "FakeCuda.h"
#include "lane_tiny.h"
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using lane::test::FakeCudaConfig;

/// Ends the test if the condition does not hold.
inline void expect(bool holds, const std::string &what) {
  if (holds)
    return;
  std::printf("failed: %s\n", what.c_str());
  std::exit(1);
}

template <typename T, typename U>
void expectEqual(T found, U wanted, const std::string &what) {
  expect(found == T(wanted), what + " is " + std::to_string(found) + ", not " +
                                 std::to_string(wanted));
}

/// A program that is closed when it is destroyed, and then leaves nothing
/// allocated.
class Opened {
public:
  explicit Opened(const lane_options *options) {
    code = lane_tiny_open(options, &program, &error);
    expect((program != nullptr) == (code == LANE_OK),
           "code and program differ");
    if (code != LANE_OK) {
      expectEqual(error.code, code, "error code");
      std::string message = error.message;
      expect(!message.empty() && message.find('\n') == std::string::npos,
             "message '" + message + "' is not one line");
      expectNothingLeft("after '" + message + "'");
    }
  }
  Opened(const Opened &) = delete;
  Opened &operator=(const Opened &) = delete;
  ~Opened() {
    lane_tiny_close(program);
    expectNothingLeft("after close");
  }

  void expectRefused(int32_t wanted, const std::string &part) const {
    expectEqual(code, wanted, "code of '" + std::string(error.message) + "'");
    expect(std::string(error.message).find(part) != std::string::npos,
           "message '" + std::string(error.message) + "' lacks '" + part + "'");
  }

  int32_t code = LANE_OK;
  lane_program *program = nullptr;
  lane_error error = {};

private:
  static void expectNothingLeft(const std::string &when) {
    expect(lane::test::getLiveAllocations().empty(), "memory is left " + when);
    expectEqual(lane::test::getNumLiveObjects(), 0, "events left " + when);
    for (const std::string &fault : lane::test::getFaults())
      expect(false, fault);
  }
};

#endif // LANE_TEST_GENERATED_OPENED_H

//===- OpenedProgram.h - A program of the runtime, without a compiler -*- C++
//-*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_RUNTIME_OPENEDPROGRAM_H
#define LANE_TEST_RUNTIME_OPENEDPROGRAM_H

#include "FakeCuda.h"
#include "lane/Runtime/Runtime.h"
#include "gtest/gtest.h"
#include <vector>

namespace lane::test {

/// A program of a description, which is closed at the end and then leaves
/// nothing allocated.
class OpenedProgram {
public:
  /// `numObjects` streams and events are the caller's.
  OpenedProgram(const lane_description &description,
                const lane_options &options, int64_t numObjects = 0)
      : numObjects(numObjects) {
    program = laneBegin(&description, &options, &error);
    laneTakeBudget(program);
    lanePlaceLastRead(program);
    laneAllocateArena(program);
    laneAllocatePool(program);
    laneMapHostPool(program);
    laneBindPointers(program);
    laneUpload(program);
    code = laneFinish(program, &program);
  }
  OpenedProgram(const OpenedProgram &) = delete;
  OpenedProgram &operator=(const OpenedProgram &) = delete;
  ~OpenedProgram() {
    if (program)
      laneClose(program);
    EXPECT_TRUE(getLiveAllocations().empty());
    EXPECT_EQ(getNumLiveObjects(), numObjects);
    for (const std::string &fault : getFaults())
      ADD_FAILURE() << fault;
  }

  lane_program *operator->() const { return program; }

  int32_t code = LANE_OK;
  lane_program *program = nullptr;
  lane_error error = {};

private:
  int64_t numObjects;
};

} // namespace lane::test

#endif // LANE_TEST_RUNTIME_OPENEDPROGRAM_H

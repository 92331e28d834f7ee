//===- PlaceLastRead.cpp - The policy last-read ---------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramState.h"

LANE_RUNTIME_LINKAGE void lanePlaceLastRead(lane_program *program) {
  lane::runtime::place(program, lane::runtime::moveInOrder);
}

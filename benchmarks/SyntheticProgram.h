//===- SyntheticProgram.h - Programs of any size ----------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs shaped like a real model's decode form, with as many layers as it
// takes to reach a number of launches.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_BENCHMARKS_SYNTHETICPROGRAM_H
#define LANE_BENCHMARKS_SYNTHETICPROGRAM_H

#include <cstdint>
#include <string>

namespace lane {

/// The text of a program with one decode form of at least `numLaunches`
/// launches, 16 a layer: seven matrices, or in every second layer three stacks
/// of experts and five matrices; norms, caches and activations in proportion.
std::string makeSyntheticProgram(int64_t numLaunches);

} // namespace lane

#endif // LANE_BENCHMARKS_SYNTHETICPROGRAM_H

//===- SyntheticProgram.h - Programs of any size ----------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs with the structure of a real model's decode form, and enough layers
// for a given number of launches.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_BENCHMARKS_SYNTHETICPROGRAM_H
#define LANE_BENCHMARKS_SYNTHETICPROGRAM_H

#include <cstdint>
#include <string>

namespace lane {

/// Returns the text of a program whose decode form has at least `numLaunches`
/// launches. A layer has 16 launches and seven matrices; every second layer has
/// three stacks of experts and five matrices. Norms, caches and activations are
/// in proportion.
std::string makeSyntheticProgram(int64_t numLaunches);

} // namespace lane

#endif // LANE_BENCHMARKS_SYNTHETICPROGRAM_H

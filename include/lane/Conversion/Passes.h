//===- Passes.h - Conversions of lane programs ------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the passes of Passes.td and registers them: from upstream's dialects
// to lane programs, and from planned programs to host code.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CONVERSION_PASSES_H
#define LANE_CONVERSION_PASSES_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace lane {

/// What residence-to-host produces.
enum class HostTarget { LLVM, Cpp };

/// What the code of steps is: a host function that launches kernels; or code
/// that computes, which runs as one kernel of a CUDA runtime over host memory.
enum class HostSteps { Launches, Kernel };

/// The policy by which a generated program places: the one of the placement on
/// the IR (last-read where there is none), or a given one.
enum class HostPolicy { AsPlaced, LastRead, LeastTraffic };

#define GEN_PASS_DECL
#include "lane/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lane/Conversion/Passes.h.inc"

} // namespace lane

#endif // LANE_CONVERSION_PASSES_H

//===- Passes.h - Conversions of lane programs ------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares and registers the passes of Passes.td: from upstream's dialects to
// lane programs, and from planned programs to host code.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CONVERSION_PASSES_H
#define LANE_CONVERSION_PASSES_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace lane {

/// The dialect that residence-to-host lowers to.
enum class HostTarget { LLVM, Cpp };

/// The policy by which a generated program places. `AsPlaced` is that of the
/// placement in the IR, or last-read if there is none.
enum class HostPolicy { AsPlaced, LastRead, LeastTraffic };

#define GEN_PASS_DECL
#include "lane/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lane/Conversion/Passes.h.inc"

} // namespace lane

#endif // LANE_CONVERSION_PASSES_H

//===- Passes.h - Reduction of lane programs --------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares and registers the passes of Passes.td. lane-reduce uses them to
// reduce programs that show a fault.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_REDUCER_PASSES_H
#define LANE_REDUCER_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace lane {

#define GEN_PASS_DECL
#include "lane/Reducer/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lane/Reducer/Passes.h.inc"

} // namespace lane

#endif // LANE_REDUCER_PASSES_H

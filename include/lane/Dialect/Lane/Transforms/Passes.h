//===- Passes.h - Passes over lane programs ---------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the passes of Passes.td and registers them. The passes are thin:
// what they compute is in lane/Analysis.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_TRANSFORMS_PASSES_H
#define LANE_DIALECT_LANE_TRANSFORMS_PASSES_H

#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/Pass/Pass.h"

namespace lane {

#define GEN_PASS_DECL
#include "lane/Dialect/Lane/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lane/Dialect/Lane/Transforms/Passes.h.inc"

} // namespace lane

#endif // LANE_DIALECT_LANE_TRANSFORMS_PASSES_H

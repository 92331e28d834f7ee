//===- PlanTerms.cpp - The terms of a plan, for reports -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanTerms.h"

using namespace mlir;
using namespace lane;

std::string lane::countUploads(int64_t count) {
  return (Twine(count) + (count == 1 ? " upload" : " uploads")).str();
}

SmallVector<PlanTerm> lane::getPlanTerms(const ResidencePlan &plan) {
  const FixedTerms &fixed = plan.fixed;
  auto makePart = [](llvm::StringLiteral name, int64_t bytes,
                     StringRef content) {
    return PlanTerm{name, bytes, content.str(), /*isPart=*/true,
                    /*isResident=*/true};
  };
  auto makeClass = [&](llvm::StringLiteral name, MatrixClass matrixClass) {
    PlanTerm term{name, 0, ""};
    int64_t count = 0;
    for (const Upload &upload : plan.order)
      if (upload.matrixClass == matrixClass) {
        term.bytes += upload.bytes;
        ++count;
      }
    term.content = countUploads(count);
    return term;
  };
  return {{"arena", plan.arenaBytes, "activations, which share bytes",
           /*isPart=*/false, /*isResident=*/true},
          {"fixed", fixed.getTotal(), "always on the device:"},
          makePart("kv cache", fixed.state, "carried from step to step"),
          makePart("values", fixed.values, "norms and biases"),
          makePart("loop", fixed.loop, "prompt, run and position"),
          makePart("buffers", fixed.buffers,
                   "inputs, and buffers outside the arena"),
          makePart("scratch", fixed.scratch, "of launches, outside the arena"),
          makeClass("gather-only", MatrixClass::Gather),
          makeClass("experts", MatrixClass::Expert),
          makeClass("other", MatrixClass::Other),
          {"whole", plan.getPlacementProblem().getWholeBytes(), ""},
          {"spare", plan.spareBytes, "left free for the driver"}};
}

//===- ResidencePipeline.cpp - The pipeline residence-pipeline ------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace lane;

void lane::buildResidencePipeline(OpPassManager &passes,
                                  const ResidencePipelineOptions &options) {
  passes.addNestedPass<ProgramOp>(createArenaPlanPass());
  passes.addNestedPass<ProgramOp>(createResidencePlanPass());
  if (options.isPlaced)
    passes.addNestedPass<ProgramOp>(createResidencePlacePass(
        {options.budget, options.deviceBytes, options.hostBytes,
         options.pageTables, options.policy}));
}

void lane::registerResidencePipeline() {
  PassPipelineRegistration<ResidencePipelineOptions>(
      "residence-pipeline",
      "Plan arenas and residence, and place the uploads on a budget",
      buildResidencePipeline);
}

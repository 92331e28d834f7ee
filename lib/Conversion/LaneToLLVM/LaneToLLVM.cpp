//===- LaneToLLVM.cpp - The pipeline lane-to-llvm -------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a planned module to the LLVM dialect, with steps as loops on the host.
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace lane;

void lane::buildLaneToLLVMPipeline(OpPassManager &passes,
                                   const LaneToLLVMOptions &options) {
  passes.addPass(createGpuLaunchesToLoopsPass());
  ResidenceToHostPassOptions host;
  host.policy = options.policy;
  host.steps = HostSteps::Kernel;
  passes.addPass(createResidenceToHostPass(host));
  passes.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  passes.addNestedPass<func::FuncOp>(createHoistAllocasPass());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertMathToLLVMPass());
  // What LLVM has no intrinsics for.
  passes.addPass(createConvertMathToLibmPass());
  passes.addPass(createConvertIndexToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
}

void lane::registerLaneToLLVMPipeline() {
  PassPipelineRegistration<LaneToLLVMOptions>(
      "lane-to-llvm",
      "Lower a planned module to the LLVM dialect, with steps as loops on the "
      "host",
      buildLaneToLLVMPipeline);
}

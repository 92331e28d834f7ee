//===- LaneToNVVM.cpp - The pipeline lane-to-nvvm -------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a planned module to the LLVM dialect, with steps that launch kernels.
//
//===----------------------------------------------------------------------===//

#include "Toolkit.h"
#include "lane/Conversion/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace lane;

/// Kernels out of linalg. What is in a `gpu.module` already stays.
static void addKernelPasses(OpPassManager &passes,
                            const LaneToNVVMOptions &options) {
  OpPassManager &functions = passes.nest<func::FuncOp>();
  functions.addPass(createStepToParallelLoopsPass({options.numThreads}));
  functions.addPass(createConvertParallelLoopToGpuPass());
  functions.addPass(createLowerAffinePass());
  functions.addPass(createGpuLaunchSinkIndexComputationsPass());
  passes.addPass(createGpuKernelOutliningPass());
}

/// Binaries out of kernels.
static void addBinaryPasses(OpPassManager &passes,
                            const LaneToNVVMOptions &options) {
  passes.addPass(createAttachNVVMTargetPass({options.chip, options.features}));
  std::string toolkit = options.toolkit;
  if (toolkit.empty())
    toolkit = findToolkit();
  OpPassManager &kernels = passes.nest<gpu::GPUModuleOp>();
  kernels.addPass(createStripDebugInfoPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createConvertNVVMToLLVMPass());
  kernels.addPass(createConvertGpuOpsToNVVMOps());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createCheckDeviceCodePass({!toolkit.empty()}));
  GpuModuleToBinaryPassOptions binary;
  binary.toolkitPath = toolkit;
  binary.compilationTarget = options.format;
  passes.addPass(createGpuModuleToBinaryPass(binary));
}

/// Host code.
static void addHostPasses(OpPassManager &passes) {
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createGpuToLLVMConversionPass());
  passes.addPass(createConvertIndexToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
}

void lane::buildLaneToNVVMPipeline(OpPassManager &passes,
                                   const LaneToNVVMOptions &options) {
  addKernelPasses(passes, options);
  ResidenceToHostPassOptions host;
  host.policy = options.policy;
  host.steps = HostSteps::Launches;
  passes.addPass(createResidenceToHostPass(host));
  addBinaryPasses(passes, options);
  addHostPasses(passes);
}

void lane::registerLaneToNVVMPipeline() {
  PassPipelineRegistration<LaneToNVVMOptions>(
      "lane-to-nvvm",
      "Lower a planned module to the LLVM dialect, with steps that launch "
      "kernels on NVIDIA GPUs",
      buildLaneToNVVMPipeline);
}

void lane::registerLaneToNVVMExtensions(DialectRegistry &registry) {
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
}

//===- LanePlugin.cpp - Plugin for mlir-opt -------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialects, passes and pipelines as a plugin for the stock mlir-opt:
//
//   mlir-opt --load-dialect-plugin=./LanePlugin.so
//   --load-pass-plugin=./LanePlugin.so
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Passes.h"
#include "lane/Conversion/StepDialects.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

static constexpr const char *kName = "Lane";

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, LANE_VERSION,
          [](mlir::DialectRegistry *registry) {
            registry->insert<lane::LaneDialect>();
            lane::registerStepDialects(*registry);
            lane::registerLaneToNVVMExtensions(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, LANE_VERSION, [] {
            lane::registerLaneConversionPasses();
            lane::registerLaneToLLVMPipeline();
            lane::registerLaneToNVVMPipeline();
            lane::registerLaneTransformsPasses();
            lane::registerResidencePipeline();
          }};
}

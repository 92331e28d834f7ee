//===- lane-opt.cpp - Runs passes over lane programs ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Passes.h"
#include "lane/Conversion/StepDialects.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Dialect/Lane/Transforms/Passes.h"
#include "lane/Support/OutputFile.h"
#include "lane/Support/Version.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

#ifdef LANE_INCLUDE_TESTS
namespace lane::test {
void registerForeignDialect(mlir::DialectRegistry &registry);
void registerTestLaunchInterfacePass();
} // namespace lane::test
#endif

int main(int argc, char **argv) {
  lane::registerVersionPrinter();
  llvm::cl::extrahelp example(
      "\nExample: lane-opt --arena-plan --residence-plan program.mlir\n");
  mlir::DialectRegistry registry;
  lane::registerStepDialects(registry);
  registry.insert<lane::LaneDialect, mlir::bufferization::BufferizationDialect,
                  mlir::DLTIDialect, mlir::emitc::EmitCDialect,
                  mlir::ml_program::MLProgramDialect,
                  mlir::tensor::TensorDialect>();
  lane::registerLaneConversionPasses();
  lane::registerLaneToLLVMPipeline();
  lane::registerLaneToNVVMExtensions(registry);
  lane::registerLaneToNVVMPipeline();
  lane::registerLaneTransformsPasses();
  lane::registerResidencePipeline();
  mlir::registerTransformsPasses();
#ifdef LANE_INCLUDE_TESTS
  lane::test::registerForeignDialect(registry);
  lane::test::registerTestLaunchInterfacePass();
#endif
  return lane::runWithOutputFile(argc, argv, [&](int argc, char **argv) {
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, "Lane optimizer driver\n", registry));
  });
}

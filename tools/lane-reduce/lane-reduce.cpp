//===- lane-reduce.cpp - Reduces lane programs ----------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/StepDialects.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Reducer/Passes.h"
#include "lane/Support/OutputFile.h"
#include "lane/Support/Version.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  lane::registerVersionPrinter();
  llvm::cl::extrahelp example(
      "\nExample: lane-reduce program.mlir --reduce-program=test=shows-bug.sh "
      "-o small.mlir\n");
  mlir::DialectRegistry registry;
  registry.insert<lane::LaneDialect, mlir::DLTIDialect>();
  lane::registerStepDialects(registry);
  lane::registerLaneReducerPasses();
  mlir::MLIRContext context(registry);
  return lane::runWithOutputFile(argc, argv, [&](int argc, char **argv) {
    return int(mlir::failed(mlir::mlirReduceMain(argc, argv, context)));
  });
}

//===- lane-lsp-server.cpp - Language server of the lane dialect ----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/StepDialects.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Support/Version.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  lane::registerVersionPrinter();
  llvm::cl::extrahelp example(
      "\nExample: set 'mlir.server_path' of an editor to "
      "the path of lane-lsp-server\n");
  mlir::DialectRegistry registry;
  lane::registerStepDialects(registry);
  registry.insert<lane::LaneDialect, mlir::DLTIDialect>();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}

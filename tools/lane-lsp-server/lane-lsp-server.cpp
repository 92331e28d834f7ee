//===- lane-lsp-server.cpp - Language server of the lane dialect ----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Support/Version.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  lane::registerVersionPrinter();
  mlir::DialectRegistry registry;
  registry
      .insert<lane::LaneDialect, mlir::arith::ArithDialect, mlir::DLTIDialect,
              mlir::func::FuncDialect, mlir::scf::SCFDialect>();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}

//===- lane-translate.cpp - Imports and exports lane programs -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/OutputFile.h"
#include "lane/Support/Version.h"
#include "lane/Target/Translations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  lane::registerVersionPrinter();
  llvm::cl::extrahelp example(
      "\nExample: lane-translate --import-gguf model.gguf -o program.mlir\n");
  lane::registerTranslations();
  return lane::runWithOutputFile(argc, argv, [](int argc, char **argv) {
    return int(mlir::failed(
        mlir::mlirTranslateMain(argc, argv, "Lane translation driver")));
  });
}

//===- ExportWeights.cpp - Weights of a module as safetensors -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/StepDialects.h"
#include "lane/Conversion/Weights.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Target/Translations.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace lane;

void lane::registerExportWeightsTranslation() {
  static TranslateFromMLIRRegistration registration(
      "export-weights",
      "Write the values of a bufferized module's constants as safetensors",
      [](ModuleOp module, raw_ostream &os) -> LogicalResult {
        auto names = nameValues(module, /*minBytes=*/0);
        if (failed(names))
          return failure();
        writeValues(*names, os);
        return success();
      },
      [](DialectRegistry &registry) {
        registry.insert<LaneDialect, DLTIDialect>();
        registerStepDialects(registry);
      });
}

//===- Translations.cpp - Registers the translations ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Target/Translations.h"

void lane::registerTranslations() {
  registerCheckpointToJsonTranslation();
  registerEmitCppTranslation();
  registerExportPlanJsonTranslation();
  registerExportWeightsTranslation();
  registerGGUFToJsonTranslation();
  registerImportGGUFTranslation();
  registerImportJsonTranslation();
}

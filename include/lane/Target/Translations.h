//===- Translations.h - Translations of Lane --------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers the translations of lane-translate: --import-json, --import-gguf,
// --gguf-to-json, --checkpoint-to-json, --export-plan-json, --export-weights
// and --emit-cpp.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TARGET_TRANSLATIONS_H
#define LANE_TARGET_TRANSLATIONS_H

namespace lane {

/// Registers all translations of Lane.
void registerTranslations();

void registerCheckpointToJsonTranslation();
void registerImportJsonTranslation();
void registerExportPlanJsonTranslation();
void registerExportWeightsTranslation();
void registerEmitCppTranslation();
void registerImportGGUFTranslation();
void registerGGUFToJsonTranslation();

} // namespace lane

#endif // LANE_TARGET_TRANSLATIONS_H

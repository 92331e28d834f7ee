//===- Translate.h - Imports and exports for C --------------------*- C -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Imports programs from checkpoints and JSON; exports plans as JSON and C++.
// Every function requires a module with exactly one program.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_C_TRANSLATE_H
#define LANE_C_TRANSLATE_H

#include "lane-c/Plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Options of the GGUF import. Zero values are the defaults.
typedef struct LaneImportOptions {
  /// Tokens; 0 means 4096, or the model's own length if that is smaller.
  int64_t contextLength;
  /// Rows of the prefill form; 0 means no prefill form.
  int64_t prefillRows;
  /// Sequences of the batch form; 0 means no batch form.
  int64_t batchRows;
  /// Imports a model of unknown architecture by the names of its tensors.
  bool isGeneric;
} LaneImportOptions;

/// The two files of a generated program.
typedef enum LaneCppFile {
  LaneCppFileSource = 0,
  LaneCppFileHeader = 1
} LaneCppFile;

/// Imports the checkpoint that `path` is a file of. Emits a diagnostic and
/// returns null on failure. The caller must call `mlirModuleDestroy`.
MLIR_CAPI_EXPORTED MlirModule laneImportGGUF(MlirContext context,
                                             MlirStringRef path,
                                             LaneImportOptions options);

/// Imports a program in JSON. Otherwise like `laneImportGGUF`.
MLIR_CAPI_EXPORTED MlirModule laneImportJson(MlirContext context,
                                             MlirStringRef text);

/// Passes the plan, and the placement if there is one, to `callback` as JSON.
/// Emits a diagnostic and fails if there is no plan or if it is stale.
MLIR_CAPI_EXPORTED MlirLogicalResult laneExportPlanJson(
    MlirModule module, MlirStringCallback callback, void *userData);

/// Passes one file of the planned program's host code to `callback`. The
/// program places by `policy`, which must not contradict the placement in
/// `module`. Does not change `module`. Emits a diagnostic on failure.
MLIR_CAPI_EXPORTED MlirLogicalResult laneEmitCpp(MlirModule module,
                                                 LanePlacementPolicy policy,
                                                 LaneCppFile file,
                                                 MlirStringCallback callback,
                                                 void *userData);

#ifdef __cplusplus
}
#endif

#endif // LANE_C_TRANSLATE_H

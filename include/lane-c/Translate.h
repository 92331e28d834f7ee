//===- Translate.h - Imports and exports for C --------------------*- C -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs from checkpoints and JSON, plans to JSON and to C++. Every function
// works on the one program of its module.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_C_TRANSLATE_H
#define LANE_C_TRANSLATE_H

#include "lane-c/Plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a GGUF checkpoint is imported; all zero is right for most.
typedef struct LaneImportOptions {
  /// Tokens; 0 takes 4096, or the model's own where that is less.
  int64_t contextLength;
  /// Rows of a prefill form; 0 makes none.
  int64_t prefillRows;
  /// Sequences of a batch form; 0 makes none.
  int64_t batchRows;
  /// Imports a model of an unknown architecture by the names of its tensors.
  bool isGeneric;
} LaneImportOptions;

/// The two files of a generated program.
typedef enum LaneCppFile {
  LaneCppFileSource = 0,
  LaneCppFileHeader = 1
} LaneCppFile;

/// Imports the checkpoint of which the file `path` is one. Null after a
/// diagnostic; else the caller's, to be destroyed by `mlirModuleDestroy`.
MLIR_CAPI_EXPORTED MlirModule laneImportGGUF(MlirContext context,
                                             MlirStringRef path,
                                             LaneImportOptions options);

/// Imports a program in JSON. As above.
MLIR_CAPI_EXPORTED MlirModule laneImportJson(MlirContext context,
                                             MlirStringRef text);

/// Hands the plan, and the placement where there is one, to `callback` as JSON.
/// Fails, after a diagnostic, where there is no plan or it is stale.
MLIR_CAPI_EXPORTED MlirLogicalResult laneExportPlanJson(
    MlirModule module, MlirStringCallback callback, void *userData);

/// Hands one file of the planned program's host code to `callback`; the program
/// will place by `policy`, which must not contradict the placement on the
/// module. `module` is not changed. Fails after a diagnostic.
MLIR_CAPI_EXPORTED MlirLogicalResult laneEmitCpp(MlirModule module,
                                                 LanePlacementPolicy policy,
                                                 LaneCppFile file,
                                                 MlirStringCallback callback,
                                                 void *userData);

#ifdef __cplusplus
}
#endif

#endif // LANE_C_TRANSLATE_H

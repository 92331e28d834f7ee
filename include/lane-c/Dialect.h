//===- Dialect.h - The lane dialect for C -------------------------*- C -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect handle, which MLIR's C API registers and loads, and the types of
// the dialect. Handles are those of MLIR: results are owned by the context or
// by the enclosing operation. Errors are diagnostics of the context.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_C_DIALECT_H
#define LANE_C_DIALECT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Lane, lane);

/// Whether `type` is a `!lane.buffer`.
MLIR_CAPI_EXPORTED bool laneTypeIsABuffer(MlirType type);

/// The type `!lane.buffer<...>` of `rank` dimensions. Emits a diagnostic at
/// `location` and returns null if it is invalid.
MLIR_CAPI_EXPORTED MlirType laneBufferTypeGet(MlirLocation location,
                                              intptr_t rank,
                                              const int64_t *shape,
                                              MlirType elementType);

/// Whether `type` is a `!lane.matrix`.
MLIR_CAPI_EXPORTED bool laneTypeIsAMatrix(MlirType type);

/// The type `!lane.matrix<...>` of `rank` dimensions in the ggml format
/// `format`. Emits a diagnostic at `location` and returns null if it is invalid
/// or if the format is unknown.
MLIR_CAPI_EXPORTED MlirType laneMatrixTypeGet(MlirLocation location,
                                              intptr_t rank,
                                              const int64_t *shape,
                                              MlirStringRef format);

/// Bytes of the upload of a matrix of this type in a pool.
MLIR_CAPI_EXPORTED int64_t laneMatrixTypeGetUploadBytes(MlirType type);

#ifdef __cplusplus
}
#endif

#endif // LANE_C_DIALECT_H

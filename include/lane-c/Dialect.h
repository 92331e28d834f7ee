//===- Dialect.h - The lane dialect for C -------------------------*- C -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect's handle, with which MLIR's C API registers and loads it, and its
// types. Handles are MLIR's: what a function returns belongs to the context or
// to the operation that holds it. Errors are diagnostics of the context.
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

/// The type `!lane.buffer<...>` of `rank` dimensions. Null, after a diagnostic
/// at `location`, where it does not verify.
MLIR_CAPI_EXPORTED MlirType laneBufferTypeGet(MlirLocation location,
                                              intptr_t rank,
                                              const int64_t *shape,
                                              MlirType elementType);

/// Whether `type` is a `!lane.matrix`.
MLIR_CAPI_EXPORTED bool laneTypeIsAMatrix(MlirType type);

/// The type `!lane.matrix<...>` of `rank` dimensions in the format which ggml
/// calls `format`. Null, after a diagnostic at `location`, where it does not
/// verify or there is no such format.
MLIR_CAPI_EXPORTED MlirType laneMatrixTypeGet(MlirLocation location,
                                              intptr_t rank,
                                              const int64_t *shape,
                                              MlirStringRef format);

/// Bytes which an upload of a matrix of this type takes of a pool.
MLIR_CAPI_EXPORTED int64_t laneMatrixTypeGetUploadBytes(MlirType type);

#ifdef __cplusplus
}
#endif

#endif // LANE_C_DIALECT_H

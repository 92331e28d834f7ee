//===- Program.h - Building programs from C -----------------------*- C -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a program: constants, state, forms, buffers and launches. Each
// function appends to the enclosing operation. `mlirOperationVerify` or
// `laneProgramPlan` verifies the result. Use `mlirOperationCreate` for
// operations without a function here. The context must have loaded the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_C_PROGRAM_H
#define LANE_C_PROGRAM_H

#include "lane-c/Dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether quantized activations have one plane of quants or two.
typedef enum LaneNumerics {
  LaneNumericsOnePass = 0,
  LaneNumericsTwoPass = 1
} LaneNumerics;

typedef enum LaneFormKind {
  LaneFormKindDecode = 0,
  LaneFormKindPrefill = 1,
  LaneFormKindBatch = 2
} LaneFormKind;

/// How a launch reads an operand.
typedef enum LaneAccessKind {
  LaneAccessKindDense = 0,
  LaneAccessKindGather = 1,
  LaneAccessKindExpert = 2
} LaneAccessKind;

/// How a launch reads an input. Of a stack of `experts`, it reads `active`.
/// Both are 0 if they are unknown, and for the other kinds.
typedef struct LaneAccess {
  LaneAccessKind kind;
  int64_t active;
  int64_t experts;
} LaneAccess;

/// Where a storage of a buffer is allocated.
typedef enum LaneStorage {
  /// No launch uses it.
  LaneStorageNone = 0,
  LaneStoragePool = 1,
  /// In the form's arena; `laneProgramPlan` assigns an offset.
  LaneStorageArena = 2
} LaneStorage;

typedef struct LaneStorages {
  LaneStorage plain;
  LaneStorage quantized;
} LaneStorages;

/// A `lane.program` in `module`, with a context of `contextLength` tokens.
MLIR_CAPI_EXPORTED MlirOperation laneProgramCreate(MlirModule module,
                                                   MlirLocation location,
                                                   MlirStringRef name,
                                                   int64_t contextLength,
                                                   LaneNumerics numerics);

/// Appends a checkpoint file to `program`, and returns its number.
MLIR_CAPI_EXPORTED int64_t laneProgramAddFile(MlirOperation program,
                                              MlirStringRef name);

/// A `lane.matrix` of the type `type`. Its rows are stored consecutively from
/// byte `offset` of file number `file`.
MLIR_CAPI_EXPORTED MlirOperation laneMatrixCreate(MlirOperation program,
                                                  MlirLocation location,
                                                  MlirStringRef name,
                                                  MlirType type, int64_t file,
                                                  int64_t offset);

/// `lane.values`, f32 constants that are stored from byte `offset` of file
/// number `file`.
MLIR_CAPI_EXPORTED MlirOperation laneValuesCreate(MlirOperation program,
                                                  MlirLocation location,
                                                  MlirStringRef name,
                                                  MlirType type, int64_t file,
                                                  int64_t offset);

/// `lane.state`, which is zero at startup and keeps its value between steps.
MLIR_CAPI_EXPORTED MlirOperation laneStateCreate(MlirOperation program,
                                                 MlirLocation location,
                                                 MlirStringRef name,
                                                 MlirType type);

/// A `lane.form` of `rows` rows.
MLIR_CAPI_EXPORTED MlirOperation laneFormCreate(MlirOperation program,
                                                MlirLocation location,
                                                MlirStringRef name,
                                                LaneFormKind kind,
                                                int64_t rows);

/// `lane.param`, a buffer that the host writes or reads. With `isPosition`, it
/// belongs to the generation loop.
MLIR_CAPI_EXPORTED MlirValue laneParamCreate(MlirOperation form,
                                             MlirLocation location,
                                             MlirStringRef name, MlirType type,
                                             LaneStorages storages,
                                             bool isPosition);

/// `lane.alloc`, a buffer that launches write.
MLIR_CAPI_EXPORTED MlirValue laneAllocCreate(MlirOperation form,
                                             MlirLocation location,
                                             MlirStringRef name, MlirType type,
                                             LaneStorages storages);

/// `lane.view`, the elements of `base` from element `offset` on.
MLIR_CAPI_EXPORTED MlirValue laneViewCreate(MlirOperation form,
                                            MlirLocation location,
                                            MlirStringRef name, MlirValue base,
                                            int64_t offset, MlirType type,
                                            LaneStorages storages);

/// `lane.ref`, a reference to a matrix, values or state of the program.
MLIR_CAPI_EXPORTED MlirValue laneRefCreate(MlirOperation form,
                                           MlirLocation location,
                                           MlirStringRef symbol, MlirType type,
                                           LaneStorages storages);

/// `lane.launch`, for a kernel without an operation of its own. `access` has an
/// entry for each input, or is null if all are dense.
MLIR_CAPI_EXPORTED MlirOperation laneLaunchCreate(
    MlirOperation form, MlirLocation location, MlirStringRef kernel,
    intptr_t numInputs, const MlirValue *inputs, const LaneAccess *access,
    intptr_t numOutputs, const MlirValue *outputs);

#ifdef __cplusplus
}
#endif

#endif // LANE_C_PROGRAM_H

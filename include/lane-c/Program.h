//===- Program.h - Building programs from C -----------------------*- C -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a program: constants, state, forms, buffers and launches, each at the
// end of what holds it. Nothing is verified before `mlirOperationVerify` or
// `laneProgramPlan`. Operations that have no function here are made with
// `mlirOperationCreate`. The context must have the dialect loaded.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_C_PROGRAM_H
#define LANE_C_PROGRAM_H

#include "lane-c/Dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether quantized activations keep one plane of levels or two.
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

/// Of a stack of `experts`, `chosen` are read; 0 of 0 where that is not known,
/// and for the other kinds.
typedef struct LaneAccess {
  LaneAccessKind kind;
  int64_t chosen;
  int64_t experts;
} LaneAccess;

/// Where a storage of a buffer lies.
typedef enum LaneStorage {
  /// No launch touches it.
  LaneStorageNone = 0,
  LaneStoragePool = 1,
  /// In the form's arena, where `laneProgramPlan` gives it an offset.
  LaneStorageArena = 2
} LaneStorage;

typedef struct LaneStorages {
  LaneStorage plain;
  LaneStorage quantized;
} LaneStorages;

/// A `lane.program` in `module`, of `contextLength` tokens.
MLIR_CAPI_EXPORTED MlirOperation laneProgramCreate(MlirModule module,
                                                   MlirLocation location,
                                                   MlirStringRef name,
                                                   int64_t contextLength,
                                                   LaneNumerics numerics);

/// Names the next checkpoint file of `program`, and returns its number.
MLIR_CAPI_EXPORTED int64_t laneProgramAddFile(MlirOperation program,
                                              MlirStringRef name);

/// A `lane.matrix` of the type `type`, whose rows are all of the run that
/// starts at byte `offset` of file number `file`.
MLIR_CAPI_EXPORTED MlirOperation laneMatrixCreate(MlirOperation program,
                                                  MlirLocation location,
                                                  MlirStringRef name,
                                                  MlirType type, int64_t file,
                                                  int64_t offset);

/// `lane.values`, f32 constants that lie at byte `offset` of file number
/// `file`.
MLIR_CAPI_EXPORTED MlirOperation laneValuesCreate(MlirOperation program,
                                                  MlirLocation location,
                                                  MlirStringRef name,
                                                  MlirType type, int64_t file,
                                                  int64_t offset);

/// `lane.state`, zero at the start and kept from step to step.
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

/// `lane.param`, a buffer which the host writes or reads; `isPosition` says
/// that the generation loop keeps it.
MLIR_CAPI_EXPORTED MlirValue laneParamCreate(MlirOperation form,
                                             MlirLocation location,
                                             MlirStringRef name, MlirType type,
                                             LaneStorages storages,
                                             bool isPosition);

/// `lane.alloc`, a buffer which launches write.
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

/// `lane.ref`, which holds a matrix, values or state of the program.
MLIR_CAPI_EXPORTED MlirValue laneRefCreate(MlirOperation form,
                                           MlirLocation location,
                                           MlirStringRef symbol, MlirType type,
                                           LaneStorages storages);

/// `lane.launch`, of a kernel that has no operation. `access` has an entry for
/// each input, or is null where all are dense.
MLIR_CAPI_EXPORTED MlirOperation laneLaunchCreate(
    MlirOperation form, MlirLocation location, MlirStringRef kernel,
    intptr_t numInputs, const MlirValue *inputs, const LaneAccess *access,
    intptr_t numOutputs, const MlirValue *outputs);

#ifdef __cplusplus
}
#endif

#endif // LANE_C_PROGRAM_H

//===- Plan.h - Planning programs from C --------------------------*- C -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans and places a program, and reads the results. All sizes are in bytes.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_C_PLAN_H
#define LANE_C_PLAN_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum LaneMatrixClass {
  LaneMatrixClassGather = 0,
  LaneMatrixClassExpert = 1,
  LaneMatrixClassOther = 2
} LaneMatrixClass;

typedef enum LaneMemoryKind {
  LaneMemoryKindDevice = 0,
  LaneMemoryKindHost = 1
} LaneMemoryKind;

/// A memory space: a device by its number, or the host, whose number is 0.
typedef struct LaneMemorySpace {
  LaneMemoryKind kind;
  int64_t number;
} LaneMemorySpace;

/// A range of an upload's bytes in one memory space.
typedef struct LaneExtent {
  LaneMemorySpace space;
  int64_t offsetBytes;
  int64_t bytes;
} LaneExtent;

typedef enum LanePlacementPolicy {
  LanePlacementPolicyLastRead = 0,
  LanePlacementPolicyLeastTraffic = 1
} LanePlacementPolicy;

/// The plan of a program.
typedef struct LanePlan {
  int64_t arenaBytes;
  /// Bytes that are always in the device pool.
  int64_t fixedBytes;
  /// Bytes that are left free at startup.
  int64_t spareBytes;
  /// Arena, fixed and all uploads.
  int64_t wholeBytes;
  intptr_t numUploads;
} LanePlan;

/// One upload of a plan. The name lives as long as the context.
typedef struct LaneUpload {
  MlirStringRef name;
  LaneMatrixClass matrixClass;
  /// Index of the last launch of the decode form that reads it.
  int64_t lastRead;
  int64_t bytes;
  /// Its extents; 0 before the program is placed.
  intptr_t numExtents;
} LaneUpload;

/// The placement of a program.
typedef struct LanePlacement {
  int64_t budgetBytes;
  int64_t moved;
  int64_t deviceBytes;
  int64_t hostBytes;
  /// Device bytes for page tables of the host bytes, if the budget counts them.
  int64_t pageTableBytes;
  LanePlacementPolicy policy;
} LanePlacement;

/// Verifies `program`, a `lane.program`, packs its arenas, and plans it: the
/// passes `arena-plan` and `residence-plan`. Emits diagnostics on failure.
MLIR_CAPI_EXPORTED MlirLogicalResult laneProgramPlan(MlirOperation program);

/// Places a planned `program` on a budget: the pass `residence-place`. Emits a
/// diagnostic with both values and fails if it does not fit.
MLIR_CAPI_EXPORTED MlirLogicalResult laneProgramPlace(
    MlirOperation program, int64_t budgetBytes, LanePlacementPolicy policy);

/// Reads the plan of `program`; false if it has none.
MLIR_CAPI_EXPORTED bool laneProgramGetPlan(MlirOperation program,
                                           LanePlan *plan);

/// Reads the upload with the given rank; rank 0 leaves the device first. False
/// if there is no plan or no such rank.
MLIR_CAPI_EXPORTED bool laneProgramGetUpload(MlirOperation program,
                                             intptr_t rank, LaneUpload *upload);

/// Reads an extent of the upload of that rank; extents are sorted by offset and
/// start at index 0. False if there is no such upload or extent.
MLIR_CAPI_EXPORTED bool laneProgramGetExtent(MlirOperation program,
                                             intptr_t rank, intptr_t index,
                                             LaneExtent *extent);

/// Reads the placement of `program`; false if it has none.
MLIR_CAPI_EXPORTED bool laneProgramGetPlacement(MlirOperation program,
                                                LanePlacement *placement);

#ifdef __cplusplus
}
#endif

#endif // LANE_C_PLAN_H

//===- Residence.h - The residence plan of a program ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes a program's residence plan from its forms, buffers and launches:
// the bytes of each part, and the order in which matrices leave the device.
// docs/ResidencePlan.md explains the arithmetic. Nothing here changes the IR,
// and launches are seen only through LaunchOpInterface.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_RESIDENCE_H
#define LANE_ANALYSIS_RESIDENCE_H

#include "lane/Analysis/Placement.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"

namespace lane {

/// Left free at the start for graphs, streams, events, and rounding three
/// allocations up to the driver's granule.
constexpr int64_t kSpareBytes = int64_t(32) << 20;
/// Left free for each top-level launch of each form: twice what a node of a
/// captured graph takes.
constexpr int64_t kSpareBytesPerLaunch = int64_t(16) << 10;
/// What a card loses before a program allocates: what the driver holds back
/// and the context. Used only to estimate free memory from a nominal size.
constexpr int64_t kContextReserveBytes = int64_t(512) << 20;

/// One upload, which its owner shares with its aliases: the matrices that read
/// the same rows.
struct Upload {
  /// The owner.
  MatrixOp matrix;
  /// A reference to the owner, where a form has one; making one is a look-up.
  mlir::FlatSymbolRefAttr symbol;
  MatrixClass matrixClass;
  /// Index of the last top-level launch of the decode form that reads it.
  int64_t lastRead;
  int64_t bytes;
  /// The first launch, or part of one, whose read decides the class; null
  /// where nothing reads the upload.
  mlir::Operation *decidingRead;
};

/// The terms of the fixed part, in bytes of the device pool.
struct FixedTerms {
  /// What the generation loop keeps.
  int64_t loop = 0;
  int64_t values = 0;
  int64_t state = 0;
  /// Params, activations outside the arena, and quants and scales.
  int64_t buffers = 0;
  int64_t scratch = 0;

  int64_t getTotal() const { return loop + values + state + buffers + scratch; }
};

/// What the compiler fixes, in bytes.
struct ResidencePlan {
  int64_t arenaBytes = 0;
  FixedTerms fixed;
  int64_t spareBytes = 0;
  /// The uploads, the first to leave the device first.
  llvm::SmallVector<Upload> order;
  /// Each alias, and the owner of its upload.
  llvm::SmallVector<std::pair<MatrixOp, MatrixOp>> shares;

  /// The problem of placing the uploads, without step bytes.
  PlacementProblem getPlacementProblem() const;
};

/// Computes the plan of a program that verifies. Fails, with a diagnostic, only
/// where its bytes overflow int64 or a form has slots in an arena without a
/// size.
///
/// Time is linear in the operations, but for sorting the uploads.
llvm::FailureOr<ResidencePlan> computeResidencePlan(ProgramOp program);

/// Fails, with a diagnostic that names the first difference, unless the
/// attributes which residence-plan wrote on `program` are those of `plan`,
/// its plan as computed now.
llvm::LogicalResult verifyPlanIsCurrent(ProgramOp program,
                                        const ResidencePlan &plan);

} // namespace lane

#endif // LANE_ANALYSIS_RESIDENCE_H

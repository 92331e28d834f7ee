//===- Residence.h - The residence plan of a program ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes a program's residence plan from its forms, buffers and launches:
// the bytes of each part, and the order in which uploads leave the device.
// docs/ResidencePlan.md explains the arithmetic. This does not change the IR,
// and uses launches only through LaunchOpInterface.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_RESIDENCE_H
#define LANE_ANALYSIS_RESIDENCE_H

#include "lane/Analysis/Placement.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"

namespace lane {

/// Bytes to leave free for graphs, streams, events, and rounding three
/// allocations up to the driver's granule.
constexpr int64_t kSpareBytes = int64_t(32) << 20;
/// Bytes to leave free for each top-level launch of each form: twice the size
/// of a node of a captured graph.
constexpr int64_t kSpareBytesPerLaunch = int64_t(16) << 10;
/// Bytes of a device that the driver and the CUDA context use. This is an
/// estimate, to get free memory from a nominal size.
constexpr int64_t kContextReserveBytes = int64_t(512) << 20;

/// An upload. Its owner shares it with its aliases, the other matrices with the
/// same rows and format.
struct Upload {
  /// The owner.
  MatrixOp matrix;
  /// The owner's symbol if a form references it, else null. This avoids
  /// uniquing it again.
  mlir::FlatSymbolRefAttr symbol;
  MatrixClass matrixClass;
  /// Index of the last top-level launch of the decode form that reads it.
  int64_t lastRead;
  int64_t bytes;
  /// The first launch, or part of one, whose read determines the class; null if
  /// nothing reads the upload.
  mlir::Operation *decidingRead;
};

/// The terms of the fixed part, in bytes of the device pool.
struct FixedTerms {
  /// Positions, runs, counts and prompt of the generation loop.
  int64_t loop = 0;
  int64_t values = 0;
  int64_t state = 0;
  /// Params, activations outside the arena, and quants and scales.
  int64_t buffers = 0;
  int64_t scratch = 0;

  int64_t getTotal() const { return loop + values + state + buffers + scratch; }
};

/// A residence plan. Sizes are in bytes.
struct ResidencePlan {
  int64_t arenaBytes = 0;
  FixedTerms fixed;
  int64_t spareBytes = 0;
  /// The uploads in the order in which they leave the device.
  llvm::SmallVector<Upload> order;
  /// Each alias, and the owner of its upload.
  llvm::SmallVector<std::pair<MatrixOp, MatrixOp>> shares;

  /// The problem of placing the uploads, without step bytes.
  PlacementProblem getPlacementProblem() const;
};

/// Computes the plan of a valid program. Fails, with a diagnostic, only if its
/// bytes overflow int64 or a form has slots in an arena without a size.
///
/// Linear in the operations, except for sorting the uploads.
llvm::FailureOr<ResidencePlan> computeResidencePlan(ProgramOp program);

/// Fails unless the plan attributes on `program` match `plan`, which is
/// computed from its current IR. The diagnostic names the first difference.
llvm::LogicalResult verifyPlanIsCurrent(ProgramOp program,
                                        const ResidencePlan &plan);

} // namespace lane

#endif // LANE_ANALYSIS_RESIDENCE_H

//===- Passes.h - Passes over lane programs ---------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares and registers the passes of Passes.td, and the pipeline of all of
// them. The passes are thin: lane/Analysis has the algorithms.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_TRANSFORMS_PASSES_H
#define LANE_DIALECT_LANE_TRANSFORMS_PASSES_H

#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

namespace lane {

#define GEN_PASS_DECL
#include "lane/Dialect/Lane/Transforms/Passes.h.inc"

/// Options of the pipeline `residence-pipeline`.
struct ResidencePipelineOptions
    : public mlir::PassPipelineOptions<ResidencePipelineOptions> {
  Option<std::string> budget{
      *this, "budget",
      llvm::cl::desc("Bytes for arena, fixed part and uploads, such as 12G, "
                     "12GiB (both binary) or 12GB, with K, M, G or T")};
  Option<std::string> deviceBytes{
      *this, "device-bytes",
      llvm::cl::desc("Device memory given to the program, such as 12G or "
                     "12GiB; the budget is that less the plan's spare")};
  Option<std::string> hostBytes{
      *this, "host-bytes",
      llvm::cl::desc("Most host memory that the placement may take, such as "
                     "64G or 64GiB")};
  Option<bool> pageTables{
      *this, "page-tables",
      llvm::cl::desc("Count the page tables of mapped host memory in a given "
                     "budget or device memory, as they count in that of a "
                     "described device"),
      llvm::cl::init(false)};
  Option<PlacementPolicy> policy{
      *this, "policy", llvm::cl::desc("Which uploads leave the device"),
      llvm::cl::init(PlacementPolicy::LastRead),
      llvm::cl::values(
          clEnumValN(PlacementPolicy::LastRead, "last-read",
                     "the first in the plan's order"),
          clEnumValN(PlacementPolicy::LeastTraffic, "least-traffic",
                     "those with the fewest bytes read per decode step"))};
  Option<bool> isPlaced{
      *this, "place",
      llvm::cl::desc("Place the uploads after planning (default: true)"),
      llvm::cl::init(true)};
};

/// Adds `arena-plan`, `residence-plan` and, if `options.isPlaced`,
/// `residence-place` to a pass manager of modules.
void buildResidencePipeline(mlir::OpPassManager &passes,
                            const ResidencePipelineOptions &options);

/// Registers `residence-pipeline`, which is buildResidencePipeline.
void registerResidencePipeline();

#define GEN_PASS_REGISTRATION
#include "lane/Dialect/Lane/Transforms/Passes.h.inc"

} // namespace lane

#endif // LANE_DIALECT_LANE_TRANSFORMS_PASSES_H

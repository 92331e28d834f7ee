//===- Passes.h - Conversions of lane programs ------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares and registers the passes of Passes.td: from upstream's dialects to
// lane programs, and from planned programs to host code.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CONVERSION_PASSES_H
#define LANE_CONVERSION_PASSES_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

namespace lane {

/// The dialect that residence-to-host lowers to.
enum class HostTarget { LLVM, Cpp };

/// What the code of steps is: a host function that launches kernels; or code
/// that computes, which runs as one kernel of a CUDA runtime over host memory;
/// or steps are erased.
enum class HostSteps { Launches, Kernel, None };

/// The policy by which a generated program places. `AsPlaced` is that of the
/// placement in the IR, or last-read if there is none.
enum class HostPolicy { AsPlaced, LastRead, LeastTraffic };

#define GEN_PASS_DECL
#include "lane/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lane/Conversion/Passes.h.inc"

/// Options of the pipeline `lane-to-llvm`.
struct LaneToLLVMOptions : mlir::PassPipelineOptions<LaneToLLVMOptions> {
  Option<HostPolicy> policy{
      *this, "policy",
      llvm::cl::desc("Which uploads leave the device, as in residence-to-host"),
      llvm::cl::init(HostPolicy::AsPlaced),
      llvm::cl::values(
          clEnumValN(HostPolicy::AsPlaced, "as-placed",
                     "by the policy of the placement, or last-read"),
          clEnumValN(HostPolicy::LastRead, "last-read",
                     "the first of the plan's order"),
          clEnumValN(HostPolicy::LeastTraffic, "least-traffic",
                     "those that cost a decode step the fewest bytes"))};
};

/// Lowers a planned module to the LLVM dialect: `residence-to-host` with steps
/// as kernels, and upstream's passes that make loops of linalg and lower them.
/// The object runs with a CUDA runtime over host memory.
void buildLaneToLLVMPipeline(mlir::OpPassManager &passes,
                             const LaneToLLVMOptions &options);
void registerLaneToLLVMPipeline();

/// Options of the pipeline `lane-to-nvvm`.
struct LaneToNVVMOptions : mlir::PassPipelineOptions<LaneToNVVMOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("GPU that kernels are compiled for"),
                           llvm::cl::init("sm_80")};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("Target features, such as +ptx86; by default the oldest "
                     "version of PTX that has the chip")};
  Option<std::string> format{
      *this, "format",
      llvm::cl::desc("What kernels are in the object: PTX (isa), which the "
                     "driver compiles, or the output of CUDA's ptxas (bin) or "
                     "fatbinary (fatbin)"),
      llvm::cl::init("isa")};
  Option<std::string> toolkit{
      *this, "toolkit",
      llvm::cl::desc("Path of the CUDA Toolkit; by default that of CUDA_ROOT, "
                     "CUDA_HOME or CUDA_PATH, that of ptxas, or "
                     "/usr/local/cuda")};
  Option<int64_t> numThreads{
      *this, "threads",
      llvm::cl::desc("Threads of a block of linalg's kernels"),
      llvm::cl::init(128)};
  Option<HostPolicy> policy{
      *this, "policy",
      llvm::cl::desc("Which uploads leave the device, as in residence-to-host"),
      llvm::cl::init(HostPolicy::AsPlaced),
      llvm::cl::values(
          clEnumValN(HostPolicy::AsPlaced, "as-placed",
                     "by the policy of the placement, or last-read"),
          clEnumValN(HostPolicy::LastRead, "last-read",
                     "the first of the plan's order"),
          clEnumValN(HostPolicy::LeastTraffic, "least-traffic",
                     "those that cost a decode step the fewest bytes"))};
};

/// Lowers a planned module to the LLVM dialect: kernels of linalg's operations,
/// `residence-to-host` with steps that launch them, and upstream's passes that
/// compile kernels and lower the rest.
void buildLaneToNVVMPipeline(mlir::OpPassManager &passes,
                             const LaneToNVVMOptions &options);
void registerLaneToNVVMPipeline();
/// Registers the interfaces of upstream's dialects that the pipeline uses.
void registerLaneToNVVMExtensions(mlir::DialectRegistry &registry);

} // namespace lane

#endif // LANE_CONVERSION_PASSES_H

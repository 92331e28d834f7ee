//===- GivenMemory.h - The memory to place for ------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device memory that options or the module give, and the limit of host
// memory. Device memory is exact (--device-bytes), or an estimate of what is
// free on a device: its memory less a reserve. Page tables of mapped host
// memory come out of an estimate only.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_PLAN_GIVENMEMORY_H
#define LANE_TOOLS_LANE_PLAN_GIVENMEMORY_H

#include "Options.h"

namespace lane {

struct GivenMemory {
  /// Device memory before the spare is taken off; none where no placement is
  /// asked for.
  std::optional<int64_t> deviceBytes;
  /// The device that the bytes are an estimate of, with the reserve that was
  /// asked for; none where exact bytes are given.
  std::optional<DeviceSpec> device;
  std::optional<int64_t> hostLimitBytes;

  bool countsPageTables() const { return device && device->countsPageTables(); }
  /// Sets what `problem` has of the memory.
  void applyTo(PlacementProblem &problem) const;
  /// Fails, with where the memory comes from, if the program does not fit what
  /// is left of the device after the spare. Requires device bytes.
  llvm::Error checkBudget(const PlacementProblem &problem,
                          int64_t spareBytes) const;
};

/// The memory that the options give. Fails where a size does not parse or a
/// device is unknown.
llvm::Expected<GivenMemory> getGivenMemory(const Options &options);

/// Adds the memory of the device that the module around `program` describes,
/// if the options give none and it describes one. Fails after a diagnostic,
/// also where an option then has no effect.
llvm::LogicalResult addDescribedMemory(ProgramOp program,
                                       const Options &options,
                                       GivenMemory &memory);

} // namespace lane

#endif // LANE_TOOLS_LANE_PLAN_GIVENMEMORY_H

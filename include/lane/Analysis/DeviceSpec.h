//===- DeviceSpec.h - Devices in DLTI attributes ----------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads device descriptions from a DLTI target system specification:
//
//   #dlti.target_system_spec<"my-card" = #dlti.target_device_spec<
//     "lane.memory_bytes" = 25769803776 : i64,
//     "lane.memory_bytes_per_second" = 1008000000000 : i64,
//     "lane.link_bytes_per_second" = 32000000000 : i64>>
//
// The memory is required. The speeds are only for estimates. Optional keys are
// "lane.reserve_bytes", the bytes that are not free when a program starts (512
// MiB by default), and "lane.integrated", whether the device uses host memory.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_DEVICESPEC_H
#define LANE_ANALYSIS_DEVICESPEC_H

#include "lane/Analysis/Residence.h"
#include "lane/Analysis/Sweep.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include <algorithm>

namespace lane {

struct DeviceSpec {
  std::string name;
  int64_t memoryBytes = 0;
  int64_t reserveBytes = kContextReserveBytes;
  /// 0 if unknown.
  DeviceSpeed speed = {0, 0};
  bool isIntegrated = false;

  /// An estimate of the free memory after context creation; 0 if the reserve
  /// exceeds the memory. Page tables of mapped host memory are to come out of
  /// it if countsPageTables().
  int64_t getFreeBytes() const {
    return std::max(memoryBytes - reserveBytes, int64_t(0));
  }
  bool countsPageTables() const { return !isIntegrated; }

  /// Fails with both values if the device uses host memory but some upload
  /// would have to move, which would free nothing.
  llvm::Error checkBudget(const PlacementProblem &problem,
                          int64_t budgetBytes) const;
};

/// Reads every device of `system` that has a "lane.memory_bytes", in order.
/// Emits an error at `loc` and fails if a value is not an integer of at least
/// 0.
llvm::FailureOr<llvm::SmallVector<DeviceSpec>>
readDeviceSpecs(mlir::TargetSystemSpecInterface system, mlir::Location loc);

/// The device that the module around `op` describes, or none. Emits an error
/// and fails if it describes several.
llvm::FailureOr<std::optional<DeviceSpec>> getDeviceSpec(mlir::Operation *op);

} // namespace lane

#endif // LANE_ANALYSIS_DEVICESPEC_H

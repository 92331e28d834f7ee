//===- DeviceSpec.h - What a device is, in MLIR's terms ---------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a device's description from a DLTI target system specification:
//
//   #dlti.target_system_spec<"my-card" = #dlti.target_device_spec<
//     "lane.memory_bytes" = 25769803776 : i64,
//     "lane.memory_bytes_per_second" = 1008000000000 : i64,
//     "lane.link_bytes_per_second" = 32000000000 : i64>>
//
// The memory is needed; the speeds are only for estimates. Beside them there
// may be "lane.reserve_bytes", what the card loses before a program allocates
// (512 MiB by default), and "lane.integrated", whether its memory is
// the host's.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_DEVICESPEC_H
#define LANE_ANALYSIS_DEVICESPEC_H

#include "lane/Analysis/Residence.h"
#include "lane/Analysis/Sweep.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace lane {

struct DeviceSpec {
  std::string name;
  int64_t memoryBytes = 0;
  int64_t reserveBytes = kContextReserveBytes;
  /// 0 where it is not given.
  DeviceSpeed speed = {0, 0};
  bool isIntegrated = false;

  /// An estimate of what is free once the context is up.
  int64_t getFreeBytes() const { return memoryBytes - reserveBytes; }

  /// Fails, with both values, where the device's memory is the host's and
  /// something would have to move: it would free nothing.
  llvm::Error checkBudget(const PlacementProblem &problem,
                          int64_t budgetBytes) const;
};

/// Reads every device of `system` that has a "lane.memory_bytes", in order.
/// Fails, with an error at `loc`, where a value is not an integer of 0 or more.
llvm::FailureOr<llvm::SmallVector<DeviceSpec>>
readDeviceSpecs(mlir::TargetSystemSpecInterface system, mlir::Location loc);

/// The one device which the module around `op` describes: none where it
/// describes none. Fails, with an error, where it describes several.
llvm::FailureOr<std::optional<DeviceSpec>> getDeviceSpec(mlir::Operation *op);

} // namespace lane

#endif // LANE_ANALYSIS_DEVICESPEC_H

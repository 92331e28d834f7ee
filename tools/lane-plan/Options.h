//===- Options.h - Options of lane-plan -------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_PLAN_OPTIONS_H
#define LANE_TOOLS_LANE_PLAN_OPTIONS_H

#include "Devices.h"
#include "llvm/Support/CommandLine.h"

namespace lane {

struct Options {
  Options();

  /// Fails where an option has a wrong value or contradicts another.
  llvm::Error check() const;

  bool isGiven(const llvm::cl::Option &option) const {
    return option.getNumOccurrences() != 0;
  }

  llvm::cl::OptionCategory category{"Options of lane-plan"};
  llvm::cl::opt<std::string> input;
  llvm::cl::opt<int64_t> context, prefillRows, batchRows;
  llvm::cl::opt<bool> isGeneric;
  llvm::cl::opt<NumberFormat> keyFormat, valueFormat;
  llvm::cl::opt<std::string> deviceBytes;
  /// The option keeps a reference to its help.
  std::string deviceHelp;
  llvm::cl::opt<std::string> device;
  llvm::cl::opt<std::string> reserveBytes, hostBytes;
  llvm::cl::opt<PlacementPolicy> policy;
  llvm::cl::opt<int64_t> rows;
  llvm::cl::opt<bool> json, sweep;
  llvm::cl::opt<std::string> emitCpp, html;
  llvm::cl::opt<bool> csv;
};

/// The device whose bandwidths times use.
const DeviceSpec &getSpeedDevice(const Options &options);

} // namespace lane

#endif // LANE_TOOLS_LANE_PLAN_OPTIONS_H

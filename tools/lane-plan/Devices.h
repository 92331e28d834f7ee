//===- Devices.h - Memory of common cards -----------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nominal memory of common cards, so that a person can give "rtx-3060"
// instead of a number. A plan on a card is an estimate: what is free is known
// only when the program starts.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_PLAN_DEVICES_H
#define LANE_TOOLS_LANE_PLAN_DEVICES_H

#include "lane/Analysis/DeviceSpec.h"

namespace lane {

/// The cards of Devices.mlir; their names are in lower case with dashes.
llvm::ArrayRef<DeviceSpec> getDevices();

/// The card of that name, or null.
const DeviceSpec *lookupDevice(llvm::StringRef name);

/// All names, for messages.
std::string getDeviceNames();

} // namespace lane

#endif // LANE_TOOLS_LANE_PLAN_DEVICES_H

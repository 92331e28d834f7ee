//===- Devices.h - Table of common cards ------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nominal memory and bandwidths of common cards, so that users can give
// "rtx-3060" instead of a size. A plan for a card is an estimate: the free
// memory is known only when the program starts.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_PLAN_DEVICES_H
#define LANE_TOOLS_LANE_PLAN_DEVICES_H

#include "lane/Analysis/DeviceSpec.h"

namespace lane {

/// The cards in Devices.mlir. Their names are in lower case with dashes.
llvm::ArrayRef<DeviceSpec> getDevices();

/// The card with that name, or null.
const DeviceSpec *lookupDevice(llvm::StringRef name);

/// All names, for messages.
std::string getDeviceNames();

} // namespace lane

#endif // LANE_TOOLS_LANE_PLAN_DEVICES_H

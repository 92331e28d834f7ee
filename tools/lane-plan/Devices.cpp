//===- Devices.cpp - Table of common cards --------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the table of cards, Devices.mlir.
//
//===----------------------------------------------------------------------===//

#include "Devices.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include "DevicesText.inc"

using namespace mlir;
using namespace lane;

static SmallVector<DeviceSpec> readDevices() {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<DLTIDialect>();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(kDevicesText, &context, "Devices.mlir");
  if (!module)
    llvm::report_fatal_error("the table of cards does not parse");
  FailureOr<SmallVector<DeviceSpec>> devices =
      readDeviceSpecs(module->getTargetSystemSpec(), module->getLoc());
  if (failed(devices))
    llvm::report_fatal_error("the table of cards is wrong");
  return std::move(*devices);
}

ArrayRef<DeviceSpec> lane::getDevices() {
  static const SmallVector<DeviceSpec> devices = readDevices();
  return devices;
}

const DeviceSpec *lane::lookupDevice(StringRef name) {
  for (const DeviceSpec &device : getDevices())
    if (device.name == name)
      return &device;
  return nullptr;
}

std::string lane::getDeviceNames() {
  return llvm::join(
      llvm::map_range(getDevices(),
                      [](const DeviceSpec &device) { return device.name; }),
      ", ");
}

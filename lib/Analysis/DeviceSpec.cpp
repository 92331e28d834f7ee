//===- DeviceSpec.cpp - Device descriptions in DLTI attributes ------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/DeviceSpec.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace lane;

static constexpr llvm::StringLiteral kMemory = "lane.memory_bytes";
static constexpr llvm::StringLiteral kMemorySpeed =
    "lane.memory_bytes_per_second";
static constexpr llvm::StringLiteral kLinkSpeed = "lane.link_bytes_per_second";
static constexpr llvm::StringLiteral kReserve = "lane.reserve_bytes";
static constexpr llvm::StringLiteral kIntegrated = "lane.integrated";

/// The value of a key; null if the device does not have it.
static Attribute lookup(TargetDeviceSpecInterface device, StringRef key) {
  DataLayoutEntryInterface entry =
      device.getSpecForIdentifier(StringAttr::get(device.getContext(), key));
  return entry ? entry.getValue() : Attribute();
}

static LogicalResult readInteger(TargetDeviceSpecInterface device,
                                 StringRef key, const Twine &owner,
                                 Location loc, int64_t &result) {
  Attribute value = lookup(device, key);
  if (!value)
    return success();
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer || integer.getValue().getSignificantBits() > 64 ||
      integer.getValue().getSExtValue() < 0)
    return emitError(loc) << owner << ": \"" << key << "\" is " << value
                          << ", expected an integer of 0 or more below 2^63";
  result = integer.getValue().getSExtValue();
  return success();
}

llvm::Error DeviceSpec::checkBudget(const PlacementProblem &problem,
                                    int64_t budgetBytes) const {
  if (!isIntegrated || problem.getWholeBytes() <= budgetBytes)
    return llvm::Error::success();
  return llvm::createStringError("device '" + name +
                                 "' shares memory with the host, so nothing "
                                 "can move: the program needs " +
                                 Twine(problem.getWholeBytes()) +
                                 " bytes, but the budget is " +
                                 Twine(budgetBytes) + " bytes");
}

FailureOr<SmallVector<DeviceSpec>>
lane::readDeviceSpecs(TargetSystemSpecInterface system, Location loc) {
  SmallVector<DeviceSpec> specs;
  for (DataLayoutEntryInterface entry : system.getEntries()) {
    auto device = dyn_cast<TargetDeviceSpecInterface>(entry.getValue());
    if (!device || !lookup(device, kMemory))
      continue;
    DeviceSpec spec;
    spec.name = cast<StringAttr>(entry.getKey()).getValue();
    std::string owner = "device '" + spec.name + "'";
    auto read = [&](StringRef key, int64_t &result) {
      return readInteger(device, key, owner, loc, result);
    };
    if (failed(read(kMemory, spec.memoryBytes)) ||
        failed(read(kReserve, spec.reserveBytes)) ||
        failed(read(kMemorySpeed, spec.speed.memoryBytesPerSecond)) ||
        failed(read(kLinkSpeed, spec.speed.linkBytesPerSecond)))
      return failure();
    if (auto integrated =
            dyn_cast_if_present<BoolAttr>(lookup(device, kIntegrated)))
      spec.isIntegrated = integrated.getValue();
    specs.push_back(std::move(spec));
  }
  return specs;
}

FailureOr<std::optional<DeviceSpec>> lane::getDeviceSpec(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  if (!module)
    return std::optional<DeviceSpec>();
  TargetSystemSpecInterface system = module.getTargetSystemSpec();
  if (!system)
    return std::optional<DeviceSpec>();
  FailureOr<SmallVector<DeviceSpec>> specs =
      readDeviceSpecs(system, module.getLoc());
  if (failed(specs))
    return failure();
  if (specs->empty())
    return std::optional<DeviceSpec>();
  if (specs->size() > 1)
    return emitError(module.getLoc())
           << "the module describes " << specs->size()
           << " devices with a memory, expected one";
  return std::optional<DeviceSpec>(specs->front());
}

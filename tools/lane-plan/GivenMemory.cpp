//===- GivenMemory.cpp - The memory to place for --------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GivenMemory.h"
#include "lane/Support/Bytes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace lane;

void GivenMemory::applyTo(PlacementProblem &problem) const {
  problem.countsPageTables = countsPageTables();
  problem.hostLimitBytes = hostLimitBytes;
}

llvm::Error GivenMemory::checkBudget(const PlacementProblem &problem,
                                     int64_t spareBytes) const {
  int64_t budgetBytes = *deviceBytes - spareBytes;
  llvm::Error error = problem.checkBudget(budgetBytes);
  if (!error && device)
    error = device->checkBudget(problem, budgetBytes);
  if (!error)
    return llvm::Error::success();
  std::string origin =
      device ? llvm::formatv("{0} of {1}, less a reserve of {2} and",
                             formatBytes(device->memoryBytes), device->name,
                             formatBytes(device->reserveBytes))
                   .str()
             : formatBytes(*deviceBytes) + " given, less";
  return llvm::createStringError(llvm::toString(std::move(error)) + " (" +
                                 origin + " a spare of " +
                                 formatBytes(spareBytes) + ")");
}

/// Parses the size of an option, if it is given.
static llvm::Error parseSize(const llvm::cl::opt<std::string> &option,
                             std::optional<int64_t> &result) {
  // An empty text is given too, and is not a size.
  if (option.getNumOccurrences() == 0)
    return llvm::Error::success();
  llvm::Expected<int64_t> bytes = parseBytes(option);
  if (!bytes)
    return bytes.takeError();
  result = *bytes;
  return llvm::Error::success();
}

/// Takes the memory of `device` with the reserve of the options, if given.
static llvm::Error setDevice(const DeviceSpec &device, const Options &options,
                             GivenMemory &memory) {
  memory.device = device;
  std::optional<int64_t> reserveBytes;
  if (llvm::Error error = parseSize(options.reserveBytes, reserveBytes))
    return error;
  if (reserveBytes)
    memory.device->reserveBytes = *reserveBytes;
  memory.deviceBytes = memory.device->getFreeBytes();
  return llvm::Error::success();
}

llvm::Expected<GivenMemory> lane::getGivenMemory(const Options &options) {
  GivenMemory memory;
  if (llvm::Error error = parseSize(options.hostBytes, memory.hostLimitBytes))
    return std::move(error);
  if (llvm::Error error = parseSize(options.deviceBytes, memory.deviceBytes))
    return std::move(error);
  if (!options.isGiven(options.device))
    return memory;
  const DeviceSpec *device = lookupDevice(options.device);
  if (!device)
    return llvm::createStringError("unknown device '" + options.device +
                                   "'; known are " + getDeviceNames());
  if (llvm::Error error = setDevice(*device, options, memory))
    return std::move(error);
  return memory;
}

LogicalResult lane::addDescribedMemory(ProgramOp program,
                                       const Options &options,
                                       GivenMemory &memory) {
  if (memory.deviceBytes)
    return success();
  auto refuse = [&](const Twine &text) {
    return emitError(UnknownLoc::get(program.getContext())) << text;
  };
  FailureOr<std::optional<DeviceSpec>> device = getDeviceSpec(program);
  if (failed(device))
    return failure();
  if (*device) {
    if (llvm::Error error = setDevice(**device, options, memory))
      return refuse(llvm::toString(std::move(error)));
    return success();
  }
  if (options.isGiven(options.reserveBytes))
    return refuse("--reserve-bytes is a part of the memory of a device: give "
                  "--device too");
  if (memory.hostLimitBytes && !options.isGiven(options.html))
    return refuse("--host-bytes limits a placement: give --device, "
                  "--device-bytes, --html or --sweep too");
  return success();
}

//===- Options.cpp - Options of lane-plan ---------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "lane/Target/GGUF/CacheFormats.h"

using namespace mlir;
using namespace lane;
namespace cl = llvm::cl;

Options::Options()
    : input(cl::Positional, cl::Required, cl::cat(category),
            cl::desc("<model.gguf, program.mlir, program.json or ->")),
      context("context", cl::cat(category), cl::init(0),
              cl::value_desc("tokens"),
              cl::desc("Tokens of context of a GGUF model (default: 4096, or "
                       "the model's own where that is less)")),
      prefillRows(
          "prefill-rows", cl::cat(category), cl::init(0),
          cl::value_desc("rows"),
          cl::desc("Rows of a prefill form of a GGUF model (default: none)")),
      batchRows(
          "batch-rows", cl::cat(category), cl::init(0),
          cl::value_desc("sequences"),
          cl::desc(
              "Sequences of a batch form of a GGUF model (default: none)")),
      isGeneric("generic", cl::cat(category),
                cl::desc("Plan a GGUF model of an unknown architecture by the "
                         "names of its tensors")),
      keyFormat("cache-type-k", cl::cat(category), cl::init(NumberFormat::F16),
                cl::value_desc("type"),
                cl::desc("Number format of the cache of keys of a GGUF model "
                         "(default: f16)")),
      valueFormat("cache-type-v", cl::cat(category),
                  cl::init(NumberFormat::F16), cl::value_desc("type"),
                  cl::desc("Number format of the cache of values of a GGUF "
                           "model (default: f16)")),
      deviceBytes("device-bytes", cl::cat(category), cl::value_desc("size"),
                  cl::desc("Device memory given to the program, in bytes or "
                           "such as 12G, 12GiB (both binary) or 12GB, with K, "
                           "M, G or T; the budget is that less the spare")),
      deviceHelp("Estimate the free memory of a card: " + getDeviceNames()),
      device("device", cl::cat(category), cl::value_desc("card"),
             cl::desc(deviceHelp)),
      reserveBytes("reserve-bytes", cl::cat(category), cl::value_desc("size"),
                   cl::desc("Memory of the device that is not free when the "
                            "program starts, such as 1G or 512MiB (default: "
                            "the device's own, 512 MiB for a card)")),
      hostBytes("host-bytes", cl::cat(category), cl::value_desc("size"),
                cl::desc("Most host memory that the placement may take, such "
                         "as 64G or 64GiB (default: no limit)")),
      policy(
          "policy", cl::cat(category), cl::init(PlacementPolicy::LastRead),
          cl::desc("Which matrices leave the device:"),
          cl::values(clEnumValN(PlacementPolicy::LastRead, "last-read",
                                "the first in the order (default)"),
                     clEnumValN(PlacementPolicy::LeastTraffic, "least-traffic",
                                "those with the fewest bytes read per step"))),
      rows("rows", cl::cat(category), cl::init(24), cl::value_desc("count"),
           cl::desc("Rows of the order to print; 0 prints all (default: 24)")),
      json("json", cl::cat(category),
           cl::desc("Print the plan as JSON, for programs")),
      sweep("sweep", cl::cat(category),
            cl::desc("Print what a step reads from the host at each budget "
                     "instead, by both policies; times use the bandwidths of "
                     "--device (default: rtx-4090)")),
      emitCpp("emit-cpp", cl::cat(category), cl::value_desc("folder"),
              cl::desc("Write the program that allocates, maps and uploads on "
                       "its start, as a C header and a C++ source")),
      html("html", cl::cat(category), cl::value_desc("file"),
           cl::desc("Write the plan as one page for a browser: device and host "
                    "memory to scale, and a slider over all budgets")),
      csv("csv", cl::cat(category), cl::desc("Print the sweep as CSV")) {
  addCacheFormats(keyFormat);
  addCacheFormats(valueFormat);
}

llvm::Error Options::check() const {
  using llvm::createStringError;
  if (sweep && isGiven(deviceBytes))
    return createStringError(
        "a sweep is over all budgets, so it takes no --device-bytes");
  if (sweep && isGiven(reserveBytes))
    return createStringError(
        "a sweep is over all budgets, so it takes no --reserve-bytes");
  // An empty text is given too, and is neither a size nor a device.
  if (isGiven(device) && isGiven(deviceBytes))
    return createStringError("give either --device or --device-bytes");
  if (isGiven(reserveBytes) && isGiven(deviceBytes))
    return createStringError("--device-bytes are exact, so they take no "
                             "--reserve-bytes");
  if (csv && !sweep)
    return createStringError("--csv prints a sweep: give --sweep too");
  if (csv && json)
    return createStringError("give either --csv or --json");
  if (isGiven(emitCpp) && emitCpp.empty())
    return createStringError("--emit-cpp needs a folder");
  if (isGiven(html) && html.empty())
    return createStringError("--html needs a file");
  if (isGiven(html) && sweep)
    return createStringError(
        "the page has the sweep: give either --html or --sweep");
  if (rows < 0)
    return createStringError("rows of " + Twine(rows) + " is less than 0");
  return llvm::Error::success();
}

const DeviceSpec &lane::getSpeedDevice(const Options &options) {
  return *lookupDevice(options.device.empty() ? "rtx-4090"
                                              : options.device.getValue());
}

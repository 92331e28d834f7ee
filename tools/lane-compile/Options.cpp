//===- Options.cpp - Options of lane-compile ------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "llvm/Support/Error.h"

using namespace lane;
namespace cl = llvm::cl;

Options::Options()
    : input(cl::Positional, cl::Required, cl::cat(category),
            cl::desc("<model.mlir>")),
      checkpoint("checkpoint", cl::cat(category), cl::value_desc("file"),
                 cl::desc("Checkpoint that has the weights, or one of its "
                          "files (default: the program's own file, which "
                          "nothing writes)")),
      output("o", cl::cat(category), cl::Required, cl::value_desc("file"),
             cl::desc("Object to write")),
      header("header", cl::cat(category), cl::value_desc("file"),
             cl::desc("C header to write")),
      isForHost("host", cl::cat(category),
                cl::desc("Compile steps as loops on the host, for a CUDA "
                         "runtime over host memory, as tests have")),
      cpu("cpu", cl::cat(category), cl::value_desc("cpu"),
          cl::desc("CPU that host code is compiled for, as llc -mcpu takes it "
                   "(default: native with --host, else any of this "
                   "architecture)")),
      chip("chip", cl::cat(category), cl::init("sm_80"), cl::value_desc("chip"),
           cl::desc("GPU that kernels are compiled for (default: sm_80)")),
      format("format", cl::cat(category), cl::init("isa"),
             cl::value_desc("format"),
             cl::desc("What kernels are in the object: isa, which is PTX that "
                      "the driver compiles, bin of ptxas, or fatbin of "
                      "fatbinary (default: isa)")),
      toolkit("toolkit", cl::cat(category), cl::value_desc("folder"),
              cl::desc("CUDA Toolkit (default: that of CUDA_ROOT, CUDA_HOME "
                       "or CUDA_PATH, that of ptxas, or /usr/local/cuda)")),
      context("context", cl::cat(category), cl::init(4096),
              cl::value_desc("tokens"),
              cl::desc("Tokens of context (default: 4096)")),
      policy(
          "policy", cl::cat(category), cl::init(PlacementPolicy::LastRead),
          cl::desc("Which matrices leave the device:"),
          cl::values(clEnumValN(PlacementPolicy::LastRead, "last-read",
                                "the first in the order (default)"),
                     clEnumValN(PlacementPolicy::LeastTraffic, "least-traffic",
                                "those with the fewest bytes read per step"))),
      deviceBytes(
          "device-bytes", cl::cat(category), cl::value_desc("size"),
          cl::desc("Device memory that the report places for, in bytes or "
                   "with KiB, MiB, GiB, KB, MB or GB; the program asks its "
                   "device when it is opened")),
      rows("rows", cl::cat(category), cl::init(24), cl::value_desc("count"),
           cl::desc("Rows of the order to print; 0 prints all (default: 24)")) {
}

llvm::Error Options::check() const {
  using llvm::createStringError;
  // The report is on standard output.
  if (output.empty() || output == "-")
    return createStringError("-o needs a file");
  if (isGiven(header) && (header.empty() || header == "-"))
    return createStringError("--header needs a file");
  if (header == output)
    return createStringError("-o and --header are both '" + output + "'");
  if (isGiven(cpu) && cpu.empty())
    return createStringError("--cpu needs a name");
  if (isGiven(checkpoint) && checkpoint.empty())
    return createStringError("--checkpoint needs a file");
  for (const cl::opt<std::string> *option : {&chip, &format, &toolkit})
    if (isForHost && isGiven(*option))
      return createStringError("--host makes no kernels, so it takes no --" +
                               option->ArgStr);
  if (format != "isa" && format != "bin" && format != "fatbin")
    return createStringError("unknown format '" + format +
                             "'; known are isa, bin and fatbin");
  if (rows < 0)
    return createStringError("rows of " + llvm::Twine(rows) +
                             " is less than 0");
  return llvm::Error::success();
}

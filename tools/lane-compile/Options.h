//===- Options.h - Options of lane-compile ----------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_COMPILE_OPTIONS_H
#define LANE_TOOLS_LANE_COMPILE_OPTIONS_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "llvm/Support/CommandLine.h"

namespace lane {

struct Options {
  Options();

  /// Fails where an option has a wrong value or contradicts another.
  llvm::Error check() const;

  bool isGiven(const llvm::cl::Option &option) const {
    return option.getNumOccurrences() != 0;
  }

  llvm::cl::OptionCategory category{"Options of lane-compile"};
  llvm::cl::opt<std::string> input, checkpoint, output, header;
  llvm::cl::opt<bool> isForHost;
  llvm::cl::opt<std::string> cpu, chip, format, toolkit;
  llvm::cl::opt<int64_t> context;
  llvm::cl::opt<PlacementPolicy> policy;
  llvm::cl::opt<std::string> deviceBytes;
  llvm::cl::opt<int64_t> rows;
};

} // namespace lane

#endif // LANE_TOOLS_LANE_COMPILE_OPTIONS_H

//===- HostDescription.h - Parts of a generated program ---------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constants of one program and the calls of its `open`, before they become
// IR. The rows of tables are the runtime's own structures.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_RESIDENCETOHOST_HOSTDESCRIPTION_H
#define LANE_LIB_CONVERSION_RESIDENCETOHOST_HOSTDESCRIPTION_H

#include "lane/Analysis/PoolLayout.h"
#include "lane/Runtime/Description.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace lane {

struct HostDescription {
  /// Prefix of the program's C names: "lane_tiny".
  std::string prefix;
  /// The C identifier of each pointer, and a comment for it.
  std::vector<std::string> identifiers;
  std::vector<std::string> comments;

  int64_t arenaBytes = 0;
  int64_t fixedBytes = 0;
  int64_t spareBytes = 0;
  int64_t numFiles = 0;
  std::vector<lane_upload> uploads;
  std::vector<lane_pointer> pointers;
  std::vector<lane_segment> segments;
  /// NUL-terminated names in sequence.
  std::string fileNames;
  std::string tensorNames;
  std::vector<float> values;
  /// The identifiers of the forms that have steps.
  std::vector<std::string> steps;

  PlacementPolicy policy = PlacementPolicy::LastRead;

  /// The numbers of lane_description; the addresses of its tables are null.
  lane_description getNumbers() const;

  /// A C identifier for a name: other characters become '_'.
  static std::string getIdentifier(llvm::StringRef name);

  /// Functions of the runtime that `open` calls between laneBegin and
  /// laneFinish, in order. Each takes the program and returns nothing.
  llvm::SmallVector<llvm::StringRef> getSteps() const;
};

/// Describes `program`, which has the layout `layout` and places by `policy`.
/// Fails, with a diagnostic, if a file name contains a NUL byte or, with the
/// policy least-traffic, the bytes that a step reads overflow int64.
llvm::FailureOr<HostDescription> describeHost(ProgramOp program,
                                              const ResidencePlan &plan,
                                              const PoolLayout &layout,
                                              PlacementPolicy policy);

/// Adds the description to `module`, at the program's place: constants, and the
/// functions `open` and `close`, in the LLVM dialect or in EmitC.
void buildLLVM(mlir::ModuleOp module, ProgramOp program,
               const HostDescription &description);
void buildEmitC(mlir::ModuleOp module, ProgramOp program,
                const HostDescription &description);

} // namespace lane

#endif // LANE_LIB_CONVERSION_RESIDENCETOHOST_HOSTDESCRIPTION_H

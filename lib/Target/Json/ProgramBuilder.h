//===- ProgramBuilder.h - A program from its description --------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_JSON_PROGRAMBUILDER_H
#define LANE_LIB_TARGET_JSON_PROGRAMBUILDER_H

#include "ProgramDescription.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/IR/Builders.h"

namespace lane::json {

/// Builds the program `name` at `builder`'s insertion point. Emits an error
/// with the buffer and its form and fails if two forms disagree about a
/// constant, or if bytes overflow int64_t.
llvm::LogicalResult buildProgram(const ProgramDescription &description,
                                 llvm::StringRef name, mlir::Location loc,
                                 mlir::OpBuilder &builder);

} // namespace lane::json

#endif // LANE_LIB_TARGET_JSON_PROGRAMBUILDER_H

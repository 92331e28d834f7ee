//===- EmitCpp.h - Generated programs as C++ --------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TARGET_CPP_EMITCPP_H
#define LANE_TARGET_CPP_EMITCPP_H

#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace lane {

/// The two files of a generated program.
enum class CppFile { Source, Header };

/// Prints the result of residence-to-host with target=cpp: the header in C, or
/// the source in C++, which needs only the CUDA runtime, POSIX and the standard
/// library. Fails, with a diagnostic and without output, on any other module.
llvm::LogicalResult emitCpp(mlir::ModuleOp module, CppFile file,
                            llvm::raw_ostream &os);

/// The name of both files without the extension, such as "lane_tiny". The
/// source includes the header by this name.
std::string getCppFileStem(mlir::ModuleOp module);

} // namespace lane

#endif // LANE_TARGET_CPP_EMITCPP_H

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

/// Prints what convert-host-to-emitc made of a program: the header in C, or the
/// source in C++ with all that it needs but the CUDA runtime and the standard
/// library. Fails, with a diagnostic and nothing printed, on another module.
llvm::LogicalResult emitCpp(mlir::ModuleOp module, CppFile file,
                            llvm::raw_ostream &os);

} // namespace lane

#endif // LANE_TARGET_CPP_EMITCPP_H

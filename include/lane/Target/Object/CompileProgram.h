//===- CompileProgram.h - Planned programs to objects -------------*- C++
//-*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TARGET_OBJECT_COMPILEPROGRAM_H
#define LANE_TARGET_OBJECT_COMPILEPROGRAM_H

#include "lane/Conversion/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace lane {

struct CompileOptions {
  /// Steps are loops that a CUDA runtime over host memory runs, rather than
  /// launches of kernels.
  bool isForHost = false;
  /// The CPU of host code, as `emitObject` takes it.
  std::string cpu;
  /// Of kernels, as the pipeline `lane-to-nvvm` takes them.
  std::string chip = "sm_80", features, format = "isa", toolkit;
  HostPolicy policy = HostPolicy::AsPlaced;
};

/// Compiles a module with a planned program and its steps to an object, which
/// links libLaneRuntime.a and a CUDA runtime. The module is in the LLVM dialect
/// afterwards. Fails after a diagnostic.
llvm::FailureOr<llvm::SmallVector<char, 0>>
compileProgram(mlir::ModuleOp planned, const CompileOptions &options);

/// Returns the C header of the object that `compileProgram` makes. The module
/// stays as it is. Fails after a diagnostic.
llvm::FailureOr<std::string> emitObjectHeader(mlir::ModuleOp planned,
                                              HostPolicy policy);

/// Registers the dialects and interfaces that `compileProgram` uses.
void registerCompileDialects(mlir::DialectRegistry &registry);

} // namespace lane

#endif // LANE_TARGET_OBJECT_COMPILEPROGRAM_H

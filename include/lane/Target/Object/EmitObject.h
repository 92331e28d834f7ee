//===- EmitObject.h - Generated programs as objects -------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TARGET_OBJECT_EMITOBJECT_H
#define LANE_TARGET_OBJECT_EMITOBJECT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

namespace lane {

/// Compiles a module in the LLVM dialect, as the pipelines lane-to-llvm and
/// lane-to-nvvm make, to a position independent object for the architecture of
/// this machine. Loops are vectorized for `cpu`, a name that `llc -mcpu` takes:
/// `native` is the CPU of this machine, and the empty name is any CPU of its
/// architecture. Fails, with a diagnostic, where LLVM does not know the CPU or
/// the module does not translate to LLVM IR.
llvm::FailureOr<llvm::SmallVector<char, 0>> emitObject(mlir::ModuleOp module,
                                                       llvm::StringRef cpu);

/// Registers the translations to LLVM IR that `emitObject` uses.
void registerEmitObjectTranslations(mlir::DialectRegistry &registry);

} // namespace lane

#endif // LANE_TARGET_OBJECT_EMITOBJECT_H

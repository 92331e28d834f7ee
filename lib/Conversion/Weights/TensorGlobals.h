//===- TensorGlobals.h - Globals of tensors ---------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads globals of tensors, in the dialects of the compilers that make them, as
// one kind of global. IREE's util dialect is read as unregistered operations.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_WEIGHTS_TENSORGLOBALS_H
#define LANE_LIB_CONVERSION_WEIGHTS_TENSORGLOBALS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace lane::weights {

struct TensorGlobal {
  mlir::Operation *op;
  mlir::StringAttr symbol;
  mlir::RankedTensorType type;
  bool isMutable = false;
  /// The value, if it is in the module.
  mlir::ElementsAttr value;
  /// The name of the value's tensor in a checkpoint, if it is not in the
  /// module, and the scope that distinguishes checkpoints, if there are more.
  mlir::StringAttr tensorName;
  mlir::StringAttr scope;
};

/// Whether the operation declares a global of tensors.
bool isTensorGlobal(mlir::Operation *op);
/// Fails after an error if the global is not one that a memref can hold.
llvm::FailureOr<TensorGlobal> readTensorGlobal(mlir::Operation *op);

/// An operation that loads a global, or stores a value in it.
struct GlobalAccess {
  mlir::Operation *op;
  mlir::SymbolRefAttr symbol;
  bool isStore;

  /// The tensor that is loaded or stored.
  mlir::Value getTensor() const {
    return isStore ? op->getOperand(0) : op->getResult(0);
  }
};
/// None if the operation neither loads nor stores a global of tensors.
std::optional<GlobalAccess> readGlobalAccess(mlir::Operation *op);

/// Whether the operation belongs to a dialect that declares globals of tensors.
bool isInGlobalsDialect(mlir::Operation *op);

} // namespace lane::weights

#endif // LANE_LIB_CONVERSION_WEIGHTS_TENSORGLOBALS_H

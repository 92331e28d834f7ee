//===- Weights.h - Weights of bufferized modules ----------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names and the number formats of weights that are constant memref.globals,
// and their export to a file.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CONVERSION_WEIGHTS_H
#define LANE_CONVERSION_WEIGHTS_H

#include "lane/Support/NumberFormat.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace lane {

/// The name of a global's tensor in a checkpoint: that of its `lane.weight`, or
/// else of its resource, which the author chose, or else the global's, which
/// bufferization chose.
mlir::StringAttr getTensorName(mlir::memref::GlobalOp global);

/// The number format of elements of a memref; none if no format has them.
/// An i1 takes a byte.
std::optional<NumberFormat> getElementFormat(mlir::Type elementType);

/// The values of a constant global. Null if it has none, or only the key of a
/// resource.
mlir::ElementsAttr getValues(mlir::memref::GlobalOp global);

/// The constant globals with values of at least `minBytes` bytes, and the names
/// of their tensors. Globals that share a resource and a type have one name;
/// each other name is the name of one global. Fails, after an error, if a value
/// cannot be in a safetensors file.
llvm::FailureOr<llvm::MapVector<mlir::memref::GlobalOp, mlir::StringAttr>>
nameValues(mlir::ModuleOp module, int64_t minBytes);

/// Writes the values of these globals to `os`, as a safetensors file with the
/// tensors that they name.
void writeValues(
    const llvm::MapVector<mlir::memref::GlobalOp, mlir::StringAttr> &names,
    llvm::raw_ostream &os);

} // namespace lane

#endif // LANE_CONVERSION_WEIGHTS_H

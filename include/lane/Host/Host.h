//===- Host.h - The host dialect --------------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program does on the host, between a plan and the code that keeps it.
// See docs/Reference/HostDialect.md for what each operation means.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_HOST_HOST_H
#define LANE_HOST_HOST_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

#include "lane/Host/HostEnums.h.inc"

#include "lane/Host/HostDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "lane/Host/HostAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "lane/Host/HostTypes.h.inc"

#define GET_OP_CLASSES
#include "lane/Host/HostOps.h.inc"

namespace lane::host {

/// A parameter or result of a CUDA function, as host.cuda has it.
enum class CudaValue { Pointer, Bytes, Number };

/// What a CUDA function takes, and what it returns through pointers, which are
/// its first parameters.
struct CudaSignature {
  llvm::ArrayRef<CudaValue> inputs;
  llvm::ArrayRef<CudaValue> outputs;
};

CudaSignature getCudaSignature(CudaFunction function);

} // namespace lane::host

#endif // LANE_HOST_HOST_H

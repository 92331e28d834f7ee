//===- Passes.h - Conversions of lane programs ------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the passes of Passes.td and registers them: from a plan to host
// functions, and from these to EmitC or to the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CONVERSION_PASSES_H
#define LANE_CONVERSION_PASSES_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
class TypeConverter;
class LLVMTypeConverter;
} // namespace mlir

namespace lane {

#define GEN_PASS_DECL
#include "lane/Conversion/Passes.h.inc"

/// Patterns of the host dialect alone, for pipelines that convert more at once.
void populateHostToEmitCPatterns(mlir::TypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);
void populateHostToEmitCTypes(mlir::TypeConverter &converter);
void populateHostToLLVMPatterns(mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);

#define GEN_PASS_REGISTRATION
#include "lane/Conversion/Passes.h.inc"

} // namespace lane

#endif // LANE_CONVERSION_PASSES_H

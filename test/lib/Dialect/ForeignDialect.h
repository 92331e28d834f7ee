//===- ForeignDialect.h - A dialect outside of Lane -------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_LIB_DIALECT_FOREIGNDIALECT_H
#define LANE_TEST_LIB_DIALECT_FOREIGNDIALECT_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Dialect/Lane/IR/LaneInterfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ForeignDialect.h.inc"

#define GET_OP_CLASSES
#include "ForeignOps.h.inc"

#endif // LANE_TEST_LIB_DIALECT_FOREIGNDIALECT_H

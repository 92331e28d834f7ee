//===- LaneDialect.h - The lane dialect -------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect itself, its enumerations, types and attributes. See
// docs/Dialects/LaneDialect.md, generated from the TableGen files beside this
// one, for what each means.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_IR_LANEDIALECT_H
#define LANE_IR_LANEDIALECT_H

#include "lane/Support/NumberFormat.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "lane/IR/LaneEnums.h.inc"

#include "lane/IR/LaneDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "lane/IR/LaneAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "lane/IR/LaneTypes.h.inc"

namespace lane {

/// The memory which launches read and write. Effects on it do not order a
/// launch against operations on memory of other kinds.
struct DeviceMemory : mlir::SideEffects::Resource::Base<DeviceMemory> {
  llvm::StringRef getName() final { return "lane::DeviceMemory"; }
};

} // namespace lane

#endif // LANE_IR_LANEDIALECT_H

//===- LaneDialect.h - The lane dialect -------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect with its enumerations, types and attributes. The TableGen files
// in this folder define them; docs/Reference/LaneDialect.md is generated from
// those.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_IR_LANEDIALECT_H
#define LANE_DIALECT_LANE_IR_LANEDIALECT_H

#include "lane/Support/MemorySpace.h"
#include "lane/Support/NumberFormat.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "lane/Dialect/Lane/IR/LaneEnums.h.inc"

#include "lane/Dialect/Lane/IR/LaneDialect.h.inc"

namespace mlir {
class AsmParser;
class AsmPrinter;
} // namespace mlir

namespace lane {

/// The entry of a matrix in the residence plan: the value of #lane.residence.
struct Residence {
  MatrixClass matrixClass = MatrixClass::Other;
  /// Index of the last top-level launch of the decode form that reads it.
  int64_t lastRead = 0;
  /// Position in the order in which uploads leave the device.
  int64_t rank = 0;
  /// Bytes in a pool.
  int64_t bytes = 0;

  bool operator==(const Residence &other) const {
    return matrixClass == other.matrixClass && lastRead == other.lastRead &&
           rank == other.rank && bytes == other.bytes;
  }
  bool operator!=(const Residence &other) const { return !(*this == other); }
};

inline llvm::hash_code hash_value(const Residence &residence) {
  return llvm::hash_combine(residence.matrixClass, residence.lastRead,
                            residence.rank, residence.bytes);
}

/// Bytes of each array of a quantized storage of `length` elements: the quants,
/// an f32 scale for each block, and with two-pass numerics a second plane of
/// quants.
llvm::SmallVector<int64_t, 3> getQuantizedArrayBytes(int64_t length,
                                                     Numerics numerics);

/// Parses and prints `<class = gather, last_read = 0, rank = 0, bytes = 256>`.
mlir::ParseResult parseResidence(mlir::AsmParser &parser, Residence &residence);
void printResidence(mlir::AsmPrinter &printer, const Residence &residence);

} // namespace lane

#define GET_ATTRDEF_CLASSES
#include "lane/Dialect/Lane/IR/LaneAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "lane/Dialect/Lane/IR/LaneTypes.h.inc"

namespace lane {

/// The memory that launches read and write. Effects on it do not order a launch
/// with operations on other memory.
struct DeviceMemory : mlir::SideEffects::Resource::Base<DeviceMemory> {
  llvm::StringRef getName() final { return "lane::DeviceMemory"; }
};

} // namespace lane

#endif // LANE_DIALECT_LANE_IR_LANEDIALECT_H

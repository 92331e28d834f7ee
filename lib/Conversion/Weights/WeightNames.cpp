//===- WeightNames.cpp - Names and formats of weights ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Weights.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace lane;

StringAttr lane::getTensorName(memref::GlobalOp global) {
  if (auto name = global->getAttrOfType<StringAttr>("lane.weight"))
    return name;
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(
      global.getInitialValue().value_or(Attribute()));
  if (!resource)
    return global.getSymNameAttr();
  return StringAttr::get(global.getContext(), resource.getRawHandle().getKey());
}

std::optional<NumberFormat> lane::getElementFormat(Type elementType) {
  if (elementType.isF32())
    return NumberFormat::F32;
  if (elementType.isF16())
    return NumberFormat::F16;
  if (elementType.isBF16())
    return NumberFormat::BF16;
  if (elementType.isF64())
    return NumberFormat::F64;
  if (elementType.isInteger(1) || elementType.isInteger(8))
    return NumberFormat::I8;
  if (elementType.isInteger(16))
    return NumberFormat::I16;
  if (elementType.isInteger(32))
    return NumberFormat::I32;
  if (elementType.isInteger(64))
    return NumberFormat::I64;
  return std::nullopt;
}

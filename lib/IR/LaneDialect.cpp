//===- LaneDialect.cpp - The lane dialect ---------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/IR/LaneDialect.h"
#include "lane/IR/LaneOps.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace lane;

#include "lane/IR/LaneDialect.cpp.inc"
#include "lane/IR/LaneEnums.cpp.inc"

void LaneDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "lane/IR/LaneOps.cpp.inc"
      >();
}

/// `lane.scratch` is where launches of other dialects keep their scratch.
LogicalResult LaneDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  if (attr.getName() != "lane.scratch")
    return op->emitOpError()
           << "has an unknown attribute '" << attr.getName().getValue()
           << "' of the lane dialect";
  auto scratch = dyn_cast<ArrayAttr>(attr.getValue());
  if (!scratch || !llvm::all_of(scratch, llvm::IsaPred<ScratchAttr>))
    return op->emitOpError()
           << "'lane.scratch' must be an array of #lane.scratch";
  auto launch = dyn_cast<LaunchOpInterface>(op);
  if (!launch)
    return op->emitOpError() << "has 'lane.scratch' but is no launch";
  if (launch.getScratchAttr() != scratch)
    return op->emitOpError()
           << "has 'lane.scratch', but keeps its scratch elsewhere";
  return success();
}

//===- HoistAllocas.cpp - The pass hoist-allocas --------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace lane {
#define GEN_PASS_DEF_HOISTALLOCASPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;

namespace {
struct HoistAllocasPass
    : public lane::impl::HoistAllocasPassBase<HoistAllocasPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    Block &entry = function.getBody().front();
    SmallVector<memref::AllocaOp> arrays;
    function.walk([&](memref::AllocaOp array) {
      if (array.getOperands().empty() && array->getBlock() != &entry)
        arrays.push_back(array);
    });
    for (memref::AllocaOp array : llvm::reverse(arrays))
      array->moveBefore(&entry, entry.begin());
  }
};
} // namespace

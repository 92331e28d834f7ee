//===- CheckDeviceCode.cpp - The pass check-device-code -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace lane {
#define GEN_PASS_DEF_CHECKDEVICECODEPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

namespace {
struct CheckDeviceCodePass
    : public lane::impl::CheckDeviceCodePassBase<CheckDeviceCodePass> {
  using CheckDeviceCodePassBase::CheckDeviceCodePassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (failed(check(function)))
        return signalPassFailure();
  }

  LogicalResult check(LLVM::LLVMFuncOp function) {
    if (!function.isExternal())
      return success();
    if (function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
      return emitError(function.getLoc())
             << "kernel '" << function.getSymName()
             << "' has no code to compile for a GPU";
    if (function.getSymName().starts_with("__nv_") && !hasToolkit)
      return emitError(getOperation().getLoc())
             << "a kernel calls '" << function.getSymName()
             << "' of CUDA's device library, but no CUDA Toolkit was found: "
                "set the option toolkit or the environment variable CUDA_ROOT";
    return success();
  }
};
} // namespace

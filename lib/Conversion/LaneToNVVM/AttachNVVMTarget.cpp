//===- AttachNVVMTarget.cpp - The pass attach-nvvm-target -----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

namespace lane {
#define GEN_PASS_DEF_ATTACHNVVMTARGETPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
}

static constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";

/// Upstream stops the process where LLVM does not know a chip.
static LogicalResult checkChip(Location loc, StringRef chip) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  llvm::Triple triple(kTriple);
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return emitError(loc) << "LLVM has no target " << kTriple;
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, /*CPU=*/"", /*Features=*/""));
  if (!info || !info->isCPUStringValid(chip))
    return emitError(loc) << "unknown chip '" << chip
                          << "', expected one such as sm_90";
  return success();
}

namespace {
struct AttachNVVMTargetPass
    : public lane::impl::AttachNVVMTargetPassBase<AttachNVVMTargetPass> {
  using AttachNVVMTargetPassBase::AttachNVVMTargetPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkChip(module.getLoc(), chip)))
      return signalPassFailure();
    auto target = NVVM::NVVMTargetAttr::get(&getContext(), /*optLevel=*/3,
                                            kTriple, chip, features);
    Builder builder(&getContext());
    for (auto kernels : module.getOps<gpu::GPUModuleOp>())
      if (!kernels.getTargetsAttr())
        kernels.setTargetsAttr(builder.getArrayAttr(target));
  }
};
} // namespace

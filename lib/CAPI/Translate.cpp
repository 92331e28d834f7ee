//===- Translate.cpp - Imports and exports for C --------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane-c/Translate.h"
#include "lane/Checkpoint/File.h"
#include "lane/Conversion/Passes.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "lane/Target/Cpp/EmitCpp.h"
#include "lane/Target/GGUF/ImportGGUF.h"
#include "lane/Target/Json/Json.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace lane;

MlirModule laneImportGGUF(MlirContext context, MlirStringRef path,
                          LaneImportOptions options) {
  MLIRContext *ctx = unwrap(context);
  ctx->loadDialect<LaneDialect>();
  auto fail = [&](llvm::Error error) {
    emitError(UnknownLoc::get(ctx)) << llvm::toString(std::move(error));
    return MlirModule{nullptr};
  };
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      openFile(unwrap(path));
  if (!buffer)
    return fail(buffer.takeError());
  llvm::Expected<gguf::Checkpoint> checkpoint =
      gguf::Checkpoint::open(std::move(*buffer));
  if (!checkpoint)
    return fail(checkpoint.takeError());
  return wrap(importGGUF(*checkpoint,
                         {options.contextLength, options.prefillRows,
                          options.batchRows, options.isGeneric},
                         ctx)
                  .release());
}

MlirModule laneImportJson(MlirContext context, MlirStringRef text) {
  MLIRContext *ctx = unwrap(context);
  ctx->loadDialect<LaneDialect>();
  return wrap(importJson({unwrap(text), "program.json"}, ctx).release());
}

MlirLogicalResult laneExportPlanJson(MlirModule module,
                                     MlirStringCallback callback,
                                     void *userData) {
  mlir::detail::CallbackOstream os(callback, userData);
  return wrap(exportPlanJson(unwrap(module), os));
}

MlirLogicalResult laneEmitCpp(MlirModule module, LanePlacementPolicy policy,
                              LaneCppFile file, MlirStringCallback callback,
                              void *userData) {
  OwningOpRef<ModuleOp> copy = unwrap(module).clone();
  PassManager passes(copy->getContext());
  ResidenceToHostPassOptions options;
  options.target = HostTarget::Cpp;
  options.policy = policy == LanePlacementPolicyLeastTraffic
                       ? HostPolicy::LeastTraffic
                       : HostPolicy::LastRead;
  passes.addPass(createResidenceToHostPass(options));
  if (failed(passes.run(*copy)))
    return wrap(failure());
  mlir::detail::CallbackOstream os(callback, userData);
  return wrap(emitCpp(
      *copy, file == LaneCppFileHeader ? CppFile::Header : CppFile::Source,
      os));
}

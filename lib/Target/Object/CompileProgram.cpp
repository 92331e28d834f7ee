//===- CompileProgram.cpp - Planned programs to objects
//-------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Target/Object/CompileProgram.h"
#include "lane/Conversion/StepDialects.h"
#include "lane/Target/Cpp/EmitCpp.h"
#include "lane/Target/Object/EmitObject.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace lane;

FailureOr<SmallVector<char, 0>>
lane::compileProgram(ModuleOp planned, const CompileOptions &options) {
  PassManager passes(planned.getContext());
  if (options.isForHost) {
    LaneToLLVMOptions host;
    host.policy = options.policy;
    buildLaneToLLVMPipeline(passes, host);
  } else {
    LaneToNVVMOptions device;
    device.chip = options.chip;
    device.features = options.features;
    device.format = options.format;
    device.toolkit = options.toolkit;
    device.policy = options.policy;
    buildLaneToNVVMPipeline(passes, device);
  }
  if (failed(passes.run(planned)))
    return failure();
  return emitObject(planned, options.cpu);
}

FailureOr<std::string> lane::emitObjectHeader(ModuleOp planned,
                                              HostPolicy policy) {
  OwningOpRef<ModuleOp> copy = planned.clone();
  PassManager passes(planned.getContext());
  ResidenceToHostPassOptions host;
  host.target = HostTarget::Cpp;
  host.policy = policy;
  passes.addPass(createResidenceToHostPass(host));
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(passes.run(*copy)) || failed(emitCpp(*copy, CppFile::Header, os)))
    return failure();
  return text;
}

void lane::registerCompileDialects(DialectRegistry &registry) {
  registry.insert<LaneDialect>();
  registerStepDialects(registry);
  registerLaneToNVVMExtensions(registry);
  registerEmitObjectTranslations(registry);
}

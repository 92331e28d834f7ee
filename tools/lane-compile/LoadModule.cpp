//===- LoadModule.cpp - Reads the input of lane-compile -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadModule.h"
#include "lane/Checkpoint/CheckpointFormat.h"
#include "lane/Checkpoint/File.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace lane;

void lane::registerInputDialects(DialectRegistry &registry) {
  registry.insert<DLTIDialect, bufferization::BufferizationDialect,
                  ml_program::MLProgramDialect, tensor::TensorDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  vector::registerBufferizableOpInterfaceExternalModels(registry);
}

static OwningOpRef<ModuleOp> parse(StringRef path, MLIRContext *context) {
  Location loc = UnknownLoc::get(context);
  if (path != "-") {
    llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = openFile(path);
    if (!buffer) {
      emitError(loc) << llvm::toString(buffer.takeError());
      return {};
    }
    if (const CheckpointFormat *format =
            lookupCheckpointFormat((*buffer)->getBuffer(), path)) {
      emitError(loc) << path << " is a " << format->name
                     << " checkpoint: give the module, and the checkpoint with "
                        "--checkpoint";
      return {};
    }
  }
  return parseSourceFile<ModuleOp>(path, context);
}

/// A program has its checkpoint and its context.
static LogicalResult checkOptions(ProgramOp program, const Options &options) {
  for (const llvm::cl::Option *option :
       {static_cast<const llvm::cl::Option *>(&options.checkpoint),
        static_cast<const llvm::cl::Option *>(&options.context)})
    if (options.isGiven(*option))
      return emitError(UnknownLoc::get(program.getContext()))
             << options.input.getValue() << " has the lane.program '"
             << program.getSymName() << "' already, so it takes no --"
             << option->ArgStr;
  return success();
}

static bool hasTensors(ModuleOp module) {
  auto isTensor = llvm::IsaPred<TensorType>;
  return module
      .walk([&](Operation *op) {
        bool isOnTensors = llvm::any_of(op->getOperandTypes(), isTensor) ||
                           llvm::any_of(op->getResultTypes(), isTensor);
        if (auto function = dyn_cast<FunctionOpInterface>(op))
          isOnTensors |= llvm::any_of(function.getArgumentTypes(), isTensor);
        return isOnTensors ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

OwningOpRef<ModuleOp> lane::loadModule(const Options &options,
                                       MLIRContext *context) {
  OwningOpRef<ModuleOp> module = parse(options.input, context);
  if (!module)
    return {};
  // A program is taken as it is, with its steps.
  auto programs = module->getOps<ProgramOp>();
  if (!programs.empty()) {
    if (failed(checkOptions(*programs.begin(), options)))
      return {};
    return module;
  }
  PassManager passes(context);
  if (hasTensors(*module)) {
    bufferization::OneShotBufferizePassOptions bufferize;
    bufferize.bufferizeFunctionBoundaries = true;
    // Arguments stay row-major.
    bufferize.functionBoundaryTypeConversion =
        bufferization::LayoutMapOption::IdentityLayoutMap;
    passes.addPass(bufferization::createOneShotBufferizePass(bufferize));
  }
  // torch-mlir declares the seed of its random numbers in every module.
  passes.addPass(createSymbolDCEPass());
  if (failed(passes.run(*module)))
    return {};
  return module;
}

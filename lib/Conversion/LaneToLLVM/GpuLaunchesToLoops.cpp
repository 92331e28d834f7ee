//===- GpuLaunchesToLoops.cpp - The pass gpu-launches-to-loops ------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace lane {
#define GEN_PASS_DEF_GPULAUNCHESTOLOOPSPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The index arguments of a kernel's function, after those of the kernel: three
/// dimensions of each.
enum IndexKind { ThreadId, BlockId, BlockDim, GridDim, NumIndexKinds };

static Value getIndex(func::FuncOp function, IndexKind kind,
                      gpu::Dimension dimension) {
  unsigned first = function.getNumArguments() - 3 * NumIndexKinds;
  return function.getArgument(first + 3 * kind + unsigned(dimension));
}

/// The value of an operation that is an index of the thread; null for any
/// other.
static Value lowerIndex(Operation *op, func::FuncOp function) {
  OpBuilder builder(op);
  auto get = [&](IndexKind kind, gpu::Dimension dimension) {
    return getIndex(function, kind, dimension);
  };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return get(ThreadId, id.getDimension());
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return get(BlockId, id.getDimension());
  if (auto size = dyn_cast<gpu::BlockDimOp>(op))
    return get(BlockDim, size.getDimension());
  if (auto size = dyn_cast<gpu::GridDimOp>(op))
    return get(GridDim, size.getDimension());
  auto id = dyn_cast<gpu::GlobalIdOp>(op);
  if (!id)
    return {};
  Value start = arith::MulIOp::create(builder, op->getLoc(),
                                      get(BlockId, id.getDimension()),
                                      get(BlockDim, id.getDimension()));
  return arith::AddIOp::create(builder, op->getLoc(), start,
                               get(ThreadId, id.getDimension()));
}

static bool isIndex(Operation *op) {
  return isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp,
             gpu::GlobalIdOp>(op);
}

/// A memref in memory that threads share, or that each has of its own.
static bool isInGpuMemory(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref && memref.getMemorySpace();
}

/// Refuses what threads do together.
static LogicalResult check(gpu::GPUFuncOp kernel) {
  auto refuse = [&](Operation *op) {
    return op->emitError() << "kernel '" << kernel.getName() << "' ";
  };
  if (kernel.getNumWorkgroupAttributions() != 0)
    return refuse(kernel) << "has workgroup memory, which loops over its "
                             "threads do not have on the host";
  for (Type type : kernel.getBody().getArgumentTypes())
    if (isInGpuMemory(type))
      return refuse(kernel) << "has a memref of type " << type
                            << ", which is not memory of the host";
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (op == kernel || isIndex(op) || isa<gpu::ReturnOp>(op))
      return WalkResult::advance();
    if (isa_and_nonnull<gpu::GPUDialect, NVVM::NVVMDialect>(op->getDialect()))
      return refuse(op) << "has '" << op->getName()
                        << "', which loops over its threads cannot run on the "
                           "host";
    if (isa<CallOpInterface>(op))
      return refuse(op) << "calls a function: inline it before this pass";
    for (Type type : op->getResultTypes())
      if (isInGpuMemory(type))
        return refuse(op) << "has a memref of type " << type
                          << ", which is not memory of the host";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Makes a function that runs one thread of `kernel`, at the end of the module.
static func::FuncOp makeFunction(gpu::GPUFuncOp kernel, SymbolTable &symbols) {
  auto *context = kernel.getContext();
  SmallVector<Type> inputs(kernel.getArgumentTypes());
  inputs.append(3 * NumIndexKinds, IndexType::get(context));
  auto function =
      func::FuncOp::create(kernel.getLoc(), kernel.getName(),
                           FunctionType::get(context, inputs, TypeRange()));
  function.setPrivate();
  // Other objects may have a function of the same name.
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
  symbols.insert(function);
  IRMapping mapping;
  kernel.getBody().cloneInto(&function.getBody(), mapping);
  Block &entry = function.getBody().front();
  for (unsigned i = 0; i < 3 * NumIndexKinds; ++i)
    entry.addArgument(inputs.back(), kernel.getLoc());
  function.walk([&](Operation *op) {
    if (Value index = lowerIndex(op, function)) {
      op->replaceAllUsesWith(ValueRange(index));
      op->erase();
    } else if (isa<gpu::ReturnOp>(op)) {
      OpBuilder builder(op);
      func::ReturnOp::create(builder, op->getLoc());
      op->erase();
    }
  });
  return function;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Replaces a launch by loops over its blocks and threads, x the innermost.
static void makeLoops(gpu::LaunchFuncOp launch, func::FuncOp function) {
  OpBuilder builder(launch);
  Location loc = launch.getLoc();
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  // A size may be an integer.
  auto toIndex = [&](Value size) -> Value {
    if (size.getType().isIndex())
      return size;
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      size);
  };
  SmallVector<Value> sizes;
  for (Value size : {grid.z, grid.y, grid.x, block.z, block.y, block.x})
    sizes.push_back(toIndex(size));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> zeros(sizes.size(), zero), ones(sizes.size(), one);
  scf::buildLoopNest(
      builder, loc, zeros, sizes, ones,
      [&](OpBuilder &inner, Location, ValueRange ids) {
        SmallVector<Value> arguments(launch.getKernelOperands());
        arguments.append({ids[5], ids[4], ids[3], ids[2], ids[1], ids[0]});
        arguments.append(
            {sizes[5], sizes[4], sizes[3], sizes[2], sizes[1], sizes[0]});
        func::CallOp::create(inner, loc, function, arguments);
      });
}

/// Replaces copies, fills and waits of a stream by what the host does at once.
static void lowerStreamOperation(Operation *op) {
  OpBuilder builder(op);
  if (auto copy = dyn_cast<gpu::MemcpyOp>(op))
    memref::CopyOp::create(builder, op->getLoc(), copy.getSrc(), copy.getDst());
  else if (auto fill = dyn_cast<gpu::MemsetOp>(op))
    linalg::FillOp::create(builder, op->getLoc(), fill.getValue(),
                           fill.getDst());
}

namespace {
struct GpuLaunchesToLoopsPass
    : public lane::impl::GpuLaunchesToLoopsPassBase<GpuLaunchesToLoopsPass> {
  using GpuLaunchesToLoopsPassBase::GpuLaunchesToLoopsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    DenseMap<Operation *, func::FuncOp> functions;
    for (auto step : llvm::to_vector(module.getOps<func::FuncOp>()))
      if (step->hasAttr("lane.step") && failed(lower(step, symbols, functions)))
        return signalPassFailure();
    for (auto kernels :
         llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
      kernels.erase();
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }

  LogicalResult lower(func::FuncOp step, SymbolTable &symbols,
                      DenseMap<Operation *, func::FuncOp> &functions) {
    SmallVector<Operation *> operations;
    WalkResult result = step.walk([&](Operation *op) -> WalkResult {
      if (isa<gpu::LaunchFuncOp, gpu::MemcpyOp, gpu::MemsetOp, gpu::WaitOp>(op))
        operations.push_back(op);
      else if (isa_and_nonnull<gpu::GPUDialect>(op->getDialect()))
        return op->emitOpError("cannot run on the host");
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    for (Operation *op : operations) {
      auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
      if (!launch) {
        lowerStreamOperation(op);
        continue;
      }
      auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
          launch, launch.getKernelAttr());
      if (!kernel || kernel.isExternal())
        return launch.emitError()
               << "kernel '" << launch.getKernelName().getValue()
               << "' has no code that can run on the host";
      func::FuncOp &function = functions[kernel];
      if (!function) {
        if (failed(check(kernel)))
          return failure();
        function = makeFunction(kernel, symbols);
      }
      makeLoops(launch, function);
    }
    // The host does everything in order, so tokens have no use.
    for (Operation *op : llvm::reverse(operations)) {
      op->dropAllUses();
      op->erase();
    }
    return success();
  }
};
} // namespace

//===- StepMaker.cpp - Functions as steps of forms ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepMaker.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace lane;
using namespace lane::linalgtolane;

/// A `lane.get_memref` of `buffer` with the type of `memref`.
static Value makeMemref(OpBuilder &builder, Value memref, FormOp form,
                        Value buffer) {
  auto program = form->getParentOfType<ProgramOp>();
  auto op = buffer.getDefiningOp<BufferOpInterface>();
  // A reference names a symbol of the program; others are buffers of the form.
  auto ref = dyn_cast<RefOp>(op.getOperation());
  auto leaf =
      ref ? ref.getSymbolAttr() : FlatSymbolRefAttr::get(form.getSymNameAttr());
  auto symbol = SymbolRefAttr::get(program.getSymNameAttr(), leaf);
  return GetMemrefOp::create(builder, memref.getLoc(),
                             cast<MemRefType>(memref.getType()), symbol,
                             ref ? StringAttr() : op.getBufferName());
}

/// Replaces an allocation, which may be in a chain of tokens.
static void replaceAllocation(Operation *op, Value memref) {
  OpBuilder builder(op);
  op->getResult(0).replaceAllUsesWith(memref);
  auto alloc = dyn_cast<gpu::AllocOp>(op);
  if (alloc && alloc.getAsyncToken()) {
    auto wait = gpu::WaitOp::create(builder, op->getLoc(),
                                    alloc.getAsyncToken().getType(),
                                    alloc.getAsyncDependencies());
    alloc.getAsyncToken().replaceAllUsesWith(wait.getAsyncToken());
  }
  op->erase();
}

static void eraseDeallocation(Operation *op) {
  OpBuilder builder(op);
  auto dealloc = dyn_cast<gpu::DeallocOp>(op);
  if (dealloc && dealloc.getAsyncToken()) {
    auto wait = gpu::WaitOp::create(builder, op->getLoc(),
                                    dealloc.getAsyncToken().getType(),
                                    dealloc.getAsyncDependencies());
    dealloc.getAsyncToken().replaceAllUsesWith(wait.getAsyncToken());
  }
  op->erase();
}

static void replaceMemrefs(Block &block, FormOp form,
                           const BufferMap &buffers) {
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  for (BlockArgument argument : block.getArguments())
    if (Value buffer = buffers.lookup(argument))
      argument.replaceAllUsesWith(makeMemref(builder, argument, form, buffer));
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<memref::DeallocOp, gpu::DeallocOp>(op)) {
      eraseDeallocation(&op);
    } else if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp,
                   gpu::AllocOp>(op)) {
      if (Value buffer = buffers.lookup(op.getResult(0))) {
        builder.setInsertionPoint(&op);
        replaceAllocation(&op,
                          makeMemref(builder, op.getResult(0), form, buffer));
      }
    }
  }
}

/// Erases what no launch uses, such as allocations of nothing.
static void eraseUnused(Block &block) {
  SmallVector<Operation *> operations;
  for (Operation &op : block.without_terminator())
    operations.push_back(&op);
  for (Operation *op : llvm::reverse(operations))
    if (isOpTriviallyDead(op))
      op->erase();
}

static void clearSignature(func::FuncOp function) {
  Block &block = function.getBody().front();
  block.getTerminator()->setOperands({});
  (void)function.eraseResults(BitVector(function.getNumResults(), true));
  BitVector erased(function.getNumArguments());
  for (BlockArgument argument : block.getArguments())
    if (argument.use_empty())
      erased.set(argument.getArgNumber());
  (void)function.eraseArguments(erased);
}

static std::string makeName(ModuleOp module, StringRef form) {
  std::string name = (form + "_step").str();
  while (SymbolTable::lookupSymbolIn(module, name))
    name += '_';
  return name;
}

void linalgtolane::makeStep(func::FuncOp function, FormOp form,
                            const BufferMap &buffers) {
  Block &block = function.getBody().front();
  replaceMemrefs(block, form, buffers);
  clearSignature(function);
  eraseUnused(block);
  auto program = form->getParentOfType<ProgramOp>();
  function.setSymName(
      makeName(function->getParentOfType<ModuleOp>(), form.getSymName()));
  function->setAttr(
      "lane.step",
      SymbolRefAttr::get(program.getSymNameAttr(),
                         FlatSymbolRefAttr::get(form.getSymNameAttr())));
  // The form has these.
  function->removeAttr("lane.prefill_rows");
  function->removeAttr("lane.batch_rows");
}

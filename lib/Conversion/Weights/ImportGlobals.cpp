//===- ImportGlobals.cpp - The pass import-globals ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream bufferizes neither external values of ml_program nor its loads of
// constants, and a store may copy from a buffer that was never written. So the
// globals become memrefs before bufferization, and their loads and stores
// operations that bufferization knows.
//
//===----------------------------------------------------------------------===//

#include "TensorGlobals.h"
#include "lane/Conversion/Passes.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace lane {
#define GEN_PASS_DEF_IMPORTGLOBALSPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;
using namespace lane::weights;

using GlobalMap = llvm::MapVector<StringAttr, TensorGlobal>;

/// Reads the globals of the module. Fails after an error.
static LogicalResult readGlobals(ModuleOp module, GlobalMap &globals) {
  DenseMap<StringAttr, StringAttr> scopes;
  for (Operation &op : *module.getBody()) {
    if (!isTensorGlobal(&op))
      continue;
    FailureOr<TensorGlobal> global = readTensorGlobal(&op);
    if (failed(global))
      return failure();
    if (!globals.insert({global->symbol, *global}).second)
      return op.emitOpError()
             << "@" << global->symbol.getValue() << " is declared twice";
    if (!global->scope)
      continue;
    auto [it, isNew] = scopes.try_emplace(global->tensorName, global->scope);
    if (!isNew && it->second != global->scope)
      return op.emitOpError()
             << "@" << global->symbol.getValue() << " has "
             << global->tensorName << " of scope " << global->scope
             << ", but scope " << it->second << " has that name too";
  }
  return success();
}

/// Finds the loads and stores. Fails after an error if one is not of a global
/// of the module, or if the dialect of a global has other operations.
static LogicalResult findAccesses(ModuleOp module, const GlobalMap &globals,
                                  SmallVectorImpl<GlobalAccess> &accesses) {
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    std::optional<GlobalAccess> access = readGlobalAccess(op);
    if (!access) {
      if (!isInGlobalsDialect(op) ||
          (isTensorGlobal(op) && op->getParentOp() == module))
        return WalkResult::advance();
      return op->emitOpError() << "is not an operation that import-globals "
                                  "takes";
    }
    const auto *it = globals.find(access->symbol.getLeafReference());
    if (it == globals.end() || !access->symbol.getNestedReferences().empty())
      return op->emitOpError()
             << access->symbol << " is not a global of the module";
    Type type = access->getTensor().getType();
    if (type != it->second.type)
      return op->emitOpError() << "has " << type << ", but " << access->symbol
                               << " has " << it->second.type;
    if (access->isStore && !it->second.isMutable)
      return op->emitOpError()
             << "stores to " << access->symbol << ", which is not mutable";
    accesses.push_back(*access);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Whether a use of `loaded`, or of a tensor that may share its buffer, comes
/// after `store`, which is in the same block.
static bool isUsedAfter(Value loaded, Operation *store) {
  SmallVector<Value> worklist = {loaded};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (Operation *user : value.getUsers()) {
      Operation *inBlock = store->getBlock()->findAncestorOpInBlock(*user);
      if (!inBlock || store->isBeforeInBlock(inBlock))
        return true;
      // An operation writes its results to a buffer of their own: the memref of
      // a global is not writable.
      if (isa<DestinationStyleOpInterface>(inBlock))
        continue;
      llvm::copy_if(
          inBlock->getResults(), std::back_inserter(worklist),
          [](Value result) { return isa<TensorType>(result.getType()); });
    }
  }
  return false;
}

/// Whether the memref of a global may change before the last use of `load`,
/// whose tensor is the value at the load.
static bool needsCopy(const GlobalAccess &load,
                      ArrayRef<GlobalAccess> accesses) {
  auto function = load.op->getParentOfType<FunctionOpInterface>();
  if (!function)
    return false;
  auto mayChangeBeforeUse = [&](Operation *store) {
    if (store->getBlock() != load.op->getBlock() ||
        load.op->getParentOp() != function)
      return true;
    return load.op->isBeforeInBlock(store) &&
           isUsedAfter(load.getTensor(), store);
  };
  for (const GlobalAccess &access : accesses)
    if (access.isStore && access.symbol == load.symbol &&
        function->isAncestor(access.op) && mayChangeBeforeUse(access.op))
      return true;
  // A callee may store.
  WalkResult result = function.walk([&](CallOpInterface call) {
    return mayChangeBeforeUse(call) ? WalkResult::interrupt()
                                    : WalkResult::advance();
  });
  return result.wasInterrupted();
}

static MemRefType getMemRefType(RankedTensorType type) {
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// Replaces a global by a memref.global, which keeps its attributes of Lane.
static void replaceGlobal(const TensorGlobal &global) {
  OpBuilder builder(global.op);
  Attribute value = global.value;
  if (!value)
    value = builder.getUnitAttr();
  auto memref = memref::GlobalOp::create(
      builder, global.op->getLoc(), global.symbol.getValue(),
      builder.getStringAttr("private"), getMemRefType(global.type), value,
      /*constant=*/!global.isMutable, /*alignment=*/IntegerAttr());
  for (NamedAttribute attr : global.op->getDiscardableAttrs())
    if (isa_and_nonnull<LaneDialect>(attr.getNameDialect()))
      memref->setAttr(attr.getName(), attr.getValue());
  if (!global.isMutable && !memref->hasAttr("lane.weight"))
    memref->setAttr("lane.weight",
                    global.tensorName ? global.tensorName : global.symbol);
  global.op->erase();
}

/// Replaces a load or a store by its memref and an operation that
/// bufferization knows.
static void replaceAccess(const GlobalAccess &access, RankedTensorType type,
                          bool copies) {
  OpBuilder builder(access.op);
  Location loc = access.op->getLoc();
  Value memref =
      memref::GetGlobalOp::create(builder, loc, getMemRefType(type),
                                  access.symbol.getLeafReference().getValue());
  if (access.isStore) {
    bufferization::MaterializeInDestinationOp::create(
        builder, loc, /*result=*/Type(), access.getTensor(), memref,
        /*restrict=*/false, /*writable=*/true);
  } else {
    Value tensor = bufferization::ToTensorOp::create(
        builder, loc, type, memref, /*restrict=*/true, /*writable=*/false);
    if (copies)
      tensor = bufferization::AllocTensorOp::create(
          builder, loc, type, /*dynamicSizes=*/ValueRange(), /*copy=*/tensor);
    access.getTensor().replaceAllUsesWith(tensor);
  }
  access.op->erase();
}

namespace {
struct ImportGlobalsPass
    : public lane::impl::ImportGlobalsPassBase<ImportGlobalsPass> {
  using ImportGlobalsPassBase::ImportGlobalsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    GlobalMap globals;
    SmallVector<GlobalAccess> accesses;
    if (failed(readGlobals(module, globals)) ||
        failed(findAccesses(module, globals, accesses)))
      return signalPassFailure();
    auto getGlobal = [&](const GlobalAccess &access) -> const TensorGlobal & {
      return globals.find(access.symbol.getLeafReference())->second;
    };
    SmallVector<bool> copies;
    for (const GlobalAccess &access : accesses)
      copies.push_back(!access.isStore && getGlobal(access).isMutable &&
                       needsCopy(access, accesses));
    for (auto [access, isCopied] : llvm::zip_equal(accesses, copies))
      replaceAccess(access, getGlobal(access).type, isCopied);
    for (const auto &[symbol, global] : globals)
      replaceGlobal(global);
  }
};
} // namespace

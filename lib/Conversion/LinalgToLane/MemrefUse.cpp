//===- MemrefUse.cpp - How code uses a memref -----------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemrefUse.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace lane;
using namespace lane::linalgtolane;

IndexSources linalgtolane::findSources(Value index) {
  IndexSources sources;
  SmallVector<Value> worklist = {index};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (isa<linalg::LinalgOp>(parent))
        sources.elements.push_back(argument);
      else if (!isa<FunctionOpInterface>(parent))
        sources.hasLoop = true;
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (isa<memref::LoadOp>(op))
      sources.hasLoad = true;
    else if (op->getNumRegions() != 0 ||
             (op->getNumOperands() == 0 &&
              !op->hasTrait<OpTrait::ConstantLike>()))
      sources.hasLoop = true;
    else
      llvm::append_range(worklist, op->getOperands());
  }
  return sources;
}

MemrefUse linalgtolane::getUse(OpOperand &operand) {
  Operation *user = operand.getOwner();
  Value memref = operand.get();
  if (auto load = dyn_cast<memref::LoadOp>(user))
    return {/*reads=*/true, /*writes=*/false,
            !load.getIndices().empty() &&
                findSources(load.getIndices().front()).isData()};
  if (auto view = dyn_cast<ViewLikeOpInterface>(user);
      view && view.getViewSource() == memref) {
    MemrefUse use;
    for (OpOperand &viewed : view->getUses())
      use.add(getUse(viewed));
    // The offset of a view is not analyzed.
    use.isIndexed = false;
    return use;
  }
  auto effects = dyn_cast<MemoryEffectOpInterface>(user);
  if (!effects)
    return {/*reads=*/true, /*writes=*/true, /*isIndexed=*/false};
  return {effects.getEffectOnValue<MemoryEffects::Read>(memref).has_value(),
          effects.getEffectOnValue<MemoryEffects::Write>(memref).has_value(),
          /*isIndexed=*/false};
}

//===- UpstreamLaunches.cpp - Upstream operations as launches -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/UpstreamLaunches.h"
#include "lane/Dialect/Lane/IR/LaneInterfaces.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace lane;

Value lane::getViewedMemref(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

bool lane::isWeightMemref(Value memref) {
  if (auto get = memref.getDefiningOp<memref::GetGlobalOp>()) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    return global && global.getConstant();
  }
  auto argument = dyn_cast<BlockArgument>(memref);
  if (!argument)
    return false;
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function &&
         function.getArgAttr(argument.getArgNumber(), "lane.weight");
}

namespace {
/// What an index is computed from.
struct IndexSources {
  /// Elements of a linalg operation's operands.
  SmallVector<BlockArgument> elements;
  bool hasLoad = false;
  /// What takes many values for one datum: a loop's index, a thread's number.
  bool hasLoop = false;

  /// Each datum names one index; with a loop in it, it may name all of them.
  bool isData() const { return (hasLoad || !elements.empty()) && !hasLoop; }
};
} // namespace

/// Walks back from `index` over everything that it is computed from.
static IndexSources findSources(Value index) {
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

/// How a load reads its memref where its first index depends on data: a row of
/// a table, or an expert of a stack of which `chosen` are read (0 where that is
/// not known).
static ReadAccess getIndexedAccess(MemRefType type, int64_t chosen) {
  if (type.getRank() <= 2)
    return {AccessKind::Gather};
  int64_t experts = type.getDimSize(0);
  if (chosen <= 0 || chosen > experts)
    return {AccessKind::Expert};
  return {AccessKind::Expert, chosen, experts};
}

//===----------------------------------------------------------------------===//
// Uses of a memref in a body
//===----------------------------------------------------------------------===//

namespace {
/// What code does with a memref.
struct MemrefUse {
  bool reads = false;
  bool writes = false;
  /// Every read takes its first index from data.
  bool isIndexed = true;

  void add(const MemrefUse &other) {
    reads |= other.reads;
    writes |= other.writes;
    // What does not read does not matter.
    isIndexed &= other.isIndexed || !other.reads;
  }
};
} // namespace

/// What the operation that has `operand` does with that memref.
static MemrefUse getUse(OpOperand &operand) {
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
    // Where a view lies is not looked into.
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

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

/// The rows which the function around `op` has by what it says of its form.
static int64_t getFormRows(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (function)
    for (StringRef name : {"lane.prefill_rows", "lane.batch_rows"})
      if (auto rows = function->getAttrOfType<IntegerAttr>(name))
        return rows.getInt();
  return 1;
}

/// How many indices the loops of `op` take from `sources` for each row of its
/// form: one for each element of the operands that they come from. 0 where that
/// is not known.
static int64_t countIndices(linalg::LinalgOp op, const IndexSources &sources) {
  if (sources.hasLoad)
    return 0;
  int64_t count = 1;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  llvm::SmallDenseSet<unsigned> loops;
  for (BlockArgument element : sources.elements) {
    OpOperand *operand = op.getMatchingOpOperand(element);
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        loops.insert(dim.getPosition());
  }
  for (unsigned loop : loops) {
    if (ShapedType::isDynamic(ranges[loop]) || ranges[loop] <= 0 ||
        llvm::MulOverflow(count, ranges[loop], count))
      return 0;
  }
  return llvm::divideCeil(count, getFormRows(op));
}

/// Collects the operands in the body of `op` that are memrefs from outside of
/// it, and of which `select` holds.
template <typename Select>
static void collectCaptured(Operation *op,
                            SmallVectorImpl<OpOperand *> &operands,
                            Select select) {
  for (Region &region : op->getRegions())
    region.walk([&](Operation *nested) {
      for (OpOperand &operand : nested->getOpOperands())
        if (isa<BaseMemRefType>(operand.get().getType()) &&
            !op->isAncestor(operand.get().getParentRegion()->getParentOp()) &&
            select(getUse(operand)))
          operands.push_back(&operand);
    });
}

namespace {
/// A structured operation reads and writes its operands, and what its body
/// does.
template <typename OpTy>
struct LinalgLaunch
    : LaunchOpInterface::ExternalModel<LinalgLaunch<OpTy>, OpTy> {
  void getReads(Operation *op, SmallVectorImpl<OpOperand *> &reads) const {
    lane::detail::getOperandsWithEffect</*Write=*/false>(op, reads);
    collectCaptured(op, reads, [](const MemrefUse &use) { return use.reads; });
  }

  void getWrites(Operation *op, SmallVectorImpl<OpOperand *> &writes) const {
    lane::detail::getOperandsWithEffect</*Write=*/true>(op, writes);
    collectCaptured(op, writes,
                    [](const MemrefUse &use) { return use.writes; });
  }

  ReadAccess getReadAccess(Operation *op, OpOperand &operand) const {
    if (operand.getOwner() == op || !getUse(operand).isIndexed)
      return {};
    auto load = cast<memref::LoadOp>(operand.getOwner());
    return getIndexedAccess(
        load.getMemRefType(),
        countIndices(cast<linalg::LinalgOp>(op),
                     findSources(load.getIndices().front())));
  }
};

/// An operation whose effects on its operands say everything.
template <typename OpTy>
struct DenseLaunch : LaunchOpInterface::ExternalModel<DenseLaunch<OpTy>, OpTy> {
};
} // namespace

//===----------------------------------------------------------------------===//
// gpu
//===----------------------------------------------------------------------===//

/// What a kernel does with one of its memrefs.
static MemrefUse getKernelUse(gpu::LaunchFuncOp launch, OpOperand &operand) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
  if (!kernel || kernel.isExternal())
    return {/*reads=*/true,
            /*writes=*/!isWeightMemref(getViewedMemref(operand.get())),
            /*isIndexed=*/false};
  unsigned first = launch.getKernelOperands().getBeginOperandIndex();
  MemrefUse use;
  Value argument = kernel.getArgument(operand.getOperandNumber() - first);
  for (OpOperand &each : argument.getUses())
    use.add(getUse(each));
  return use;
}

namespace {
struct KernelLaunch
    : LaunchOpInterface::ExternalModel<KernelLaunch, gpu::LaunchFuncOp> {
  /// Collects the kernel's memrefs that `select` holds of.
  template <typename Select>
  static void collect(Operation *op, SmallVectorImpl<OpOperand *> &operands,
                      Select select) {
    auto launch = cast<gpu::LaunchFuncOp>(op);
    unsigned first = launch.getKernelOperands().getBeginOperandIndex();
    for (OpOperand &operand :
         op->getOpOperands().slice(first, launch.getKernelOperands().size()))
      if (isa<BaseMemRefType>(operand.get().getType()) &&
          select(getKernelUse(launch, operand)))
        operands.push_back(&operand);
  }

  void getReads(Operation *op, SmallVectorImpl<OpOperand *> &reads) const {
    collect(op, reads, [](const MemrefUse &use) { return use.reads; });
  }

  void getWrites(Operation *op, SmallVectorImpl<OpOperand *> &writes) const {
    collect(op, writes, [](const MemrefUse &use) { return use.writes; });
  }

  ReadAccess getReadAccess(Operation *op, OpOperand &operand) const {
    if (!getKernelUse(cast<gpu::LaunchFuncOp>(op), operand).isIndexed)
      return {};
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    return type ? getIndexedAccess(type, /*chosen=*/0) : ReadAccess();
  }
};

/// Attaches a model to each operation of a list.
template <template <typename> class Model, typename... Ops>
struct Attach {
  static void to(MLIRContext *context) {
    (Ops::template attachInterface<Model<Ops>>(*context), ...);
  }
};
} // namespace

void lane::registerUpstreamLaunchModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    Attach<LinalgLaunch,
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
           >::to(context);
  });
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    Attach<DenseLaunch, memref::CopyOp>::to(context);
  });
  registry.addExtension(+[](MLIRContext *context, gpu::GPUDialect *) {
    Attach<DenseLaunch, gpu::MemcpyOp, gpu::MemsetOp>::to(context);
    gpu::LaunchFuncOp::attachInterface<KernelLaunch>(*context);
  });
}

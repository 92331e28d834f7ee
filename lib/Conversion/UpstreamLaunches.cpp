//===- UpstreamLaunches.cpp - Upstream operations as launches -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/UpstreamLaunches.h"
#include "lane/IR/LaneInterfaces.h"
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

  bool isData() const { return hasLoad || !elements.empty(); }
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
      if (isa<linalg::LinalgOp>(argument.getOwner()->getParentOp()))
        sources.elements.push_back(argument);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (isa<memref::LoadOp>(op))
      sources.hasLoad = true;
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

namespace {
/// A structured operation reads and writes its operands, and what its body
/// loads from and stores to.
template <typename OpTy>
struct LinalgLaunch
    : LaunchOpInterface::ExternalModel<LinalgLaunch<OpTy>, OpTy> {
  void getReads(Operation *op, SmallVectorImpl<OpOperand *> &reads) const {
    lane::detail::getOperandsWithEffect</*Write=*/false>(op, reads);
    op->walk([&](memref::LoadOp load) {
      if (!op->isAncestor(load.getMemRef().getParentRegion()->getParentOp()))
        reads.push_back(&load.getMemrefMutable());
    });
  }

  void getWrites(Operation *op, SmallVectorImpl<OpOperand *> &writes) const {
    lane::detail::getOperandsWithEffect</*Write=*/true>(op, writes);
    op->walk([&](memref::StoreOp store) {
      if (!op->isAncestor(store.getMemRef().getParentRegion()->getParentOp()))
        writes.push_back(&store.getMemrefMutable());
    });
  }

  ReadAccess getReadAccess(Operation *op, OpOperand &operand) const {
    auto load = dyn_cast<memref::LoadOp>(operand.getOwner());
    if (!load || load.getIndices().empty())
      return {};
    IndexSources sources = findSources(load.getIndices().front());
    if (!sources.isData())
      return {};
    return getIndexedAccess(load.getMemRefType(),
                            countIndices(cast<linalg::LinalgOp>(op), sources));
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

namespace {
/// What a kernel does with one of its memrefs.
struct KernelUse {
  bool reads = false;
  bool writes = false;
  /// Every read takes its first index from data.
  bool isIndexed = true;
};
} // namespace

/// Adds what the users of `memref`, in a kernel, do with it.
static void addUses(Value memref, KernelUse &use) {
  for (Operation *user : memref.getUsers()) {
    if (auto load = dyn_cast<memref::LoadOp>(user)) {
      use.reads = true;
      use.isIndexed &= !load.getIndices().empty() &&
                       findSources(load.getIndices().front()).isData();
    } else if (auto view = dyn_cast<ViewLikeOpInterface>(user);
               view && view.getViewSource() == memref) {
      KernelUse viewed;
      for (Value result : user->getResults())
        addUses(result, viewed);
      use.reads |= viewed.reads;
      use.writes |= viewed.writes;
      // Where a view lies is not looked into.
      use.isIndexed &= !viewed.reads;
    } else if (auto effects = dyn_cast<MemoryEffectOpInterface>(user)) {
      if (effects.getEffectOnValue<MemoryEffects::Read>(memref)) {
        use.reads = true;
        use.isIndexed = false;
      }
      use.writes |=
          effects.getEffectOnValue<MemoryEffects::Write>(memref).has_value();
    } else {
      use = {/*reads=*/true, /*writes=*/true, /*isIndexed=*/false};
    }
  }
}

static KernelUse getKernelUse(gpu::LaunchFuncOp launch, OpOperand &operand) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
  if (!kernel || kernel.isExternal())
    return {/*reads=*/true,
            /*writes=*/!isWeightMemref(getViewedMemref(operand.get())),
            /*isIndexed=*/false};
  unsigned first = launch.getKernelOperands().getBeginOperandIndex();
  KernelUse use;
  addUses(kernel.getArgument(operand.getOperandNumber() - first), use);
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
    collect(op, reads, [](const KernelUse &use) { return use.reads; });
  }

  void getWrites(Operation *op, SmallVectorImpl<OpOperand *> &writes) const {
    collect(op, writes, [](const KernelUse &use) { return use.writes; });
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

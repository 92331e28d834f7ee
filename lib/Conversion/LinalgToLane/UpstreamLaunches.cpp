//===- UpstreamLaunches.cpp - Upstream operations as launches -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/UpstreamLaunches.h"
#include "MemrefUse.h"
#include "lane/Dialect/Lane/IR/LaneInterfaces.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace lane;
using namespace lane::linalgtolane;

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

/// How a load whose first index depends on data reads its memref: by rows of a
/// table, or by experts of a stack, `active` of them (0 if that is not known).
static ReadAccess getIndexedAccess(MemRefType type, int64_t active) {
  if (type.getRank() <= 2)
    return {AccessKind::Gather};
  int64_t experts = type.getDimSize(0);
  if (active <= 0 || active > experts)
    return {AccessKind::Expert};
  return {AccessKind::Expert, active, experts};
}

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

/// The rows of the form that the function around `op` becomes.
static int64_t getFormRows(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (function)
    for (StringRef name : {"lane.prefill_rows", "lane.batch_rows"})
      if (auto rows = function->getAttrOfType<IntegerAttr>(name))
        return rows.getInt();
  return 1;
}

/// The number of indices that the loops of `op` take from `sources` for each
/// row of the form: one for each element of the operands that they come from. 0
/// if that is not known.
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

/// Collects the operands in the body of `op` that are memrefs defined outside
/// of it and whose use `select` accepts.
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
/// A structured operation reads and writes its operands, and the memrefs that
/// its body uses.
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

/// An operation that reads and writes its operands only, all densely.
template <typename OpTy>
struct DenseLaunch : LaunchOpInterface::ExternalModel<DenseLaunch<OpTy>, OpTy> {
};
} // namespace

//===----------------------------------------------------------------------===//
// gpu
//===----------------------------------------------------------------------===//

/// How a kernel uses one of its memrefs.
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
  /// Collects the kernel's memrefs whose use `select` accepts.
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
    return type ? getIndexedAccess(type, /*active=*/0) : ReadAccess();
  }
};

/// A call of an external function, which is a kernel. It reads all of its
/// memrefs, and writes those that are not weights, unless
/// `bufferization.access` of an argument states less; `lane.access` states how
/// it reads one.
struct ExternalCall
    : LaunchOpInterface::ExternalModel<ExternalCall, func::CallOp> {
  template <typename AttrT>
  static AttrT getArgAttr(OpOperand &operand, StringRef name) {
    auto call = cast<func::CallOp>(operand.getOwner());
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    return callee ? callee.getArgAttrOfType<AttrT>(operand.getOperandNumber(),
                                                   name)
                  : AttrT();
  }

  /// Collects the memrefs that are not declared to be used only by `other`.
  static void collect(Operation *op, SmallVectorImpl<OpOperand *> &operands,
                      StringRef other) {
    for (OpOperand &operand : op->getOpOperands()) {
      auto access = getArgAttr<StringAttr>(operand, "bufferization.access");
      bool isUsed = !access || (access != other && access != "none");
      if (isUsed && isa<BaseMemRefType>(operand.get().getType()))
        operands.push_back(&operand);
    }
  }

  void getReads(Operation *op, SmallVectorImpl<OpOperand *> &reads) const {
    collect(op, reads, "write");
  }

  void getWrites(Operation *op, SmallVectorImpl<OpOperand *> &writes) const {
    collect(op, writes, "read");
    llvm::erase_if(writes, [](OpOperand *operand) {
      return isWeightMemref(getViewedMemref(operand->get())) &&
             !getArgAttr<StringAttr>(*operand, "bufferization.access");
    });
  }

  ReadAccess getReadAccess(Operation *, OpOperand &operand) const {
    auto access = getArgAttr<AccessAttr>(operand, "lane.access");
    if (!access)
      return {};
    return {access.getKind(), access.getActive(), access.getExperts()};
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
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::CallOp::attachInterface<ExternalCall>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    Attach<DenseLaunch, memref::CopyOp>::to(context);
  });
  registry.addExtension(+[](MLIRContext *context, gpu::GPUDialect *) {
    Attach<DenseLaunch, gpu::MemcpyOp, gpu::MemsetOp>::to(context);
    gpu::LaunchFuncOp::attachInterface<KernelLaunch>(*context);
  });
}

//===- StepToParallelLoops.cpp - The pass step-to-parallel-loops ----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/ParallelLoopMapper.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"

namespace lane {
#define GEN_PASS_DEF_STEPTOPARALLELLOOPSPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

static bool isContiguous(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return type.getLayout().isIdentity();
}

/// Whether `op` has a token, or depends on one. Tokens order launches, which
/// run in order anyway; but a chain of them cannot lose a link.
static void replaceToken(RewriterBase &rewriter, Operation *op) {
  auto async = cast<gpu::AsyncOpInterface>(op);
  Value token = async.getAsyncToken();
  if (!token)
    return;
  auto wait = gpu::WaitOp::create(rewriter, op->getLoc(), token.getType(),
                                  async.getAsyncDependencies());
  rewriter.replaceAllUsesWith(token, wait.getAsyncToken());
}

/// Makes linalg of copies and fills that a stream cannot do.
static void makeLinalg(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  if (auto fill = dyn_cast<gpu::MemsetOp>(op)) {
    linalg::FillOp::create(rewriter, loc, fill.getValue(), fill.getDst());
    replaceToken(rewriter, op);
    rewriter.eraseOp(op);
  } else if (auto copy = dyn_cast<gpu::MemcpyOp>(op)) {
    if (isContiguous(copy.getSrc()) && isContiguous(copy.getDst()))
      return;
    linalg::CopyOp::create(rewriter, loc, copy.getSrc(), copy.getDst());
    replaceToken(rewriter, op);
    rewriter.eraseOp(op);
  } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    if (isContiguous(copy.getSource()) && isContiguous(copy.getTarget()))
      return;
    linalg::CopyOp::create(rewriter, loc, copy.getSource(), copy.getTarget());
    rewriter.eraseOp(op);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Puts the parallel loops of `op` outside of all others. Each element of the
/// result sees the other loops in their old order.
static FailureOr<linalg::GenericOp> moveParallelLoopsOut(RewriterBase &rewriter,
                                                         linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, op);
    if (failed(made))
      return failure();
    generic = *made;
  }
  SmallVector<utils::IteratorType> iterators = generic.getIteratorTypesArray();
  SmallVector<unsigned> order;
  for (bool isParallel : {true, false})
    for (unsigned i = 0; i < iterators.size(); ++i)
      if (linalg::isParallelIterator(iterators[i]) == isParallel)
        order.push_back(i);
  if (llvm::is_sorted(order))
    return generic;
  return linalg::interchangeGenericOp(rewriter, generic, order);
}

/// Moves `op` into a loop of one iteration.
static scf::ParallelOp makeSingleIteration(RewriterBase &rewriter,
                                           Operation *op) {
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  auto loop = scf::ParallelOp::create(rewriter, loc, zero, one, one);
  rewriter.moveOpBefore(op, loop.getBody()->getTerminator());
  return loop;
}

/// Lowers `op` to loops; the outermost loop is parallel.
static FailureOr<scf::ParallelOp> makeLoops(RewriterBase &rewriter,
                                            linalg::GenericOp op) {
  scf::ParallelOp single;
  if (op.getNumParallelLoops() == 0)
    single = makeSingleIteration(rewriter, op);
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::LinalgLoops> loops =
      linalg::linalgOpToParallelLoops(rewriter, op);
  if (failed(loops))
    return failure();
  rewriter.eraseOp(op);
  return single ? single : cast<scf::ParallelOp>(loops->front());
}

/// Makes one loop of all dimensions of `loop`.
static scf::ParallelOp collapse(RewriterBase &rewriter, scf::ParallelOp loop) {
  if (loop.getNumLoops() == 1)
    return loop;
  std::vector<unsigned> dimensions(loop.getNumLoops());
  std::iota(dimensions.begin(), dimensions.end(), 0);
  Operation *next = loop->getNextNode();
  collapseParallelLoops(rewriter, loop, {dimensions});
  return cast<scf::ParallelOp>(next->getPrevNode());
}

static void map(scf::ParallelOp loop, gpu::Processor processor) {
  AffineMap identity = AffineMap::getMultiDimIdentityMap(1, loop.getContext());
  (void)gpu::setMappingAttr(
      loop, gpu::ParallelLoopDimMappingAttr::get(loop.getContext(), processor,
                                                 identity, identity));
}

static LogicalResult lowerLaunch(RewriterBase &rewriter, linalg::LinalgOp op,
                                 int64_t numThreads) {
  FailureOr<linalg::GenericOp> generic = moveParallelLoopsOut(rewriter, op);
  if (failed(generic))
    return op.emitOpError("has no form as linalg.generic");
  FailureOr<scf::ParallelOp> loop = makeLoops(rewriter, *generic);
  if (failed(loop))
    return generic->emitOpError("cannot be lowered to loops");
  scf::ParallelOp flat = collapse(rewriter, *loop);
  auto [blocks, threads] =
      scf::tileParallelLoop(flat, numThreads, /*noMinMaxBounds=*/true);
  map(blocks, gpu::Processor::BlockX);
  map(threads, gpu::Processor::ThreadX);
  return success();
}

namespace {
struct StepToParallelLoopsPass
    : public lane::impl::StepToParallelLoopsPassBase<StepToParallelLoopsPass> {
  using StepToParallelLoopsPassBase::StepToParallelLoopsPassBase;

  void runOnOperation() override {
    func::FuncOp step = getOperation();
    if (!step->hasAttr("lane.step"))
      return;
    if (numThreads < 1 || numThreads > 1024) {
      step.emitError() << "a block has 1 to 1024 threads, not "
                       << int64_t(numThreads);
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    step.walk([&](Operation *op) { makeLinalg(rewriter, op); });
    SmallVector<linalg::LinalgOp> launches;
    step.walk([&](linalg::LinalgOp op) { launches.push_back(op); });
    for (linalg::LinalgOp op : launches)
      if (failed(lowerLaunch(rewriter, op, numThreads)))
        return signalPassFailure();
  }
};
} // namespace

//===- StepStream.cpp - The stream of a step ------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepStream.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace lane;

namespace {
/// Rewrites the operations of a step so that each depends on one token, which
/// is the stream. `gpu-to-llvm` drops the stream object of a launch; it keeps
/// the stream of a token.
class StreamWriter {
public:
  explicit StreamWriter(Value token)
      : token(token), builder(token.getContext()) {}

  LogicalResult rewrite(Operation *op);

private:
  LogicalResult rewriteCopy(Operation *op, Value target, Value source);
  LogicalResult rewriteFill(gpu::MemsetOp op);
  void rewriteLaunch(gpu::LaunchFuncOp op);
  void replace(Operation *op, Operation *replacement);

  Value token;
  OpBuilder builder;
};
} // namespace

/// Replaces `op`, and its token if it has one.
void StreamWriter::replace(Operation *op, Operation *replacement) {
  replacement->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (Value result : op->getResults())
    result.replaceAllUsesWith(token);
  op->erase();
}

/// `gpu-to-llvm` ignores the layout of a memref that it copies or fills.
static LogicalResult checkLayout(Operation *op, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getLayout().isIdentity() && type.hasStaticShape())
    return success();
  return op->emitOpError() << "has a memref of type " << type
                           << ", which is not contiguous from its start: make "
                              "it a kernel";
}

LogicalResult StreamWriter::rewriteCopy(Operation *op, Value target,
                                        Value source) {
  if (failed(checkLayout(op, target)) || failed(checkLayout(op, source)))
    return failure();
  replace(op, gpu::MemcpyOp::create(builder, op->getLoc(), token.getType(),
                                    token, target, source));
  return success();
}

LogicalResult StreamWriter::rewriteFill(gpu::MemsetOp op) {
  Type type = op.getValue().getType();
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  if (bits != 16 && bits != 32)
    return op.emitOpError() << "fills with elements of type " << type
                            << ", but only those of 16 and 32 bits can be "
                               "filled: make it a kernel";
  if (failed(checkLayout(op, op.getDst())))
    return failure();
  replace(op, gpu::MemsetOp::create(builder, op.getLoc(), token.getType(),
                                    token, op.getDst(), op.getValue()));
  return success();
}

void StreamWriter::rewriteLaunch(gpu::LaunchFuncOp op) {
  std::optional<gpu::KernelDim3> cluster;
  if (op.hasClusterSize())
    cluster = op.getClusterSizeOperandValues();
  replace(op, gpu::LaunchFuncOp::create(
                  builder, op.getLoc(), op.getKernelAttr(),
                  op.getGridSizeOperandValues(), op.getBlockSizeOperandValues(),
                  op.getDynamicSharedMemorySize(), op.getKernelOperands(),
                  token.getType(), token, cluster));
}

LogicalResult StreamWriter::rewrite(Operation *op) {
  builder.setInsertionPoint(op);
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    rewriteLaunch(launch);
    return success();
  }
  if (auto copy = dyn_cast<gpu::MemcpyOp>(op))
    return rewriteCopy(op, copy.getDst(), copy.getSrc());
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return rewriteCopy(op, copy.getTarget(), copy.getSource());
  if (auto fill = dyn_cast<gpu::MemsetOp>(op))
    return rewriteFill(fill);
  if (isa<gpu::WaitOp>(op)) {
    // A stream runs in order, and the host uses nothing that a launch writes.
    op->replaceAllUsesWith(ValueRange(token).take_front(op->getNumResults()));
    op->erase();
    return success();
  }
  if (isa<gpu::AsyncOpInterface>(op))
    return op->emitOpError("cannot run on the stream of a step");
  // Other operations of these dialects would run on the host.
  bool isHostCode =
      isa<func::CallOp>(op) ||
      isa_and_nonnull<linalg::LinalgDialect, memref::MemRefDialect>(
          op->getDialect());
  if (isHostCode && !isMemoryEffectFree(op))
    return op->emitOpError("accesses memory on the host: a step that launches "
                           "kernels has only launches, copies and fills");
  return success();
}

LogicalResult lane::putOnStream(func::FuncOp step, Value stream) {
  OpBuilder builder = OpBuilder::atBlockBegin(&step.getBody().front());
  auto cast = UnrealizedConversionCastOp::create(
      builder, step.getLoc(), builder.getType<gpu::AsyncTokenType>(), stream);
  StreamWriter writer(cast.getResult(0));
  SmallVector<Operation *> operations;
  step.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    operations.push_back(op);
    // The regions of linalg's operations are kernels.
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
  for (Operation *op : operations)
    if (failed(writer.rewrite(op)))
      return failure();
  if (cast.use_empty())
    cast.erase();
  return success();
}

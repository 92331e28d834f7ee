//===- FormRaiser.cpp - Raises a function to a form -----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormRaiser.h"
#include "Types.h"
#include "lane/Conversion/UpstreamLaunches.h"
#include "lane/Conversion/Weights.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace lane;
using namespace lane::linalgtolane;

/// Makes a form of the kind and rows that the function's attributes give, or
/// else of kind decode.
LogicalResult FormRaiser::makeForm() {
  FormKind kind = FormKind::Decode;
  int64_t rows = 1;
  for (auto [name, named] : {std::pair("lane.prefill_rows", FormKind::Prefill),
                             std::pair("lane.batch_rows", FormKind::Batch)}) {
    auto given = function->getAttrOfType<IntegerAttr>(name);
    if (!given)
      continue;
    if (kind != FormKind::Decode)
      return function.emitOpError()
             << "has both lane.prefill_rows and lane.batch_rows";
    kind = named;
    rows = given.getInt();
  }
  form = program.makeForm(function.getLoc(), function.getSymName(), kind, rows);
  builder.setInsertionPointToEnd(&form.getBody().front());
  return success();
}

/// Finds the returned memrefs, which the caller reads.
void FormRaiser::findReturned() {
  Operation *terminator = function.getBody().front().getTerminator();
  for (Value value : terminator->getOperands())
    if (isa<BaseMemRefType>(value.getType()))
      returned.insert(getViewedMemref(value));
}

/// The form's only reference to a symbol.
Value FormRaiser::makeRef(Operation *op, Operation *symbol) {
  Value &ref = refs[symbol];
  if (ref)
    return ref;
  // The storage of a matrix is its upload.
  StorageAttr plain;
  if (!isa<MatrixOp>(symbol))
    plain = StorageAttr::get(builder.getContext());
  ref = RefOp::create(
      builder, op->getLoc(), getSymbolType(symbol),
      FlatSymbolRefAttr::get(SymbolTable::getSymbolName(symbol)), plain,
      /*quantized=*/StorageAttr());
  return ref;
}

Value FormRaiser::makeAlloc(Operation *op, Value memref, StringRef name,
                            bool isCarried) {
  BufferType type = getBufferType(op, cast<MemRefType>(memref.getType()));
  if (!type)
    return {};
  auto plain = StorageAttr::get(builder.getContext(), /*inArena=*/!isCarried,
                                std::nullopt);
  return AllocOp::create(builder, memref.getLoc(), type,
                         builder.getStringAttr(name), isCarried, plain,
                         /*quantized=*/StorageAttr());
}

/// Buffers that the caller writes or reads share no bytes with others.
Value FormRaiser::makeParam(Operation *op, Value memref, StringRef name,
                            bool isPosition) {
  BufferType type = getBufferType(op, cast<MemRefType>(memref.getType()));
  if (!type)
    return {};
  return ParamOp::create(builder, memref.getLoc(), type,
                         builder.getStringAttr(name), isPosition,
                         StorageAttr::get(builder.getContext()),
                         /*quantized=*/StorageAttr());
}

/// Fails unless the initial value of a global is zero or not given, as that of
/// state is.
static LogicalResult checkInitialState(memref::GlobalOp global) {
  Attribute value = global.getInitialValue().value_or(Attribute());
  if (isa_and_nonnull<UnitAttr>(value))
    return success();
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(value);
      dense && llvm::all_of(dense.getRawData(), [](char c) { return c == 0; }))
    return success();
  return global.emitOpError() << "@" << global.getSymName()
                              << " has an initial value other than zero, but "
                                 "state is zero at startup";
}

/// A weight if the global is constant, else state.
Value FormRaiser::makeGlobal(memref::GetGlobalOp get) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      get, get.getNameAttr());
  if (!global) {
    get.emitOpError() << "does not name a memref.global";
    return {};
  }
  Declaration declaration = {global,
                             program.getGlobalName(global),
                             getTensorName(global),
                             global.getType(),
                             global->getAttrOfType<TypeAttr>("lane.type"),
                             global->getAttrOfType<ArrayAttr>("lane.rows"),
                             getValues(global)};
  if (!global.getConstant() && failed(checkInitialState(global)))
    return {};
  Operation *symbol = global.getConstant() ? program.getWeight(declaration)
                                           : program.getState(declaration);
  return symbol ? makeRef(get, symbol) : Value();
}

/// A weight or state if the argument's attributes declare one, else a buffer
/// that the caller writes or reads.
Value FormRaiser::makeArgument(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  auto type = cast<MemRefType>(argument.getType());
  auto name = function.getArgAttrOfType<StringAttr>(number, "lane.weight");
  Declaration declaration = {
      function,
      name,
      /*tensorName=*/name,
      type,
      function.getArgAttrOfType<TypeAttr>(number, "lane.type"),
      function.getArgAttrOfType<ArrayAttr>(number, "lane.rows"),
      {}};
  if (declaration.name) {
    Operation *weight = program.getWeight(declaration);
    return weight ? makeRef(function, weight) : Value();
  }
  declaration.name =
      function.getArgAttrOfType<StringAttr>(number, "lane.state");
  if (declaration.name && form.getKind() == FormKind::Decode) {
    Operation *state = program.getState(declaration);
    return state ? makeRef(function, state) : Value();
  }
  if (declaration.name) {
    // Forms share the decode form's state; other state belongs to one form.
    if (program.contains(declaration.name)) {
      Operation *state = program.getState(declaration);
      return state ? makeRef(function, state) : Value();
    }
    return makeAlloc(function, argument, declaration.name.getValue(),
                     /*isCarried=*/true);
  }
  return makeParam(function, argument, "arg" + std::to_string(number),
                   function.getArgAttr(number, "lane.position") != nullptr);
}

/// Makes the buffer of a memref that is not a view; null after an error.
Value FormRaiser::makeBuffer(Operation *user, Value memref) {
  if (!isa<MemRefType>(memref.getType())) {
    user->emitOpError() << "has " << memref.getType()
                        << ", whose shape is not static";
    return {};
  }
  if (auto argument = dyn_cast<BlockArgument>(memref)) {
    if (argument.getOwner() == &function.getBody().front())
      return makeArgument(argument);
  } else if (auto get = memref.getDefiningOp<memref::GetGlobalOp>()) {
    return makeGlobal(get);
  } else if (isa<memref::AllocOp, memref::AllocaOp, gpu::AllocOp>(
                 memref.getDefiningOp())) {
    std::string name = "buffer" + std::to_string(numAllocs++);
    Operation *op = memref.getDefiningOp();
    return returned.contains(memref)
               ? makeParam(op, memref, name, /*isPosition=*/false)
               : makeAlloc(op, memref, name, /*isCarried=*/false);
  }
  InFlightDiagnostic diagnostic = user->emitOpError()
                                  << "has a memref whose storage is not known";
  if (Operation *op = memref.getDefiningOp())
    diagnostic << ": it comes from '" << op->getName() << "'";
  return {};
}

Value FormRaiser::getBuffer(Operation *user, Value memref) {
  Value viewed = getViewedMemref(memref);
  Value &buffer = buffers[viewed];
  if (!buffer)
    buffer = makeBuffer(user, viewed);
  return buffer;
}

/// Whether `op` calls a function that has a body, or one that is not known.
static bool callsCode(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return false;
  auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
  return !callee || !callee.isExternal();
}

/// The kernel's name if the operation launches one, else the operation's.
static StringRef getKernelName(Operation *op) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return launch.getKernelName().getValue();
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCallee();
  return op->getName().getStringRef();
}

LogicalResult FormRaiser::raiseLaunch(LaunchOpInterface launch) {
  SmallVector<OpOperand *> reads, writes;
  launch.getReads(reads);
  launch.getWrites(writes);
  SmallVector<Value> inputs, outputs;
  SmallVector<Attribute> accesses;
  bool isDense = true;
  for (OpOperand *read : reads) {
    Value buffer = getBuffer(launch, read->get());
    if (!buffer)
      return failure();
    ReadAccess access = launch.getReadAccess(*read);
    isDense &= access.kind == AccessKind::Dense;
    inputs.push_back(buffer);
    accesses.push_back(AccessAttr::get(builder.getContext(), access.kind,
                                       access.active, access.experts));
  }
  for (OpOperand *write : writes) {
    Value viewed = getViewedMemref(write->get());
    if (isWeightMemref(viewed))
      return launch->emitOpError() << "writes a weight";
    Value buffer = getBuffer(launch, viewed);
    if (!buffer)
      return failure();
    outputs.push_back(buffer);
  }
  KernelLaunchOp::create(
      builder, launch.getLoc(), builder.getStringAttr(getKernelName(launch)),
      inputs, outputs, isDense ? ArrayAttr() : builder.getArrayAttr(accesses),
      launch.getScratchAttr());
  return success();
}

LogicalResult FormRaiser::raiseOperation(Operation &op) {
  auto isTensor = llvm::IsaPred<TensorType>;
  if (llvm::any_of(op.getOperandTypes(), isTensor) ||
      llvm::any_of(op.getResultTypes(), isTensor))
    return op.emitOpError()
           << "works on tensors: bufferize the module before this pass";
  if (callsCode(&op))
    return op.emitOpError() << "calls a function: inline it before this pass";
  if (op.getNumResults() != 0 && isa<CallOpInterface>(op))
    return op.emitOpError() << "calls a kernel that returns a value: kernels "
                               "write their results to memrefs";
  if (auto launch = dyn_cast<LaunchOpInterface>(op))
    return raiseLaunch(launch);
  // The arena's lifetimes replace allocations and deallocations, views become
  // their source, and waits are implied, since launches run in order.
  if (isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp,
          memref::GetGlobalOp, ViewLikeOpInterface, gpu::AllocOp,
          gpu::DeallocOp, gpu::WaitOp, func::ReturnOp>(op))
    return success();
  if (op.getNumRegions() != 0)
    return op.emitOpError()
           << "has a region and is not a launch: a form is straight-line code";
  if (isMemoryEffectFree(&op))
    return success();
  return op.emitOpError() << "accesses memory and is not a launch";
}

LogicalResult FormRaiser::raise() {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError()
           << "has " << function.getBody().getBlocks().size()
           << " blocks: a form is straight-line code";
  if (failed(makeForm()))
    return failure();
  findReturned();
  // A form has the caller's buffers even if no launch uses them.
  for (BlockArgument argument : function.getArguments())
    if (isa<BaseMemRefType>(argument.getType()) &&
        !getBuffer(function, argument))
      return failure();
  for (Operation &op : function.getBody().front())
    if (failed(raiseOperation(op)))
      return failure();
  return success();
}

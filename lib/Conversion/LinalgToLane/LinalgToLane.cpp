//===- LinalgToLane.cpp - The pass convert-linalg-to-lane -----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raises functions over memrefs to forms of a lane program. What an operation
// reads and writes is asked of LaunchOpInterface alone, so that any dialect's
// operations that implement it are raised. docs/Linalg.md says what is
// recognised and what is refused.
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Passes.h"
#include "lane/Conversion/UpstreamLaunches.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "lane/Support/Bytes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

namespace lane {
#define GEN_PASS_DEF_CONVERTLINALGTOLANEPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

/// Where weights that no checkpoint holds start in their file.
static constexpr int64_t kWeightAlignmentBytes = 64;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Fails, with an error of `op`, unless `type` is laid out row by row and has a
/// static shape.
static LogicalResult checkMemref(Operation *op, MemRefType type) {
  if (!type.hasStaticShape())
    return op->emitOpError() << "has " << type << ", whose shape is not static";
  if (!type.getLayout().isIdentity())
    return op->emitOpError()
           << "has " << type << ", which is not laid out row by row";
  return success();
}

static BufferType getBufferType(Operation *op, MemRefType type) {
  if (failed(checkMemref(op, type)))
    return {};
  SmallVector<int64_t> shape(type.getShape());
  if (shape.empty())
    shape.push_back(1);
  return BufferType::getChecked(
      [&] { return op->emitOpError() << "has " << type << ": "; },
      op->getContext(), ArrayRef<int64_t>(shape), type.getElementType());
}

static std::optional<NumberFormat> getNumberFormat(Type elementType) {
  if (elementType.isF32())
    return NumberFormat::F32;
  if (elementType.isF16())
    return NumberFormat::F16;
  if (elementType.isBF16())
    return NumberFormat::BF16;
  if (elementType.isF64())
    return NumberFormat::F64;
  if (elementType.isInteger(8))
    return NumberFormat::I8;
  if (elementType.isInteger(16))
    return NumberFormat::I16;
  if (elementType.isInteger(32))
    return NumberFormat::I32;
  if (elementType.isInteger(64))
    return NumberFormat::I64;
  return std::nullopt;
}

/// The matrix which a weight of `type` is: what `given` says, where that has as
/// many bytes, or one in the format of its elements.
static MatrixType getMatrixType(Operation *op, MemRefType type,
                                TypeAttr given) {
  if (failed(checkMemref(op, type)))
    return {};
  if (given) {
    auto matrix = cast<MatrixType>(given.getValue());
    if (!type.getElementType().isIntOrFloat()) {
      op->emitOpError() << "has " << type << ", whose bytes are not known";
      return {};
    }
    int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    bool overflows = false;
    for (int64_t dim : type.getShape()) {
      std::optional<int64_t> product = checkedMulBytes(bytes, dim);
      overflows |= !product;
      bytes = product.value_or(0);
    }
    if (!overflows && bytes == matrix.getCheckpointBytes())
      return matrix;
    InFlightDiagnostic diagnostic = op->emitOpError();
    diagnostic << "has " << type << " of ";
    if (overflows)
      diagnostic << "over 2^63";
    else
      diagnostic << bytes;
    diagnostic << " bytes, but its lane.type " << matrix << " has "
               << matrix.getCheckpointBytes();
    return {};
  }
  std::optional<NumberFormat> format = getNumberFormat(type.getElementType());
  if (!format) {
    op->emitOpError() << "has " << type << ", whose elements are no format of a"
                      << " matrix: give it a lane.type";
    return {};
  }
  SmallVector<int64_t> shape(type.getShape());
  while (shape.size() < 2)
    shape.insert(shape.begin(), 1);
  return MatrixType::getChecked(
      [&] { return op->emitOpError() << "has " << type << ": "; },
      op->getContext(), ArrayRef<int64_t>(shape), *format);
}

//===----------------------------------------------------------------------===//
// The program and its constants
//===----------------------------------------------------------------------===//

namespace {
/// What is said of a weight or of state, on its memref.global or its argument.
struct Declaration {
  Operation *op;
  StringAttr name;
  MemRefType type;
  TypeAttr matrixType;
  ArrayAttr rows;
  /// The values, where they are in the IR.
  DenseElementsAttr data;
};

/// Builds the program around the forms: constants and state by their names.
class ProgramRaiser {
public:
  ProgramRaiser(ModuleOp module, StringRef name, int64_t contextLength)
      : module(module), builder(module.getContext()) {
    builder.setInsertionPointToEnd(module.getBody());
    program = ProgramOp::create(builder, module.getLoc(), name, contextLength,
                                Numerics::OnePass);
    builder.setInsertionPointToEnd(&program.getBody().front());
    if (auto given = module->getAttrOfType<ArrayAttr>("lane.files"))
      llvm::append_range(files, given);
  }

  ProgramOp getProgram() { return program; }
  /// A form at the end of the program; constants stand before the first.
  FormOp makeForm(Location loc, StringRef name, FormKind kind, int64_t rows);

  /// The operation for a weight: values for a vector of f32, else a matrix.
  /// Null after an error.
  Operation *getWeight(const Declaration &weight);
  Operation *getState(const Declaration &state);
  StringAttr getGlobalName(memref::GlobalOp global);
  /// Names the files, once all weights are known.
  void finish();

private:
  ArrayAttr getRows(const Declaration &weight, int64_t count, int64_t rowBytes);
  Operation *getKnown(const Declaration &declaration, Type type);

  ModuleOp module;
  ProgramOp program;
  OpBuilder builder;
  llvm::DenseMap<StringAttr, Operation *> known;
  llvm::DenseMap<StringAttr, memref::GlobalOp> namedGlobals;
  SmallVector<Attribute> files;
  /// The file of the weights that say nothing of where they lie, and its bytes.
  std::optional<int64_t> ownFile;
  int64_t ownBytes = 0;
};
} // namespace

/// The type of a weight or of state.
static Type getSymbolType(Operation *op) {
  if (auto matrix = dyn_cast<MatrixOp>(op))
    return matrix.getType();
  if (auto values = dyn_cast<ValuesOp>(op))
    return values.getType();
  return cast<StateOp>(op).getType();
}

/// What a name that is known stands for. Null, after an error, where that has
/// another type.
Operation *ProgramRaiser::getKnown(const Declaration &declaration, Type type) {
  Operation *op = known.lookup(declaration.name);
  if (getSymbolType(op) == type)
    return op;
  declaration.op->emitOpError()
      << "has " << declaration.name << " of " << type << ", but it is "
      << getSymbolType(op) << " elsewhere";
  return nullptr;
}

/// The rows that a weight gives, or else all of them in a file of our own, one
/// weight after the other. Null after an error.
ArrayAttr ProgramRaiser::getRows(const Declaration &weight, int64_t count,
                                 int64_t rowBytes) {
  if (weight.rows)
    return weight.rows;
  if (!ownFile) {
    ownFile = files.size();
    files.push_back(builder.getStringAttr(program.getSymName() + ".weights"));
  }
  std::optional<int64_t> bytes = checkedMulBytes(count, rowBytes);
  std::optional<int64_t> end;
  if (bytes && *bytes <= std::numeric_limits<int64_t>::max() - 64)
    end = checkedAddBytes(
        ownBytes, llvm::alignTo(*bytes, uint64_t(kWeightAlignmentBytes)));
  if (!end) {
    weight.op->emitOpError() << "is past 2^63 bytes of weights";
    return {};
  }
  Attribute rows =
      RowsAttr::get(builder.getContext(), *ownFile, ownBytes, count);
  ownBytes = *end;
  return builder.getArrayAttr(rows);
}

Operation *ProgramRaiser::getWeight(const Declaration &weight) {
  Location loc = weight.op->getLoc();
  bool isVector = !weight.matrixType && weight.type.getRank() <= 1 &&
                  weight.type.getElementType().isF32();
  Type type =
      isVector ? Type(getBufferType(weight.op, weight.type))
               : Type(getMatrixType(weight.op, weight.type, weight.matrixType));
  if (!type)
    return nullptr;
  if (known.contains(weight.name))
    return getKnown(weight, type);
  Operation *op = nullptr;
  if (auto bufferType = dyn_cast<BufferType>(type)) {
    auto values =
        ValuesOp::create(builder, loc, weight.name.getValue(), bufferType);
    op = values;
    if (weight.data && !weight.rows) {
      values.setDataAttr(
          DenseElementsAttr(weight.data)
              .reshape(RankedTensorType::get(bufferType.getShape(),
                                             bufferType.getElementType())));
    } else {
      int64_t columns = bufferType.getShape().back();
      ArrayAttr rows =
          getRows(weight, columns == 0 ? 0 : bufferType.getLength() / columns,
                  columns * 4);
      if (!rows)
        return nullptr;
      values.setRowsAttr(rows);
    }
  } else {
    auto matrixType = cast<MatrixType>(type);
    ArrayAttr rows =
        getRows(weight, matrixType.getNumRows(), matrixType.getRowBytes());
    if (!rows)
      return nullptr;
    op = MatrixOp::create(builder, loc, weight.name.getValue(), matrixType,
                          rows.getValue());
  }
  return known[weight.name] = op;
}

Operation *ProgramRaiser::getState(const Declaration &state) {
  BufferType type = getBufferType(state.op, state.type);
  if (!type)
    return nullptr;
  if (known.contains(state.name))
    return getKnown(state, type);
  return known[state.name] = StateOp::create(builder, state.op->getLoc(),
                                             state.name.getValue(), type);
}

FormOp ProgramRaiser::makeForm(Location loc, StringRef name, FormKind kind,
                               int64_t rows) {
  OpBuilder atEnd = OpBuilder::atBlockEnd(&program.getBody().front());
  FormOp form = FormOp::create(atEnd, loc, name, kind, rows);
  if (llvm::hasSingleElement(program.getBody().getOps<FormOp>()))
    builder.setInsertionPoint(form);
  return form;
}

void ProgramRaiser::finish() {
  if (!files.empty())
    program.setFilesAttr(builder.getArrayAttr(files));
}

//===----------------------------------------------------------------------===//
// A form
//===----------------------------------------------------------------------===//

namespace {
/// Raises one function to a form.
class FormRaiser {
public:
  FormRaiser(ProgramRaiser &program, func::FuncOp function)
      : program(program), function(function), builder(function.getContext()) {}

  LogicalResult raise();

private:
  LogicalResult makeForm();
  void findReturned();
  LogicalResult raiseOperation(Operation &op);
  LogicalResult raiseLaunch(LaunchOpInterface launch);
  Value getBuffer(Operation *user, Value memref);
  Value makeBuffer(Operation *user, Value memref);
  Value makeGlobal(memref::GetGlobalOp get);
  Value makeArgument(BlockArgument argument);
  Value makeAlloc(Operation *op, Value memref, StringRef name, bool isCarried);
  Value makeParam(Operation *op, Value memref, StringRef name, bool isPosition);
  Value makeRef(Operation *op, Operation *symbol);

  ProgramRaiser &program;
  func::FuncOp function;
  OpBuilder builder;
  FormOp form;
  /// The buffer of each memref that is no view.
  llvm::DenseMap<Value, Value> buffers;
  /// The reference to each symbol.
  llvm::DenseMap<Operation *, Value> refs;
  /// What the function returns.
  llvm::DenseSet<Value> returned;
  int64_t numAllocs = 0;
};
} // namespace

/// The kind and rows which the function says: decode where it says nothing.
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

/// Finds what the function returns, which the caller reads.
void FormRaiser::findReturned() {
  Operation *terminator = function.getBody().front().getTerminator();
  for (Value value : terminator->getOperands())
    if (isa<BaseMemRefType>(value.getType()))
      returned.insert(getViewedMemref(value));
}

/// A form holds a symbol once, however often the function names it.
Value FormRaiser::makeRef(Operation *op, Operation *symbol) {
  Value &ref = refs[symbol];
  if (ref)
    return ref;
  // Of a matrix no storage is touched but its upload.
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

/// What the caller writes or reads keeps its bytes to itself.
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

/// A weight's name: of its values' resource, which its author gave it, before
/// the global's, which bufferization did.
StringAttr ProgramRaiser::getGlobalName(memref::GlobalOp global) {
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(
      global.getInitialValue().value_or(Attribute()));
  if (!resource)
    return global.getSymNameAttr();
  auto name = builder.getStringAttr(resource.getRawHandle().getKey());
  // Two globals may be of one resource, in other shapes.
  return namedGlobals.try_emplace(name, global).first->second == global
             ? name
             : global.getSymNameAttr();
}

/// A weight where the global is constant, else state.
Value FormRaiser::makeGlobal(memref::GetGlobalOp get) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      get, get.getNameAttr());
  if (!global) {
    get.emitOpError() << "names no memref.global";
    return {};
  }
  Declaration declaration = {
      global,
      program.getGlobalName(global),
      global.getType(),
      global->getAttrOfType<TypeAttr>("lane.type"),
      global->getAttrOfType<ArrayAttr>("lane.rows"),
      dyn_cast_or_null<DenseElementsAttr>(
          global.getInitialValue().value_or(Attribute()))};
  Operation *symbol = global.getConstant() ? program.getWeight(declaration)
                                           : program.getState(declaration);
  return symbol ? makeRef(get, symbol) : Value();
}

/// A weight or state where the argument says so, else a buffer that the caller
/// writes or reads.
Value FormRaiser::makeArgument(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  auto type = cast<MemRefType>(argument.getType());
  Declaration declaration = {
      function,
      function.getArgAttrOfType<StringAttr>(number, "lane.weight"),
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
  std::string name = "arg" + std::to_string(number);
  if (declaration.name) {
    // State which the decode form has is shared; any other is the form's own.
    if (program.getProgram().lookupSymbol(declaration.name)) {
      Operation *state = program.getState(declaration);
      return state ? makeRef(function, state) : Value();
    }
    return makeAlloc(function, argument, declaration.name.getValue(),
                     /*isCarried=*/true);
  }
  return makeParam(function, argument, name,
                   function.getArgAttr(number, "lane.position") != nullptr);
}

/// Makes the buffer of a memref that is no view; null after an error.
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

/// The kernel's name where the operation has one, else the operation's.
static StringRef getKernelName(Operation *op) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return launch.getKernelName().getValue();
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
  if (auto launch = dyn_cast<LaunchOpInterface>(op))
    return raiseLaunch(launch);
  // Storage, views of it and its end, which the arena's lifetimes replace; and
  // waits, since launches follow one another.
  if (isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp,
          memref::GetGlobalOp, ViewLikeOpInterface, gpu::AllocOp,
          gpu::DeallocOp, gpu::WaitOp, func::ReturnOp>(op))
    return success();
  if (auto call = dyn_cast<CallOpInterface>(op))
    return op.emitOpError() << "calls a function: inline it before this pass";
  if (op.getNumRegions() != 0)
    return op.emitOpError()
           << "has a body and is no launch: a form is a straight line of them";
  if (isMemoryEffectFree(&op))
    return success();
  return op.emitOpError() << "touches memory and is no launch";
}

LogicalResult FormRaiser::raise() {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError()
           << "has " << function.getBody().getBlocks().size()
           << " blocks: a form is a straight line of launches";
  if (failed(makeForm()))
    return failure();
  findReturned();
  // The caller's buffers are there whether or not a launch touches them.
  for (BlockArgument argument : function.getArguments())
    if (isa<BaseMemRefType>(argument.getType()) &&
        !getBuffer(function, argument))
      return failure();
  for (Operation &op : function.getBody().front())
    if (failed(raiseOperation(op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Erases the functions that were raised, and the globals that nothing uses
/// any more.
static void eraseRaised(ModuleOp module, ArrayRef<func::FuncOp> functions) {
  for (func::FuncOp function : functions)
    function.erase();
  for (auto global :
       llvm::make_early_inc_range(module.getOps<memref::GlobalOp>()))
    if (SymbolTable::symbolKnownUseEmpty(global, module))
      global.erase();
}

namespace {
struct ConvertLinalgToLanePass
    : public lane::impl::ConvertLinalgToLanePassBase<ConvertLinalgToLanePass> {
  using ConvertLinalgToLanePassBase::ConvertLinalgToLanePassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertLinalgToLanePassBase::getDependentDialects(registry);
    registerUpstreamLaunchModels(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (contextLength <= 0) {
      module.emitError() << "convert-linalg-to-lane: a context of "
                         << contextLength << " is no count of tokens";
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && function.isPublic())
        functions.push_back(function);
    if (functions.empty()) {
      module.emitError() << "the module has no public function to raise";
      return signalPassFailure();
    }
    // The decode form first: it has the state which the others share.
    llvm::stable_sort(functions, [](func::FuncOp lhs, func::FuncOp rhs) {
      auto isDecode = [](func::FuncOp function) {
        return !function->hasAttr("lane.prefill_rows") &&
               !function->hasAttr("lane.batch_rows");
      };
      return isDecode(lhs) && !isDecode(rhs);
    });
    ProgramRaiser program(
        module, module.getSymName().value_or(functions.front().getSymName()),
        contextLength);
    for (func::FuncOp function : functions)
      if (failed(FormRaiser(program, function).raise()))
        return signalPassFailure();
    program.finish();
    eraseRaised(module, functions);
  }
};
} // namespace

//===- StepLowering.cpp - Steps as functions of a program -----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepLowering.h"
#include "StepStream.h"
#include "lane/Runtime/Program.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <cstddef>

using namespace mlir;
using namespace lane;

SmallVector<func::FuncOp> lane::findSteps(ModuleOp module, ProgramOp program) {
  SmallVector<func::FuncOp> steps;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto form = function->getAttrOfType<SymbolRefAttr>("lane.step");
    if (form && form.getRootReference() == program.getSymNameAttr())
      steps.push_back(function);
  }
  return steps;
}

namespace {
class StepLowering {
public:
  StepLowering(ModuleOp module, ProgramOp program, const PoolLayout &layout,
               const HostDescription &description, HostSteps kind)
      : module(module), program(program), layout(layout),
        description(description), kind(kind), builder(module.getContext()),
        converter(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  LogicalResult run();

private:
  FormOp getForm(func::FuncOp step) {
    auto symbol = step->getAttrOfType<SymbolRefAttr>("lane.step");
    return program.lookupSymbol<FormOp>(symbol.getLeafReference());
  }
  LogicalResult check(func::FuncOp step);
  LogicalResult lower(func::FuncOp step);
  void lowerBuffers(func::FuncOp step, FormOp form, Value table);
  Value loadTable(Location loc, Value lane);
  int64_t findPointer(GetMemrefOp op, FormOp form);
  Value makePointer(Location loc, Type type, Value base, int64_t index);
  func::FuncOp declare(StringRef name, FunctionType type);
  func::FuncOp addFunction(Location loc, const Twine &name,
                           ArrayRef<Type> inputs, TypeRange results);
  void addEntry(StringRef runtime, func::FuncOp callee, StringRef form);
  void addKernelEntry(func::FuncOp body, StringRef form);

  ModuleOp module;
  ProgramOp program;
  const PoolLayout &layout;
  const HostDescription &description;
  HostSteps kind;
  OpBuilder builder;
  LLVMTypeConverter converter;
  Type pointer;
  /// The pointers of each buffer, by the kind of array, or of each launch, by
  /// the tag of its scratch.
  DenseMap<std::tuple<Operation *, int64_t, int64_t>, int64_t> pointers;
  DenseMap<Attribute, func::FuncOp> stepOfForm;
};
} // namespace

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// The operation whose array the pool layout has.
static Operation *findBuffer(GetMemrefOp op, ProgramOp program, FormOp form) {
  if (std::optional<ArrayRef<int64_t>> scratch = op.getScratch())
    return form.getLaunch(scratch->front());
  if (StringAttr name = op.getBufferAttr()) {
    for (auto buffer : form.getBody().getOps<BufferOpInterface>())
      if (!isa<RefOp>(buffer) && buffer.getBufferName() == name)
        return buffer;
    return nullptr;
  }
  return program.lookupSymbol(op.getSymbolAttr().getLeafReference());
}

int64_t StepLowering::findPointer(GetMemrefOp op, FormOp form) {
  std::optional<ArrayRef<int64_t>> scratch = op.getScratch();
  auto found =
      pointers.find({findBuffer(op, program, form), int64_t(op.getArray()),
                     scratch ? scratch->back() : 0});
  return found == pointers.end() ? -1 : found->second;
}

/// The address of element `index` of an array.
Value StepLowering::makePointer(Location loc, Type type, Value base,
                                int64_t index) {
  return LLVM::GEPOp::create(builder, loc, pointer, type, base,
                             ArrayRef<LLVM::GEPArg>{int32_t(index)});
}

/// Loads the program's table of pointers.
Value StepLowering::loadTable(Location loc, Value lane) {
  Value field = makePointer(loc, builder.getI8Type(), lane,
                            offsetof(lane_program, pointers));
  return LLVM::LoadOp::create(builder, loc, pointer, field);
}

void StepLowering::lowerBuffers(func::FuncOp step, FormOp form, Value table) {
  step.walk([&](GetMemrefOp op) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    Location loc = op.getLoc();
    Value entry = makePointer(loc, pointer, table, findPointer(op, form));
    Value start = LLVM::LoadOp::create(builder, loc, pointer, entry);
    Value descriptor = MemRefDescriptor::fromStaticShape(
        builder, loc, converter, op.getType(), start);
    auto memref = UnrealizedConversionCastOp::create(builder, loc, op.getType(),
                                                     descriptor);
    op.replaceAllUsesWith(memref.getResult(0));
    op.erase();
  });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

func::FuncOp StepLowering::declare(StringRef name, FunctionType type) {
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto function =
      func::FuncOp::create(builder, builder.getUnknownLoc(), name, type);
  function.setPrivate();
  return function;
}

/// Two programs may be linked together.
static void setInternal(func::FuncOp function) {
  function.setPrivate();
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(function.getContext(), LLVM::Linkage::Internal));
}

/// A function at the end of the module, with the builder in its body.
func::FuncOp StepLowering::addFunction(Location loc, const Twine &name,
                                       ArrayRef<Type> inputs,
                                       TypeRange results) {
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, loc, name.str(), builder.getFunctionType(inputs, results));
  builder.setInsertionPointToStart(function.addEntryBlock());
  return function;
}

/// Adds the entry point of a form. `runtime` is a function of the runtime that
/// gets the program, the stream and `callee`: it reports launches that fail,
/// and can make a graph of them.
void StepLowering::addEntry(StringRef runtime, func::FuncOp callee,
                            StringRef form) {
  Location loc = callee.getLoc();
  Type code = builder.getI32Type();
  func::FuncOp run = declare(
      runtime, builder.getFunctionType({pointer, pointer, pointer}, code));
  func::FuncOp entry = addFunction(loc, description.prefix + "_" + form,
                                   {pointer, pointer}, code);
  auto constant = func::ConstantOp::create(
      builder, loc, callee.getFunctionType(), callee.getSymName());
  auto address = UnrealizedConversionCastOp::create(builder, loc, pointer,
                                                    constant.getResult());
  auto call = func::CallOp::create(builder, loc, run,
                                   ValueRange{entry.getArgument(0),
                                              entry.getArgument(1),
                                              address.getResult(0)});
  func::ReturnOp::create(builder, loc, call.getResults());
}

/// Adds the kernel that calls `body`, whose one argument is the program.
void StepLowering::addKernelEntry(func::FuncOp body, StringRef form) {
  Location loc = body.getLoc();
  func::FuncOp kernel = addFunction(
      loc, description.prefix + "_" + form + "_kernel", pointer, TypeRange());
  setInternal(kernel);
  auto address =
      LLVM::LoadOp::create(builder, loc, pointer, kernel.getArgument(0));
  Value lane = LLVM::LoadOp::create(builder, loc, pointer, address);
  func::CallOp::create(builder, loc, body, lane);
  func::ReturnOp::create(builder, loc);
  addEntry("laneRunOnHost", kernel, form);
}

LogicalResult StepLowering::check(func::FuncOp step) {
  auto symbol = step->getAttrOfType<SymbolRefAttr>("lane.step");
  FormOp form = getForm(step);
  if (!form)
    return step.emitOpError() << "is a step of " << symbol
                              << ", which is not a form of the program";
  if (step.getNumArguments() != 0)
    return step.emitOpError()
           << "has an argument of type " << step.getArgumentTypes().front()
           << ", but the inputs of a step are buffers of the program";
  auto [other, isFirst] = stepOfForm.try_emplace(symbol, step);
  if (!isFirst)
    return step.emitOpError() << "is a step of " << symbol << ", but so is @"
                              << other->second.getSymName();
  WalkResult known = step.walk([&](GetMemrefOp op) {
    if (findPointer(op, form) >= 0)
      return WalkResult::advance();
    op.emitOpError() << "names a buffer that the program has no pointer to";
    return WalkResult::interrupt();
  });
  return failure(known.wasInterrupted());
}

LogicalResult StepLowering::lower(func::FuncOp step) {
  FormOp form = getForm(step);
  std::string name = HostDescription::getIdentifier(form.getSymName());
  step.setSymName(description.prefix + "_" + name + "_body");
  setInternal(step);
  step->removeAttr("lane.step");
  bool hasStream = kind == HostSteps::Launches;
  for (unsigned i = 0; i < (hasStream ? 2 : 1); ++i)
    (void)step.insertArgument(i, pointer, DictionaryAttr(), step.getLoc());
  builder.setInsertionPointToStart(&step.getBody().front());
  lowerBuffers(step, form, loadTable(step.getLoc(), step.getArgument(0)));
  if (!hasStream) {
    addKernelEntry(step, name);
    return success();
  }
  addEntry("laneRunStep", step, name);
  return putOnStream(step, step.getArgument(1));
}

LogicalResult StepLowering::run() {
  for (auto [index, array] : llvm::enumerate(layout.arrays))
    if (array.op)
      pointers.try_emplace({array.op, int64_t(array.kind), array.tag}, index);
  SmallVector<func::FuncOp> steps = findSteps(module, program);
  for (func::FuncOp step : steps)
    if (failed(check(step)))
      return failure();
  for (func::FuncOp step : steps)
    if (failed(lower(step)))
      return failure();
  return success();
}

LogicalResult lane::lowerSteps(ModuleOp module, ProgramOp program,
                               const PoolLayout &layout,
                               const HostDescription &description,
                               HostSteps kind) {
  return StepLowering(module, program, layout, description, kind).run();
}

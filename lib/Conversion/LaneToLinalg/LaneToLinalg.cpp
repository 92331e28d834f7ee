//===- LaneToLinalg.cpp - The pass convert-lane-to-linalg -----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "lane/Conversion/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

namespace lane {
#define GEN_PASS_DEF_CONVERTLANETOLINALGPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;
using namespace lane::lanetolinalg;

namespace {

/// A kernel, and what its callers pass.
struct Kernel {
  func::FuncOp function;
  SmallVector<KernelArgument> arguments;
  SmallVector<int64_t> scratchBytes;
};

/// The kernels of a program.
class KernelLibrary {
public:
  explicit KernelLibrary(ProgramOp program)
      : program(program), builder(program->getContext()) {}

  /// The kernel of a launch of `form`; null, with a diagnostic, if the launch
  /// has no code.
  const Kernel *get(Operation *launch, FormOp form);
  int64_t getNumKernels() const { return kernels.size(); }

private:
  std::string makeKey(Operation *launch, FormOp form);
  std::string makeName(Operation *launch);

  ProgramOp program;
  OpBuilder builder;
  llvm::StringMap<Kernel> kernels;
};

/// Makes the step of a form.
class StepEmitter {
public:
  StepEmitter(ProgramOp program, FormOp form, KernelLibrary &kernels)
      : program(program), form(form), kernels(kernels),
        builder(program->getContext()) {}

  LogicalResult emit();
  int64_t getNumLaunches() const { return numLaunches; }

private:
  LogicalResult emitLaunch(LaunchOpInterface launch, int64_t index);
  LogicalResult emitPart(Operation *part, LaunchOpInterface launch,
                         int64_t index);
  Value getMemref(const KernelArgument &argument, Operation *part,
                  int64_t index, int64_t firstTag);

  ProgramOp program;
  FormOp form;
  KernelLibrary &kernels;
  OpBuilder builder;
  llvm::DenseMap<std::tuple<Value, int64_t, Type>, Value> memrefs;
  int64_t numLaunches = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// KernelLibrary
//===----------------------------------------------------------------------===//

/// All that the code of a launch depends on: its attributes, the types and the
/// storages of its operands, and which operands are the same.
std::string KernelLibrary::makeKey(Operation *launch, FormOp form) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << launch->getName() << " " << form.getRows();
  NamedAttrList attributes(launch->getAttrs());
  attributes.erase("scratch");
  // The name of each attribute precedes it, and properties are attributes too.
  os << attributes.getDictionary(launch->getContext());
  for (Value operand : launch->getOperands()) {
    auto buffer = operand.getDefiningOp<BufferOpInterface>();
    os << " " << operand.getType() << (buffer.getPlainAttr() ? "p" : "")
       << (buffer.getQuantizedAttr() ? "q" : "");
    if (auto ref = dyn_cast<RefOp>(buffer.getOperation()))
      os << program.lookupSymbol(ref.getSymbolAttr().getAttr())->getName();
  }
  return key;
}

std::string KernelLibrary::makeName(Operation *launch) {
  StringRef mnemonic = launch->getName().stripDialect();
  return (program.getSymName() + "_" + mnemonic + "_" +
          Twine(kernels.size() - 1))
      .str();
}

const Kernel *KernelLibrary::get(Operation *launch, FormOp form) {
  auto [it, isNew] = kernels.try_emplace(makeKey(launch, form));
  Kernel &kernel = it->second;
  if (!isNew)
    return kernel.function ? &kernel : nullptr;
  builder.setInsertionPointToEnd(program->getBlock());
  auto function =
      func::FuncOp::create(builder, launch->getLoc(), makeName(launch),
                           builder.getFunctionType(TypeRange(), TypeRange()));
  SymbolTable::setSymbolVisibility(function, SymbolTable::Visibility::Private);
  function.addEntryBlock();
  KernelEmitter emitter(launch, form, program.getNumerics(), function);
  if (failed(emitter.emit())) {
    function.erase();
    return nullptr;
  }
  kernel = {function, SmallVector<KernelArgument>(emitter.getArguments()),
            SmallVector<int64_t>(emitter.getScratchBytes())};
  return &kernel;
}

//===----------------------------------------------------------------------===//
// StepEmitter
//===----------------------------------------------------------------------===//

Value StepEmitter::getMemref(const KernelArgument &argument, Operation *part,
                             int64_t index, int64_t firstTag) {
  Location loc = part->getLoc();
  FlatSymbolRefAttr formName = FlatSymbolRefAttr::get(form.getSymNameAttr());
  auto makeSymbol = [&](FlatSymbolRefAttr leaf) {
    return SymbolRefAttr::get(program.getSymNameAttr(), leaf);
  };
  if (!argument.operand) {
    int64_t scratch[] = {index, firstTag + argument.tag};
    return GetMemrefOp::create(
        builder, loc, argument.type, makeSymbol(formName), StringAttr(),
        ArrayKind::Plain, builder.getDenseI64ArrayAttr(scratch));
  }
  Value buffer = part->getOperand(*argument.operand);
  Value &memref = memrefs[{buffer, int64_t(argument.kind), argument.type}];
  if (memref)
    return memref;
  auto op = buffer.getDefiningOp<BufferOpInterface>();
  auto ref = dyn_cast<RefOp>(op.getOperation());
  memref = GetMemrefOp::create(builder, loc, argument.type,
                               makeSymbol(ref ? ref.getSymbolAttr() : formName),
                               ref ? StringAttr() : op.getBufferName(),
                               argument.kind);
  return memref;
}

/// Calls the kernel of a launch, or of a part of a fused launch, whose scratch
/// belongs to `launch`.
LogicalResult StepEmitter::emitPart(Operation *part, LaunchOpInterface launch,
                                    int64_t index) {
  const Kernel *kernel = kernels.get(part, form);
  if (!kernel)
    return failure();
  SmallVector<Attribute> scratch;
  int64_t firstTag = 0;
  if (ArrayAttr known = launch.getScratchAttr()) {
    llvm::append_range(scratch, known);
    for (auto entry : known.getAsRange<ScratchAttr>())
      firstTag = std::max(firstTag, entry.getTag() + 1);
  }
  auto pool = StorageAttr::get(builder.getContext());
  for (auto [tag, bytes] : llvm::enumerate(kernel->scratchBytes))
    scratch.push_back(ScratchAttr::get(builder.getContext(), firstTag + tag,
                                       bytes, /*counter=*/false, pool));
  if (!kernel->scratchBytes.empty())
    launch.setScratchAttr(builder.getArrayAttr(scratch));
  SmallVector<Value> operands;
  for (const KernelArgument &argument : kernel->arguments)
    operands.push_back(getMemref(argument, part, index, firstTag));
  func::CallOp::create(builder, part->getLoc(), kernel->function, operands);
  ++numLaunches;
  return success();
}

LogicalResult StepEmitter::emitLaunch(LaunchOpInterface launch, int64_t index) {
  LogicalResult result = success();
  launch.forEachPart([&](LaunchOpInterface part) {
    if (succeeded(result))
      result = emitPart(part, launch, index);
  });
  return result;
}

LogicalResult StepEmitter::emit() {
  builder.setInsertionPointToEnd(program->getBlock());
  auto step = func::FuncOp::create(
      builder, form.getLoc(),
      (program.getSymName() + "_" + form.getSymName() + "_step").str(),
      builder.getFunctionType(TypeRange(), TypeRange()));
  step->setAttr("lane.step", SymbolRefAttr::get(program.getSymNameAttr(),
                                                FlatSymbolRefAttr::get(
                                                    form.getSymNameAttr())));
  builder.setInsertionPointToStart(step.addEntryBlock());
  for (auto [index, launch] :
       llvm::enumerate(form.getBody().getOps<LaunchOpInterface>()))
    if (failed(emitLaunch(launch, index)))
      return failure();
  func::ReturnOp::create(builder, form.getLoc());
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The forms that have a step.
static llvm::DenseSet<Attribute> findSteps(ModuleOp module) {
  llvm::DenseSet<Attribute> forms;
  for (auto function : module.getOps<func::FuncOp>())
    if (auto form = function->getAttrOfType<SymbolRefAttr>("lane.step"))
      forms.insert(form);
  return forms;
}

namespace {
struct ConvertLaneToLinalgPass
    : public lane::impl::ConvertLaneToLinalgPassBase<ConvertLaneToLinalgPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::DenseSet<Attribute> known = findSteps(module);
    SmallVector<ProgramOp> programs(module.getOps<ProgramOp>());
    for (ProgramOp program : programs) {
      KernelLibrary kernels(program);
      for (auto form : program.getBody().getOps<FormOp>()) {
        if (known.contains(SymbolRefAttr::get(
                program.getSymNameAttr(),
                FlatSymbolRefAttr::get(form.getSymNameAttr()))))
          continue;
        StepEmitter step(program, form, kernels);
        if (failed(step.emit()))
          return signalPassFailure();
        numLaunches += step.getNumLaunches();
      }
      this->numKernels += kernels.getNumKernels();
    }
  }
};
} // namespace

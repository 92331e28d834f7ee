//===- ProgramBuilder.cpp - A program from its description ----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace lane;
using namespace lane::json;

namespace {

/// Builds the constants and state that forms share, then each form.
class ProgramBuilder {
public:
  ProgramBuilder(const ProgramDescription &description, Location loc,
                 OpBuilder &builder)
      : description(description), loc(loc), builder(builder) {}

  LogicalResult build(StringRef name);

private:
  /// A buffer of the program, and the first form that names it.
  struct SharedBuffer {
    const BufferDescription *buffer;
    unsigned form;
    Type type;
  };

  void collectState();
  bool isShared(const BufferDescription &buffer) const;
  LogicalResult buildShared();
  LogicalResult declare(const BufferDescription &buffer);
  LogicalResult buildForm();
  LogicalResult buildBuffer(const BufferDescription &buffer);
  Value buildAlias(const BufferDescription &buffer, BufferType type);
  Value buildState(const BufferDescription &buffer, BufferType type);
  LogicalResult buildLaunch(const LaunchDescription &launch);
  void buildKernel(const LaunchDescription &launch, ArrayAttr scratch);

  FailureOr<BufferType> getBufferType(const BufferDescription &buffer);
  FailureOr<Type> getType(const BufferDescription &buffer);
  StorageAttr getStorage(const StorageDescription &storage);
  FailureOr<ArrayAttr> getScratch(const LaunchDescription &launch);
  std::string getFormName();
  const FormDescription &getForm() const {
    return description.forms[formIndex];
  }
  InFlightDiagnostic emitError(const BufferDescription &buffer);
  std::string getPath(const BufferDescription &buffer) const;

  const ProgramDescription &description;
  Location loc;
  OpBuilder &builder;
  llvm::StringMap<SharedBuffer> shared;
  /// The state of the decode form, by name.
  llvm::StringMap<const BufferDescription *> decodeState;
  llvm::StringMap<unsigned> formNames;
  /// The current form, and the values of its buffers.
  unsigned formIndex = 0;
  SmallVector<Value> values;
};

} // namespace

//===----------------------------------------------------------------------===//
// Types, attributes and errors
//===----------------------------------------------------------------------===//

std::string ProgramBuilder::getPath(const BufferDescription &buffer) const {
  return "forms[" + llvm::utostr(formIndex) + "].buffers[" +
         llvm::utostr(&buffer - getForm().buffers.data()) + "]";
}

InFlightDiagnostic ProgramBuilder::emitError(const BufferDescription &buffer) {
  return mlir::emitError(loc) << getPath(buffer) << ": ";
}

FailureOr<BufferType>
ProgramBuilder::getBufferType(const BufferDescription &buffer) {
  Type element = builder.getF32Type();
  if (buffer.elementBytes == 1)
    element = builder.getI8Type();
  else if (buffer.elementBytes == 2)
    element = builder.getF16Type();
  else if (buffer.elementBytes == 8)
    element = builder.getF64Type();
  auto type = BufferType::getChecked([&] { return emitError(buffer); },
                                     builder.getContext(),
                                     ArrayRef<int64_t>(buffer.length), element);
  if (!type)
    return failure();
  return type;
}

FailureOr<Type> ProgramBuilder::getType(const BufferDescription &buffer) {
  if (buffer.fill != FillKind::Rows)
    return FailureOr<Type>(getBufferType(buffer));
  auto type = MatrixType::getChecked(
      [&] { return emitError(buffer); }, builder.getContext(),
      ArrayRef<int64_t>{buffer.rows, buffer.columns}, buffer.format);
  if (!type)
    return failure();
  return Type(type);
}

/// A storage that no launch uses has no slot.
StorageAttr ProgramBuilder::getStorage(const StorageDescription &storage) {
  if (!storage.isTouched)
    return {};
  return StorageAttr::get(builder.getContext(), storage.hasSlot, std::nullopt);
}

FailureOr<ArrayAttr>
ProgramBuilder::getScratch(const LaunchDescription &launch) {
  if (launch.scratch.empty())
    return ArrayAttr();
  size_t index = &launch - getForm().launches.data();
  SmallVector<Attribute> entries;
  for (const ScratchDescription &scratch : launch.scratch) {
    auto entry = ScratchAttr::getChecked(
        [&] {
          return mlir::emitError(loc)
                 << "forms[" << formIndex << "].launches[" << index << "]: ";
        },
        builder.getContext(), scratch.tag, scratch.bytes, scratch.isCounter,
        StorageAttr::get(builder.getContext(), scratch.hasSlot, std::nullopt));
    if (!entry)
      return failure();
    entries.push_back(entry);
  }
  return builder.getArrayAttr(entries);
}

//===----------------------------------------------------------------------===//
// Shared constants and state
//===----------------------------------------------------------------------===//

void ProgramBuilder::collectState() {
  for (const FormDescription &form : description.forms)
    if (form.kind == FormKind::Decode)
      for (const BufferDescription &buffer : form.buffers)
        if (buffer.fill == FillKind::Zero)
          decodeState.try_emplace(buffer.name, &buffer);
}

/// State is shared if the decode form has it too, with the same size.
bool ProgramBuilder::isShared(const BufferDescription &buffer) const {
  if (buffer.isConstant())
    return true;
  if (buffer.fill != FillKind::Zero)
    return false;
  const BufferDescription *other = decodeState.lookup(buffer.name);
  return other && other->length == buffer.length &&
         other->elementBytes == buffer.elementBytes;
}

LogicalResult ProgramBuilder::declare(const BufferDescription &buffer) {
  auto [it, isNew] =
      shared.try_emplace(buffer.name, SharedBuffer{&buffer, formIndex, Type()});
  if (!isNew) {
    std::string difference = describeDifference(buffer, *it->second.buffer);
    if (difference.empty())
      return success();
    return emitError(buffer) << quote(buffer.name) << " " << difference
                             << " in forms[" << it->second.form << "]";
  }
  FailureOr<Type> type = getType(buffer);
  if (failed(type))
    return failure();
  it->second.type = *type;
  if (auto matrix = dyn_cast<MatrixType>(*type)) {
    SmallVector<Attribute> runs;
    for (const RunDescription &run : buffer.runs)
      runs.push_back(
          RowsAttr::get(builder.getContext(), run.file, run.offset, run.rows));
    MatrixOp::create(builder, loc, buffer.name, matrix, runs);
  } else if (buffer.fill == FillKind::Values) {
    ValuesOp::create(builder, loc, buffer.name, cast<BufferType>(*type));
  } else {
    StateOp::create(builder, loc, buffer.name, cast<BufferType>(*type));
  }
  return success();
}

LogicalResult ProgramBuilder::buildShared() {
  for (formIndex = 0; formIndex < description.forms.size(); ++formIndex)
    for (const BufferDescription &buffer : getForm().buffers)
      if (isShared(buffer) && failed(declare(buffer)))
        return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Value ProgramBuilder::buildAlias(const BufferDescription &buffer,
                                 BufferType type) {
  Value base = values[buffer.base];
  int64_t overrun = ViewOp::computeOverrun(base.getType(), type, buffer.offset,
                                           buffer.quantized.isTouched);
  IntegerAttr overrunAttr;
  if (overrun > 0) {
    overrunAttr = builder.getI64IntegerAttr(overrun);
    emitWarning(loc) << getPath(buffer) << ": alias " << quote(buffer.name)
                     << " exceeds its base " << quote(buffer.baseName) << " by "
                     << overrun << " elements";
  }
  return ViewOp::create(builder, loc, type, builder.getStringAttr(buffer.name),
                        base, builder.getI64IntegerAttr(buffer.offset),
                        overrunAttr, getStorage(buffer.plain),
                        getStorage(buffer.quantized));
}

/// State of one form. It cannot be in an arena, which does not outlive a step,
/// so state with a slot in the arena is imported as an activation.
Value ProgramBuilder::buildState(const BufferDescription &buffer,
                                 BufferType type) {
  bool isInArena = buffer.plain.isInArena() || buffer.quantized.isInArena();
  if (isInArena)
    emitWarning(loc)
        << getPath(buffer) << ": state " << quote(buffer.name)
        << " has a slot in the arena, so it is imported as computed";
  return AllocOp::create(builder, loc, type, buffer.name,
                         /*carried=*/!isInArena, getStorage(buffer.plain),
                         getStorage(buffer.quantized));
}

LogicalResult ProgramBuilder::buildBuffer(const BufferDescription &buffer) {
  StorageAttr plain = getStorage(buffer.plain);
  StorageAttr quantized = getStorage(buffer.quantized);
  Value &value = values[&buffer - getForm().buffers.data()];
  if (isShared(buffer)) {
    value = RefOp::create(builder, loc, shared.lookup(buffer.name).type,
                          buffer.name, plain, quantized);
    return success();
  }
  FailureOr<BufferType> type = getBufferType(buffer);
  if (failed(type))
    return failure();
  if (buffer.fill == FillKind::Alias)
    value = buildAlias(buffer, *type);
  else if (buffer.fill == FillKind::Zero)
    value = buildState(buffer, *type);
  else if (buffer.fill == FillKind::Param)
    value = ParamOp::create(builder, loc, *type, buffer.name, buffer.isPosition,
                            plain, quantized);
  else
    value = AllocOp::create(builder, loc, *type, buffer.name,
                            /*carried=*/false, plain, quantized);
  return success();
}

//===----------------------------------------------------------------------===//
// Launches and forms
//===----------------------------------------------------------------------===//

void ProgramBuilder::buildKernel(const LaunchDescription &launch,
                                 ArrayAttr scratch) {
  SmallVector<Value> inputs, outputs;
  SmallVector<Attribute> accesses;
  bool allDense = true;
  for (const ReadDescription &read : launch.reads) {
    inputs.push_back(values[read.buffer]);
    bool isCounted = read.kind == AccessKind::Expert;
    accesses.push_back(AccessAttr::get(builder.getContext(), read.kind,
                                       isCounted ? launch.active : 0,
                                       isCounted ? launch.experts : 0));
    allDense &= read.kind == AccessKind::Dense;
  }
  for (unsigned buffer : launch.writes)
    outputs.push_back(values[buffer]);
  KernelLaunchOp::create(
      builder, loc, builder.getStringAttr(launch.op), inputs, outputs,
      allDense ? ArrayAttr() : builder.getArrayAttr(accesses), scratch);
}

LogicalResult ProgramBuilder::buildLaunch(const LaunchDescription &launch) {
  FailureOr<ArrayAttr> scratch = getScratch(launch);
  if (failed(scratch))
    return failure();
  if (launch.parts.empty()) {
    buildKernel(launch, *scratch);
    return success();
  }
  auto fused = FusedOp::create(builder, loc);
  fused.setScratchAttr(*scratch);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&fused.getBody().front());
  for (const LaunchDescription &part : launch.parts)
    buildKernel(part, /*scratch=*/ArrayAttr());
  return success();
}

/// The kind of the form, with a number if the name is taken.
std::string ProgramBuilder::getFormName() {
  std::string kind = stringifyFormKind(getForm().kind).str();
  std::string name = kind;
  for (unsigned number = 1;
       shared.contains(name) || !formNames.try_emplace(name).second; ++number)
    name = kind + "_" + llvm::utostr(number);
  return name;
}

LogicalResult ProgramBuilder::buildForm() {
  const FormDescription &description = getForm();
  auto form = FormOp::create(builder, loc, getFormName(), description.kind,
                             description.rows);
  form.setArena(description.arenaBytes);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&form.getBody().front());
  values.assign(description.buffers.size(), Value());
  for (unsigned index : description.order)
    if (failed(buildBuffer(description.buffers[index])))
      return failure();
  for (const LaunchDescription &launch : description.launches)
    if (failed(buildLaunch(launch)))
      return failure();
  return success();
}

LogicalResult ProgramBuilder::build(StringRef name) {
  auto program = ProgramOp::create(
      builder, loc, name, description.contextLength, description.numerics);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&program.getBody().front());
  collectState();
  if (failed(buildShared()))
    return failure();
  for (formIndex = 0; formIndex < description.forms.size(); ++formIndex)
    if (failed(buildForm()))
      return failure();
  return success();
}

LogicalResult lane::json::buildProgram(const ProgramDescription &description,
                                       StringRef name, Location loc,
                                       OpBuilder &builder) {
  return ProgramBuilder(description, loc, builder).build(name);
}

//===- ProgramRaiser.cpp - Builds the lane program ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramRaiser.h"
#include "Types.h"
#include "lane/Conversion/Weights.h"
#include "lane/Support/Bytes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace lane;
using namespace lane::linalgtolane;

/// The alignment of weights that get a place in the program's own file.
static constexpr int64_t kWeightAlignmentBytes = 64;
/// The most values that an array of two dimensions or more keeps in the
/// program: 64 KiB, which stay on the device.
static constexpr int64_t kMaxValues = 16384;

ProgramRaiser::ProgramRaiser(ModuleOp module, StringRef name,
                             int64_t contextLength,
                             CheckpointWeights *checkpoint)
    : builder(module.getContext()), checkpoint(checkpoint) {
  builder.setInsertionPointToEnd(module.getBody());
  program = ProgramOp::create(builder, module.getLoc(), name, contextLength,
                              Numerics::OnePass);
  builder.setInsertionPointToEnd(&program.getBody().front());
  if (auto given = module->getAttrOfType<ArrayAttr>("lane.files"))
    llvm::append_range(files, given);
}

Type linalgtolane::getSymbolType(Operation *symbol) {
  if (auto matrix = dyn_cast<MatrixOp>(symbol))
    return matrix.getType();
  if (auto values = dyn_cast<ValuesOp>(symbol))
    return values.getType();
  return cast<StateOp>(symbol).getType();
}

/// The symbol of a name that is already declared. Null, after an error, if it
/// has another type.
Operation *ProgramRaiser::getKnown(const Declaration &declaration, Type type) {
  Operation *symbol = known.lookup(declaration.name);
  if (getSymbolType(symbol) == type)
    return symbol;
  declaration.op->emitOpError()
      << "has " << declaration.name << " of " << type << ", but it is "
      << getSymbolType(symbol) << " elsewhere";
  return nullptr;
}

/// The end of `count` rows at `start`, padded to the alignment of weights; none
/// if it overflows int64.
static std::optional<int64_t> getAlignedEnd(int64_t start, int64_t count,
                                            int64_t rowBytes) {
  std::optional<int64_t> bytes = checkedMulBytes(count, rowBytes);
  std::optional<int64_t> padded =
      bytes ? checkedAddBytes(*bytes, kWeightAlignmentBytes - 1) : std::nullopt;
  if (!padded)
    return std::nullopt;
  return checkedAddBytes(
      start, llvm::alignDown(*padded, uint64_t(kWeightAlignmentBytes)));
}

/// The index of a file of that name, which is added if it is new.
int64_t ProgramRaiser::getFile(StringRef name) {
  Attribute attr = builder.getStringAttr(name);
  auto *it = llvm::find(files, attr);
  int64_t index = it - files.begin();
  if (it == files.end())
    files.push_back(attr);
  return index;
}

/// The rows of the weight's tensor in the checkpoint. Null after an error.
ArrayAttr ProgramRaiser::getCheckpointRows(const Declaration &weight, Type type,
                                           int64_t count) {
  std::optional<CheckpointWeight> found = checkpoint->lookup(weight.tensorName);
  if (!found) {
    // All that are missing are one error, at the end.
    checkpoint->addMissing(weight.op->getLoc(), weight.tensorName);
    return builder.getArrayAttr(
        RowsAttr::get(builder.getContext(), /*file=*/0, /*offset=*/0, count));
  }
  if (failed(checkWeight(weight.op, *found, type)))
    return {};
  // Names of a checkpoint may be empty or contain NUL bytes.
  auto rows = RowsAttr::getChecked(
      [&] { return weight.op->emitOpError() << "has a weight whose "; },
      builder.getContext(), getFile(found->fileName), found->tensor->offset,
      count, weight.tensorName);
  return rows ? builder.getArrayAttr(rows) : ArrayAttr();
}

/// A place in the program's own file, after the weights before it. Null after
/// an error.
ArrayAttr ProgramRaiser::getOwnRows(const Declaration &weight, int64_t count,
                                    int64_t rowBytes) {
  if (!ownFile) {
    ownFile = files.size();
    files.push_back(builder.getStringAttr(program.getSymName() + ".weights"));
  }
  std::optional<int64_t> end = getAlignedEnd(ownBytes, count, rowBytes);
  if (!end) {
    weight.op->emitOpError()
        << "makes the byte size of all weights overflow int64";
    return {};
  }
  if (weight.values)
    weight.op->emitWarning() << "the program does not keep the values of "
                             << weight.name << ": export them before this pass";
  Attribute rows =
      RowsAttr::get(builder.getContext(), *ownFile, ownBytes, count);
  ownBytes = *end;
  return builder.getArrayAttr(rows);
}

/// The rows that a weight gives, or else those of its tensor, or else a place
/// in the program's own file. Null after an error.
ArrayAttr ProgramRaiser::getRows(const Declaration &weight, Type type,
                                 int64_t count, int64_t rowBytes) {
  if (weight.rows)
    return weight.rows;
  return checkpoint ? getCheckpointRows(weight, type, count)
                    : getOwnRows(weight, count, rowBytes);
}

Operation *ProgramRaiser::makeValues(const Declaration &weight,
                                     BufferType type) {
  auto values = ValuesOp::create(builder, weight.op->getLoc(),
                                 weight.name.getValue(), type);
  if (auto data = dyn_cast_if_present<DenseElementsAttr>(weight.values);
      data && !weight.rows) {
    values.setDataAttr(data.reshape(
        RankedTensorType::get(type.getShape(), type.getElementType())));
    return values;
  }
  int64_t columns = type.getShape().back();
  ArrayAttr rows =
      getRows(weight, type, columns == 0 ? 0 : type.getLength() / columns,
              columns * sizeof(float));
  if (!rows)
    return nullptr;
  values.setRowsAttr(rows);
  return values;
}

Operation *ProgramRaiser::makeMatrix(const Declaration &weight,
                                     MatrixType type) {
  ArrayAttr rows = getRows(weight, type, type.getNumRows(), type.getRowBytes());
  if (!rows)
    return nullptr;
  return MatrixOp::create(builder, weight.op->getLoc(), weight.name.getValue(),
                          type, rows.getValue());
}

/// Whether a weight is values of the program: a vector of f32, or a small array
/// of f32 whose values are in the module.
static bool isValues(const Declaration &weight) {
  if (weight.matrixType || !weight.type.getElementType().isF32())
    return false;
  return weight.type.getRank() <= 1 ||
         (isa_and_present<DenseElementsAttr>(weight.values) && !weight.rows &&
          weight.type.getNumElements() <= kMaxValues);
}

Operation *ProgramRaiser::getWeight(const Declaration &weight) {
  bool becomesValues = isValues(weight);
  Type type =
      becomesValues
          ? Type(getBufferType(weight.op, weight.type))
          : Type(getMatrixType(weight.op, weight.type, weight.matrixType));
  if (!type)
    return nullptr;
  if (known.contains(weight.name))
    return getKnown(weight, type);
  Operation *symbol = becomesValues
                          ? makeValues(weight, cast<BufferType>(type))
                          : makeMatrix(weight, cast<MatrixType>(type));
  return known[weight.name] = symbol;
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

StringAttr ProgramRaiser::getGlobalName(memref::GlobalOp global) {
  StringAttr name = getTensorName(global);
  // Two globals may share a resource in different shapes.
  return namedGlobals.try_emplace(name, global).first->second == global
             ? name
             : global.getSymNameAttr();
}

FormOp ProgramRaiser::makeForm(Location loc, StringRef name, FormKind kind,
                               int64_t rows) {
  OpBuilder atEnd = OpBuilder::atBlockEnd(&program.getBody().front());
  FormOp form = FormOp::create(atEnd, loc, name, kind, rows);
  if (llvm::hasSingleElement(program.getBody().getOps<FormOp>()))
    builder.setInsertionPoint(form);
  return form;
}

LogicalResult ProgramRaiser::finish() {
  if (!files.empty())
    program.setFilesAttr(builder.getArrayAttr(files));
  return checkpoint ? checkpoint->checkMissing() : success();
}

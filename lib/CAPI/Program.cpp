//===- Program.cpp - Building programs from C -----------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane-c/Program.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace lane;

/// A builder at the end of the only block of `op`, a program or form.
static OpBuilder getBuilder(MlirOperation op) {
  return OpBuilder::atBlockEnd(&unwrap(op)->getRegion(0).front());
}

static StorageAttr getStorage(MLIRContext *context, LaneStorage storage) {
  if (storage == LaneStorageNone)
    return {};
  return StorageAttr::get(context, storage == LaneStorageArena, std::nullopt);
}

static ArrayAttr getRows(MLIRContext *context, int64_t file, int64_t offset,
                         int64_t count) {
  return ArrayAttr::get(context, RowsAttr::get(context, file, offset, count));
}

MlirOperation laneProgramCreate(MlirModule module, MlirLocation location,
                                MlirStringRef name, int64_t contextLength,
                                LaneNumerics numerics) {
  OpBuilder builder = OpBuilder::atBlockEnd(unwrap(module).getBody());
  return wrap(ProgramOp::create(builder, unwrap(location), unwrap(name),
                                contextLength, static_cast<Numerics>(numerics))
                  .getOperation());
}

int64_t laneProgramAddFile(MlirOperation program, MlirStringRef name) {
  auto op = cast<ProgramOp>(unwrap(program));
  SmallVector<Attribute> files;
  if (ArrayAttr known = op.getFilesAttr())
    llvm::append_range(files, known);
  files.push_back(StringAttr::get(op.getContext(), unwrap(name)));
  op.setFilesAttr(ArrayAttr::get(op.getContext(), files));
  return files.size() - 1;
}

MlirOperation laneMatrixCreate(MlirOperation program, MlirLocation location,
                               MlirStringRef name, MlirType type, int64_t file,
                               int64_t offset) {
  OpBuilder builder = getBuilder(program);
  auto matrixType = cast<MatrixType>(unwrap(type));
  return wrap(MatrixOp::create(builder, unwrap(location), unwrap(name),
                               matrixType,
                               RowsAttr::get(builder.getContext(), file, offset,
                                             matrixType.getNumRows()))
                  .getOperation());
}

MlirOperation laneValuesCreate(MlirOperation program, MlirLocation location,
                               MlirStringRef name, MlirType type, int64_t file,
                               int64_t offset) {
  OpBuilder builder = getBuilder(program);
  auto bufferType = cast<BufferType>(unwrap(type));
  int64_t columns = bufferType.getShape().back();
  int64_t count = columns == 0 ? 0 : bufferType.getLength() / columns;
  auto values =
      ValuesOp::create(builder, unwrap(location), unwrap(name), bufferType);
  values.setRowsAttr(getRows(builder.getContext(), file, offset, count));
  return wrap(values.getOperation());
}

MlirOperation laneStateCreate(MlirOperation program, MlirLocation location,
                              MlirStringRef name, MlirType type) {
  OpBuilder builder = getBuilder(program);
  return wrap(StateOp::create(builder, unwrap(location), unwrap(name),
                              cast<BufferType>(unwrap(type)))
                  .getOperation());
}

MlirOperation laneFormCreate(MlirOperation program, MlirLocation location,
                             MlirStringRef name, LaneFormKind kind,
                             int64_t rows) {
  OpBuilder builder = getBuilder(program);
  return wrap(FormOp::create(builder, unwrap(location), unwrap(name),
                             static_cast<FormKind>(kind), rows)
                  .getOperation());
}

MlirValue laneParamCreate(MlirOperation form, MlirLocation location,
                          MlirStringRef name, MlirType type,
                          LaneStorages storages, bool isPosition) {
  OpBuilder builder = getBuilder(form);
  MLIRContext *context = builder.getContext();
  return wrap(ParamOp::create(builder, unwrap(location),
                              cast<BufferType>(unwrap(type)),
                              builder.getStringAttr(unwrap(name)), isPosition,
                              getStorage(context, storages.plain),
                              getStorage(context, storages.quantized))
                  .getResult());
}

MlirValue laneAllocCreate(MlirOperation form, MlirLocation location,
                          MlirStringRef name, MlirType type,
                          LaneStorages storages) {
  OpBuilder builder = getBuilder(form);
  MLIRContext *context = builder.getContext();
  return wrap(
      AllocOp::create(builder, unwrap(location), cast<BufferType>(unwrap(type)),
                      builder.getStringAttr(unwrap(name)),
                      /*carried=*/false, getStorage(context, storages.plain),
                      getStorage(context, storages.quantized))
          .getResult());
}

MlirValue laneViewCreate(MlirOperation form, MlirLocation location,
                         MlirStringRef name, MlirValue base, int64_t offset,
                         MlirType type, LaneStorages storages) {
  OpBuilder builder = getBuilder(form);
  MLIRContext *context = builder.getContext();
  return wrap(ViewOp::create(builder, unwrap(location),
                             cast<BufferType>(unwrap(type)),
                             builder.getStringAttr(unwrap(name)), unwrap(base),
                             builder.getI64IntegerAttr(offset),
                             /*overrun=*/IntegerAttr(),
                             getStorage(context, storages.plain),
                             getStorage(context, storages.quantized))
                  .getResult());
}

MlirValue laneRefCreate(MlirOperation form, MlirLocation location,
                        MlirStringRef symbol, MlirType type,
                        LaneStorages storages) {
  OpBuilder builder = getBuilder(form);
  MLIRContext *context = builder.getContext();
  return wrap(RefOp::create(builder, unwrap(location), unwrap(type),
                            FlatSymbolRefAttr::get(context, unwrap(symbol)),
                            getStorage(context, storages.plain),
                            getStorage(context, storages.quantized))
                  .getResult());
}

MlirOperation laneLaunchCreate(MlirOperation form, MlirLocation location,
                               MlirStringRef kernel, intptr_t numInputs,
                               const MlirValue *inputs,
                               const LaneAccess *access, intptr_t numOutputs,
                               const MlirValue *outputs) {
  OpBuilder builder = getBuilder(form);
  MLIRContext *context = builder.getContext();
  SmallVector<Value> ins, outs;
  (void)unwrapList(numInputs, inputs, ins);
  (void)unwrapList(numOutputs, outputs, outs);
  ArrayAttr accesses;
  if (access) {
    SmallVector<Attribute> attrs;
    for (const LaneAccess &each : ArrayRef(access, numInputs))
      attrs.push_back(AccessAttr::get(context,
                                      static_cast<AccessKind>(each.kind),
                                      each.active, each.experts));
    accesses = ArrayAttr::get(context, attrs);
  }
  return wrap(KernelLaunchOp::create(builder, unwrap(location),
                                     builder.getStringAttr(unwrap(kernel)), ins,
                                     outs, accesses, /*scratch=*/ArrayAttr())
                  .getOperation());
}

//===- Dialect.cpp - The lane dialect for C -------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane-c/Dialect.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"

using namespace mlir;
using namespace lane;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Lane, lane, LaneDialect)

bool laneTypeIsABuffer(MlirType type) { return isa<BufferType>(unwrap(type)); }

MlirType laneBufferTypeGet(MlirLocation location, intptr_t rank,
                           const int64_t *shape, MlirType elementType) {
  Location loc = unwrap(location);
  return wrap(BufferType::getChecked([&] { return emitError(loc); },
                                     loc.getContext(), ArrayRef(shape, rank),
                                     unwrap(elementType)));
}

bool laneTypeIsAMatrix(MlirType type) { return isa<MatrixType>(unwrap(type)); }

MlirType laneMatrixTypeGet(MlirLocation location, intptr_t rank,
                           const int64_t *shape, MlirStringRef format) {
  Location loc = unwrap(location);
  std::optional<NumberFormat> known = symbolizeNumberFormat(unwrap(format));
  if (!known) {
    emitError(loc) << "unknown number format '" << unwrap(format) << "'";
    return MlirType{nullptr};
  }
  return wrap(MatrixType::getChecked([&] { return emitError(loc); },
                                     loc.getContext(), ArrayRef(shape, rank),
                                     *known));
}

int64_t laneMatrixTypeGetUploadBytes(MlirType type) {
  return cast<MatrixType>(unwrap(type)).getUploadBytes();
}

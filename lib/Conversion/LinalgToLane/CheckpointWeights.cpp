//===- CheckpointWeights.cpp - Weights by name in a checkpoint ------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckpointWeights.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Support/Quote.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace lane;
using namespace lane::linalgtolane;

llvm::Expected<CheckpointWeights> CheckpointWeights::open(StringRef path) {
  llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(path);
  if (!checkpoint)
    return checkpoint.takeError();
  return CheckpointWeights(std::move(*checkpoint), path);
}

/// The shape without the dimensions of 1 before all others.
static ArrayRef<int64_t> dropLeadingOnes(ArrayRef<int64_t> shape) {
  return shape.drop_while([](int64_t size) { return size == 1; });
}

/// The shape and the format as a matrix type has them, "2x3xf32".
static std::string describe(const CheckpointTensor &tensor) {
  std::string text;
  for (int64_t size : tensor.shape)
    text += std::to_string(size) + "x";
  return text + tensor.formatName;
}

LogicalResult CheckpointWeights::check(Operation *op,
                                       const CheckpointTensor &tensor,
                                       Type type) const {
  auto matrix = dyn_cast<MatrixType>(type);
  NumberFormat format = matrix ? matrix.getFormat() : NumberFormat::F32;
  ArrayRef<int64_t> shape =
      matrix ? matrix.getShape() : cast<BufferType>(type).getShape();
  if (tensor.format == format &&
      dropLeadingOnes(tensor.shape) == dropLeadingOnes(shape))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError()
                                  << "has " << quote(tensor.name) << " of "
                                  << type << ", but it is " << describe(tensor)
                                  << " in '" << path << "'";
  if (!tensor.format)
    diagnostic << ", which is not a format of matrices";
  return diagnostic;
}

StringRef CheckpointWeights::getFileName(const CheckpointTensor &tensor) const {
  return llvm::sys::path::filename(checkpoint.getFiles()[tensor.file].path);
}

void CheckpointWeights::addMissing(Location loc, StringRef name) {
  if (!firstMissing)
    firstMissing = loc;
  missing.insert(quote(name));
}

LogicalResult CheckpointWeights::checkMissing() const {
  if (!firstMissing)
    return success();
  return emitError(*firstMissing)
         << "'" << path << "' has no tensor for " << llvm::join(missing, ", ");
}

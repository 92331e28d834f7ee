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
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace lane;
using namespace lane::linalgtolane;

llvm::Expected<CheckpointWeights>
CheckpointWeights::open(ArrayRef<std::string> paths) {
  CheckpointWeights weights;
  llvm::StringMap<std::string> pathOf;
  for (const std::string &path : paths) {
    llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(path);
    if (!checkpoint)
      return checkpoint.takeError();
    for (const CheckpointFile &file : checkpoint->getFiles()) {
      auto [it, isNew] =
          pathOf.try_emplace(llvm::sys::path::filename(file.path), file.path);
      if (!isNew)
        return llvm::createStringError(
            "'" + it->second + "' and '" + file.path +
            "' have the same name: a program names files without folders");
    }
    weights.checkpoints.push_back({std::move(*checkpoint), path});
  }
  return weights;
}

std::optional<CheckpointWeight>
CheckpointWeights::lookup(StringRef name) const {
  for (const auto &[checkpoint, path] : checkpoints)
    if (const CheckpointTensor *tensor = checkpoint.lookup(name))
      return CheckpointWeight{
          tensor,
          llvm::sys::path::filename(checkpoint.getFiles()[tensor->file].path),
          path};
  return std::nullopt;
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

LogicalResult linalgtolane::checkWeight(Operation *op,
                                        const CheckpointWeight &weight,
                                        Type type) {
  const CheckpointTensor &tensor = *weight.tensor;
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
                                  << " in '" << weight.path << "'";
  if (!tensor.format)
    diagnostic << ", which is not a format of matrices";
  return diagnostic;
}

void CheckpointWeights::addMissing(Location loc, StringRef name) {
  if (!firstMissing)
    firstMissing = loc;
  missing.insert(quote(name));
}

LogicalResult CheckpointWeights::checkMissing() const {
  if (!firstMissing)
    return success();
  auto quotePath = [](const Opened &opened) { return "'" + opened.path + "'"; };
  return emitError(*firstMissing)
         << llvm::join(llvm::map_range(checkpoints, quotePath), ", ")
         << (checkpoints.size() == 1 ? " has" : " have") << " no tensor for "
         << llvm::join(missing, ", ");
}

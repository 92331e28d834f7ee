//===- CheckpointWeights.h - Weights by name in a checkpoint ----*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the rows of weights in a checkpoint by the names of its tensors.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_LINALGTOLANE_CHECKPOINTWEIGHTS_H
#define LANE_LIB_CONVERSION_LINALGTOLANE_CHECKPOINTWEIGHTS_H

#include "lane/Checkpoint/Checkpoint.h"
#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include <optional>
#include <set>
#include <string>

namespace lane::linalgtolane {

/// A checkpoint whose tensors are weights of one program.
class CheckpointWeights {
public:
  /// Opens the checkpoint that `path` is a file of.
  static llvm::Expected<CheckpointWeights> open(llvm::StringRef path);

  /// The tensor of that name; null if there is none.
  const CheckpointTensor *lookup(llvm::StringRef name) const {
    return checkpoint.lookup(name);
  }

  /// Succeeds if `tensor` has the format and the shape of a weight of `op`,
  /// which is `type`. Dimensions of 1 before all others do not count, since
  /// some formats of checkpoints drop them. Emits an error otherwise.
  llvm::LogicalResult check(mlir::Operation *op, const CheckpointTensor &tensor,
                            mlir::Type type) const;

  /// The tensor's file as it is named in a program: without its folder.
  llvm::StringRef getFileName(const CheckpointTensor &tensor) const;

  /// Notes that the checkpoint has no tensor for a weight that is declared at
  /// `loc`.
  void addMissing(mlir::Location loc, llvm::StringRef name);
  /// Emits one error that names all that are missing, and fails if there are
  /// any.
  llvm::LogicalResult checkMissing() const;

private:
  CheckpointWeights(Checkpoint checkpoint, llvm::StringRef path)
      : checkpoint(std::move(checkpoint)), path(path) {}

  Checkpoint checkpoint;
  std::string path;
  /// The names that are missing, and the place of the first.
  std::set<std::string> missing;
  std::optional<mlir::Location> firstMissing;
};

} // namespace lane::linalgtolane

#endif // LANE_LIB_CONVERSION_LINALGTOLANE_CHECKPOINTWEIGHTS_H

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

/// A tensor, and where it is.
struct CheckpointWeight {
  const CheckpointTensor *tensor;
  /// The file as it is named in a program: without its folder.
  llvm::StringRef fileName;
  /// The checkpoint, for messages.
  llvm::StringRef path;
};

/// Checkpoints whose tensors are weights of one program.
class CheckpointWeights {
public:
  /// Opens the checkpoints that the paths are files of. Fails if two of their
  /// files would have one name in a program.
  static llvm::Expected<CheckpointWeights>
  open(llvm::ArrayRef<std::string> paths);

  /// The tensor of that name in the first checkpoint that has one.
  std::optional<CheckpointWeight> lookup(llvm::StringRef name) const;

  /// Notes that no checkpoint has a tensor for a weight that is declared at
  /// `loc`.
  void addMissing(mlir::Location loc, llvm::StringRef name);
  /// Emits one error that names all that are missing, and fails if there are
  /// any.
  llvm::LogicalResult checkMissing() const;

private:
  struct Opened {
    Checkpoint checkpoint;
    std::string path;
  };

  std::vector<Opened> checkpoints;
  /// The names that are missing, and the place of the first.
  std::set<std::string> missing;
  std::optional<mlir::Location> firstMissing;
};

/// Succeeds if the tensor has the format and the shape of a weight of `op`,
/// which is `type`. Dimensions of 1 before all others do not count, since some
/// formats of checkpoints drop them. Emits an error otherwise.
llvm::LogicalResult checkWeight(mlir::Operation *op,
                                const CheckpointWeight &weight,
                                mlir::Type type);

} // namespace lane::linalgtolane

#endif // LANE_LIB_CONVERSION_LINALGTOLANE_CHECKPOINTWEIGHTS_H

//===- ImportGGUF.h - A lane program from a GGUF checkpoint -----*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Imports the header of a GGUF checkpoint as a lane program: its tensors as
// matrices and values, its architecture as forms. No tensor data is read.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TARGET_GGUF_IMPORTGGUF_H
#define LANE_TARGET_GGUF_IMPORTGGUF_H

#include "lane/Checkpoint/Checkpoint.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace lane {

struct GGUFImportOptions {
  /// Tokens of context; 0 takes 4096, or the model's own where that is less.
  int64_t contextLength = 0;
  /// Rows of a prefill form; 0 makes none.
  int64_t prefillRows = 0;
  /// Sequences of a batch form; 0 makes none.
  int64_t batchRows = 0;
  /// Imports a model of an architecture that is not known too: see
  /// docs/Checkpoints.md for what such a program says.
  bool isGeneric = false;
};

/// Builds a module with the program of `checkpoint`. Null, after a diagnostic
/// that names the file and the key or tensor, where the architecture is not
/// known, or a key or tensor it needs is missing or has another shape.
mlir::OwningOpRef<mlir::ModuleOp> importGGUF(const gguf::Checkpoint &checkpoint,
                                             const GGUFImportOptions &options,
                                             mlir::MLIRContext *context);

} // namespace lane

#endif // LANE_TARGET_GGUF_IMPORTGGUF_H

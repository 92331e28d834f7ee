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
  /// Tokens of context; 0 means 4096, or the model's own if that is smaller.
  int64_t contextLength = 0;
  /// Rows of the prefill form; 0 means no prefill form.
  int64_t prefillRows = 0;
  /// Sequences of the batch form; 0 means no batch form.
  int64_t batchRows = 0;
  /// Also imports a model of unknown architecture; docs/Checkpoints.md
  /// describes the result.
  bool isGeneric = false;
};

/// Builds a module with the program of `checkpoint`. Emits a diagnostic with
/// the file and the key or tensor and returns null if the architecture is
/// unknown, or if a required key or tensor is missing or has the wrong shape.
mlir::OwningOpRef<mlir::ModuleOp> importGGUF(const gguf::Checkpoint &checkpoint,
                                             const GGUFImportOptions &options,
                                             mlir::MLIRContext *context);

} // namespace lane

#endif // LANE_TARGET_GGUF_IMPORTGGUF_H

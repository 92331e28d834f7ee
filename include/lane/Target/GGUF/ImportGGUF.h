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

#include "lane/Checkpoint/GGUF/Checkpoint.h"
#include "lane/Support/NumberFormat.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace lane {

struct GGUFImportOptions {
  /// Tokens of context; 0 is 4096, or the model's own if that is less.
  int64_t contextLength = 0;
  /// Rows of the prefill form; 0 means no prefill form.
  int64_t prefillRows = 0;
  /// Sequences of the batch form; 0 means no batch form.
  int64_t batchRows = 0;
  /// Also imports a model of an unknown architecture: see docs/Checkpoints.md.
  bool isGeneric = false;
  /// Formats of the caches of keys and of values: one of `getCacheFormats`.
  NumberFormat keyFormat = NumberFormat::F16;
  NumberFormat valueFormat = NumberFormat::F16;
};

/// Builds a module with the program of `checkpoint`. Null, after a diagnostic
/// that names the file and the key or tensor, if the architecture is unknown,
/// or a key or tensor that it needs is missing or has another shape.
mlir::OwningOpRef<mlir::ModuleOp> importGGUF(const gguf::Checkpoint &checkpoint,
                                             const GGUFImportOptions &options,
                                             mlir::MLIRContext *context);

} // namespace lane

#endif // LANE_TARGET_GGUF_IMPORTGGUF_H

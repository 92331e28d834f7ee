//===- Architectures.h - Model architectures as data ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tells one architecture from another: one row each. The blocks that a
// row chooses among are written once, in Transformer.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_ARCHITECTURES_H
#define LANE_LIB_TARGET_GGUF_ARCHITECTURES_H

#include "lane/IR/LaneDialect.h"

namespace lane::importer {

/// Whether an architecture has a tensor.
enum class Presence { Never, WhereGiven, Always };

struct Architecture {
  /// `general.architecture` of its checkpoints.
  llvm::StringLiteral name;
  RopeKind rope;
  /// Biases of the query, key and value projections.
  Presence attentionBias;
  /// Norms of each head's query and key.
  Presence headNorms;
  /// A mixture of experts in place of the dense network; where given, as the
  /// key `expert_count` says.
  Presence experts;
};

/// The architecture of that name, or null.
const Architecture *lookupArchitecture(llvm::StringRef name);

/// Names of all architectures, sorted and separated by commas.
std::string getArchitectureNames();

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_ARCHITECTURES_H

//===- LaunchOptions.h - What launches compute ------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch computes, besides its operands. What is not given is the
// launch's default.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_LAUNCHOPTIONS_H
#define LANE_LIB_TARGET_GGUF_LAUNCHOPTIONS_H

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include <optional>

namespace lane::importer {

struct RopeOptions {
  int64_t headLength = 0;
  double positionScale = 1;
  /// The pairs between which the scale of YaRN changes, or none.
  std::optional<std::pair<double, double>> ramp;
  double magnitude = 1;
};
struct AttentionOptions {
  int64_t heads = 0, kvHeads = 0;
  /// 0 for no window.
  int64_t window = 0;
  bool isChunked = false;
  std::optional<double> scale, softcap;
};
struct MoeOptions {
  int64_t active = 0;
  MoeGating gating = MoeGating::Softmax;
  bool isNormalized = false;
  double scale = 1;
  ElementwiseKind activation = ElementwiseKind::SwiGlu;
};

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_LAUNCHOPTIONS_H

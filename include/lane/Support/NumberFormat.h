//===- NumberFormat.h - Number formats of checkpoints -----------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number formats of ggml, which GGUF checkpoints use: their names, and the
// elements and bytes of a block.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_NUMBERFORMAT_H
#define LANE_SUPPORT_NUMBERFORMAT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace lane {

/// Every format of ggml that has not been removed. The values are the type ids
/// of ggml (`enum ggml_type` in ggml.h).
enum class NumberFormat : uint32_t {
  F32 = 0,
  F16 = 1,
  Q4_0 = 2,
  Q4_1 = 3,
  Q5_0 = 6,
  Q5_1 = 7,
  Q8_0 = 8,
  Q8_1 = 9,
  Q2_K = 10,
  Q3_K = 11,
  Q4_K = 12,
  Q5_K = 13,
  Q6_K = 14,
  Q8_K = 15,
  IQ2_XXS = 16,
  IQ2_XS = 17,
  IQ3_XXS = 18,
  IQ1_S = 19,
  IQ4_NL = 20,
  IQ3_S = 21,
  IQ2_S = 22,
  IQ4_XS = 23,
  I8 = 24,
  I16 = 25,
  I32 = 26,
  I64 = 27,
  F64 = 28,
  IQ1_M = 29,
  BF16 = 30,
  TQ1_0 = 34,
  TQ2_0 = 35,
  MXFP4 = 39,
  NVFP4 = 40,
  Q1_0 = 41,
  Q2_0 = 42,
};

/// The format with the name `name` in ggml's spelling ("q4_K"), or none.
std::optional<NumberFormat> symbolizeNumberFormat(llvm::StringRef name);

/// The format with the ggml type id `id`; none for removed and unknown ids.
std::optional<NumberFormat> numberFormatFromGgmlType(uint32_t id);

/// Whether ggml has removed the format with this id.
bool isRemovedGgmlType(uint32_t id);

/// The name of a format that ggml has removed; none for other ids.
std::optional<llvm::StringRef> getRemovedGgmlTypeName(uint32_t id);

/// The name in ggml's spelling, which `symbolizeNumberFormat` accepts.
llvm::StringRef stringifyNumberFormat(NumberFormat format);

/// Elements per block. A row is a whole number of blocks.
int64_t getBlockElements(NumberFormat format);

/// Bytes per block.
int64_t getBlockBytes(NumberFormat format);

/// Bytes of a row of `columns` elements. None if `columns` is not a positive
/// multiple of the block, or if the bytes overflow int64_t.
std::optional<int64_t> getRowBytes(NumberFormat format, int64_t columns);

/// All formats, in the order of their ids.
llvm::ArrayRef<NumberFormat> getAllNumberFormats();

} // namespace lane

#endif // LANE_SUPPORT_NUMBERFORMAT_H

//===- Limits.h - Limits of what a program may ask for ----------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits that importers and conversions share.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_LIMITS_H
#define LANE_SUPPORT_LIMITS_H

#include <cstdint>

namespace lane {

/// Most tokens of context that an option may ask for. More than any model has,
/// and small enough that the bytes of a cache do not overflow int64.
constexpr int64_t kMaxContextLength = int64_t(1) << 30;

} // namespace lane

#endif // LANE_SUPPORT_LIMITS_H

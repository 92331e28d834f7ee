//===- GGUFDetail.h - Shared by the GGUF reader's files ---------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files of the GGUF reader share and nobody else needs.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CHECKPOINT_GGUFDETAIL_H
#define LANE_LIB_CHECKPOINT_GGUFDETAIL_H

#include "lane/Checkpoint/GGUF.h"
#include <cstdint>
#include <string>

namespace lane::gguf {

/// Bytes of a scalar of that type; 0 for strings and arrays, which vary.
uint64_t getScalarBytes(ValueType type);

/// Whatever bytes a file has, as part of a one-line message: quoted, escaped
/// where they do not print, and cut short.
std::string quote(llvm::StringRef text);

} // namespace lane::gguf

#endif // LANE_LIB_CHECKPOINT_GGUFDETAIL_H

//===- Format.h - Safetensors as a checkpoint format ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The safetensors reader's entry in the table of checkpoint formats.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CHECKPOINT_SAFETENSORS_FORMAT_H
#define LANE_LIB_CHECKPOINT_SAFETENSORS_FORMAT_H

#include "lane/Checkpoint/Checkpoint.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace lane::safetensors {

bool recognizes(llvm::StringRef bytes, llvm::StringRef path);

llvm::Expected<lane::Checkpoint>
openCheckpoint(std::unique_ptr<llvm::MemoryBuffer> file);

} // namespace lane::safetensors

#endif // LANE_LIB_CHECKPOINT_SAFETENSORS_FORMAT_H

//===- HeaderJson.h - GGUF headers as JSON ----------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the header of a GGUF file as JSON, for people and for scripts.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CHECKPOINT_GGUF_HEADERJSON_H
#define LANE_CHECKPOINT_GGUF_HEADERJSON_H

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace lane::gguf {

class Header;

/// Prints the header as one JSON object and a newline: `version`, `alignment`
/// and `data_offset` (bytes), `metadata` by key, and `tensors` with their
/// `name`, `shape` (the contiguous dimension first), `format`, and `offset` and
/// `bytes` in the file; all in the file's order. An array of more than eight
/// elements is printed as `{"type", "length"}`. Bytes that are not UTF-8 become
/// U+FFFD, and numbers that JSON lacks the strings "nan", "inf" and "-inf".
void printHeaderJson(const Header &header, llvm::raw_ostream &os);

} // namespace lane::gguf

#endif // LANE_CHECKPOINT_GGUF_HEADERJSON_H

//===- HeaderParser.h - Bounds-checked parser of GGUF headers ---*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The class that reads a header: HeaderParser.cpp has its counts and metadata,
// Tensors.cpp its tensors. The layout is that of the GGUF specification, with
// all numbers little-endian:
//
//   magic "GGUF", u32 version, i64 tensors, i64 keys
//   each key:    str key, u32 type, value
//   each tensor: str name, u32 dimensions, i64 each, u32 type, u64 offset
//   padding to the alignment, then the tensors' data
//
// where a str is a u64 length and its bytes, and an array value a u32 element
// type, a u64 length and its elements.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CHECKPOINT_GGUF_HEADERPARSER_H
#define LANE_LIB_CHECKPOINT_GGUF_HEADERPARSER_H

#include "lane/Checkpoint/GGUF/Header.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"

namespace lane::gguf {

/// Reads the file once from its start and fills in the header.
class HeaderParser {
public:
  explicit HeaderParser(llvm::MemoryBufferRef buffer)
      : bytes(buffer.getBuffer()) {
    header.name = buffer.getBufferIdentifier().str();
    header.fileBytes = bytes.size();
  }

  llvm::Expected<Header> parse();

private:
  uint64_t getBytesLeft() const { return bytes.size() - position; }

  llvm::Error refuse(uint64_t offset, const llvm::Twine &field,
                     const llvm::Twine &why) {
    return llvm::createStringError(header.name + ": " + field + " at offset " +
                                   llvm::Twine(offset) + ": " + why);
  }

  /// Reads a number, a string, or the type of a value.
  template <typename T>
  llvm::Error read(T &value, const llvm::Twine &field);
  llvm::Error readString(llvm::StringRef &value, const llvm::Twine &field);
  llvm::Error readType(ValueType &type, const llvm::Twine &field);
  /// Reads a count of items of at least `minBytes` each.
  llvm::Error readCount(uint64_t &count, uint64_t minBytes,
                        const llvm::Twine &field);

  llvm::Error parseVersion();
  llvm::Error parseKeyValue(size_t index);
  llvm::Expected<Value> parseValue(const llvm::Twine &owner);
  llvm::Expected<Value> parseArray(const llvm::Twine &owner);
  llvm::Error parseAlignment();
  llvm::Error parseTensor(size_t index);
  llvm::Error parseShape(Tensor &tensor, const llvm::Twine &owner);
  llvm::Error parseFormat(Tensor &tensor, const llvm::Twine &owner);
  llvm::Error parseOffset(Tensor &tensor, const llvm::Twine &owner);
  llvm::Error placeTensors();

  llvm::StringRef bytes;
  uint64_t position = 0;
  /// Padded bytes of the tensors so far.
  int64_t dataBytes = 0;
  Header header;
};

template <typename T>
llvm::Error HeaderParser::read(T &value, const llvm::Twine &field) {
  if (getBytesLeft() < sizeof(T))
    return refuse(position, field,
                  "the file ends (" + llvm::Twine(sizeof(T)) +
                      " bytes needed, " + llvm::Twine(getBytesLeft()) +
                      " left)");
  value = llvm::support::endian::read<T, llvm::endianness::little>(
      bytes.data() + position);
  position += sizeof(T);
  return llvm::Error::success();
}

} // namespace lane::gguf

#endif // LANE_LIB_CHECKPOINT_GGUF_HEADERPARSER_H

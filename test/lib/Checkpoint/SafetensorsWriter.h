//===- SafetensorsWriter.h - Writes safetensors for tests -------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the bytes of a safetensors file, valid or not, in memory.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_CHECKPOINT_SAFETENSORSWRITER_H
#define LANE_TEST_CHECKPOINT_SAFETENSORSWRITER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <string>

namespace lane::safetensors {

/// A file with this header, which may be wrong, and so many bytes of data.
inline std::string makeFile(llvm::StringRef header, uint64_t dataBytes) {
  char length[8];
  llvm::support::endian::write64le(length, header.size());
  return std::string(length, 8) + header.str() + std::string(dataBytes, '\0');
}

/// A member of the header: a tensor with these fields, which may be wrong.
inline std::string makeTensor(llvm::StringRef name, llvm::StringRef dtype,
                              llvm::ArrayRef<uint64_t> shape, uint64_t begin,
                              uint64_t end) {
  return "\"" + name.str() + "\":{\"dtype\":\"" + dtype.str() +
         "\",\"shape\":[" +
         llvm::join(
             llvm::map_range(shape,
                             [](uint64_t size) { return llvm::utostr(size); }),
             ",") +
         "],\"data_offsets\":[" + llvm::utostr(begin) + "," +
         llvm::utostr(end) + "]}";
}

} // namespace lane::safetensors

#endif // LANE_TEST_CHECKPOINT_SAFETENSORSWRITER_H

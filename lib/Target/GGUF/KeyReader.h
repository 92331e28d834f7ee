//===- KeyReader.h - Keys of one architecture -------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads numbers of a checkpoint's metadata, each checked against a range, and
// keeps the first error, so that a model's keys read straight through.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_KEYREADER_H
#define LANE_LIB_TARGET_GGUF_KEYREADER_H

#include "lane/Checkpoint/GGUF/Header.h"

namespace lane::importer {

/// No model comes near it, and with it no size of an activation overflows.
constexpr int64_t kMaxDimension = int64_t(1) << 24;
constexpr int64_t kMaxLayers = 4096;
constexpr int64_t kMaxContextLength = int64_t(1) << 30;

/// Reads keys of one architecture, and keeps the first error.
class KeyReader {
public:
  KeyReader(const gguf::Header &header, llvm::StringRef architecture)
      : header(header), prefix((architecture + ".").str()) {}

  bool contains(llvm::StringRef name) const {
    return header.lookup(prefix + name.str());
  }

  /// A number from `least` to `most`; `fallback` where the key is missing,
  /// which without a fallback is an error.
  int64_t getInteger(llvm::StringRef name, int64_t least, int64_t most,
                     std::optional<int64_t> fallback = std::nullopt);
  /// One number for each of `count` layers, from a key that may be one number
  /// for all.
  llvm::SmallVector<int64_t>
  getPerLayer(llvm::StringRef name, int64_t count, int64_t least, int64_t most,
              std::optional<int64_t> fallback = std::nullopt);
  /// One flag for each of `count` layers, from a key that may be one number:
  /// the period of which all but the last layer have the flag.
  llvm::SmallVector<int64_t> getPattern(llvm::StringRef name, int64_t count,
                                        int64_t fallback);
  double getNumber(llvm::StringRef name,
                   std::optional<double> fallback = std::nullopt);

  llvm::Error takeError() { return std::move(error); }
  ~KeyReader() { llvm::consumeError(std::move(error)); }

private:
  /// Keeps `next` where it is the first error.
  void fail(llvm::Error next) {
    if (error)
      llvm::consumeError(std::move(next));
    else
      error = std::move(next);
  }
  int64_t check(llvm::StringRef name, int64_t value, int64_t least,
                int64_t most);

  const gguf::Header &header;
  std::string prefix;
  llvm::Error error = llvm::Error::success();
};

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_KEYREADER_H

//===- KeyReader.h - Keys of one architecture -------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads numbers of a checkpoint's metadata, checks each against a range, and
// keeps the first error, so that callers check for an error once.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_KEYREADER_H
#define LANE_LIB_TARGET_GGUF_KEYREADER_H

#include "lane/Checkpoint/GGUF/Header.h"
#include "lane/Support/Limits.h"

namespace lane::importer {

/// Larger than in any model, and small enough that sizes of activations do not
/// overflow int64.
constexpr int64_t kMaxDimension = int64_t(1) << 24;
constexpr int64_t kMaxLayers = 4096;

/// Reads the keys of one architecture and stores the first error.
class KeyReader {
public:
  KeyReader(const gguf::Header &header, llvm::StringRef architecture)
      : header(header), prefix((architecture + ".").str()) {}

  bool contains(llvm::StringRef name) const {
    return header.lookup(prefix + name.str());
  }

  /// A number from `least` to `most`; `fallback` if the key is missing. Without
  /// a fallback a missing key is an error.
  int64_t getInteger(llvm::StringRef name, int64_t least, int64_t most,
                     std::optional<int64_t> fallback = std::nullopt);
  /// One number for each of `count` layers. The key has either one number for
  /// each layer or one number for all.
  llvm::SmallVector<int64_t>
  getPerLayer(llvm::StringRef name, int64_t count, int64_t least, int64_t most,
              std::optional<int64_t> fallback = std::nullopt);
  /// One flag for each of `count` layers. The key has either one flag for each
  /// layer, or a period: all but the last layer of each period have the flag.
  llvm::SmallVector<int64_t> getPattern(llvm::StringRef name, int64_t count,
                                        int64_t fallback);
  /// Same, but llama.cpp's graph of the architecture only knows the period: an
  /// array of flags is ignored.
  llvm::SmallVector<int64_t> getPeriodic(llvm::StringRef name, int64_t count,
                                         int64_t fallback);
  double getNumber(llvm::StringRef name,
                   std::optional<double> fallback = std::nullopt);
  bool getBool(llvm::StringRef name, bool fallback);
  std::string getString(llvm::StringRef name, llvm::StringRef fallback);

  llvm::Error takeError() { return std::move(error); }
  ~KeyReader() { llvm::consumeError(std::move(error)); }

private:
  /// Keeps `next` if it is the first error.
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

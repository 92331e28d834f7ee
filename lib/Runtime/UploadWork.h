//===- UploadWork.h - The work that reader threads share --------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_UPLOADWORK_H
#define LANE_LIB_RUNTIME_UPLOADWORK_H

#include "ProgramState.h"
#include <condition_variable>
#include <mutex>

namespace lane::runtime {

/// A part of a segment, which is read at once.
struct Piece {
  const lane_segment *segment;
  /// From the start of the segment.
  int64_t offset;
  int64_t bytes;
};

/// Gives the pieces of all segments out in order, and counts what is done. All
/// functions can be called from several threads.
class UploadWork {
public:
  explicit UploadWork(const ProgramState &state);

  /// Takes the next piece. Returns false where none is left, or after `stop`.
  bool take(Piece &piece);
  void finish(const Piece &piece);
  /// A reader ends; `code` and `error` are its failure. The first failure
  /// counts and stops the others.
  void finishReader(int32_t code, const lane_error &error);
  void stop();

  /// Waits until bytes were read after the last call, or a reader ended.
  /// Returns whether readers are left, of the number given.
  bool waitForReaders(int64_t numReaders);
  int32_t getFailure(lane_error &error);

  int64_t getTotalBytes() const { return totalBytes; }
  int64_t getReadBytes();
  /// Whether all bytes of a chunk of the host pool are read.
  bool isFilled(int64_t chunk);

private:
  /// Adds `sign` times the bytes of a piece to the chunks that it fills.
  void countChunks(const Piece &piece, int64_t sign);
  void countRange(int64_t start, int64_t bytes, int64_t sign);

  const ProgramState &state;
  std::mutex mutex;
  std::condition_variable changed;
  const lane_segment *next;
  const lane_segment *end;
  int64_t nextOffset = 0;
  int64_t totalBytes = 0;
  int64_t readBytes = 0;
  bool isStopped = false;
  bool hasChanged = false;
  int64_t numFinishedReaders = 0;
  int32_t failure = LANE_OK;
  lane_error failureText = {};
  /// Bytes that each chunk of the host pool lacks; empty if it has no chunks.
  std::vector<int64_t> lackingBytes;
};

} // namespace lane::runtime

#endif // LANE_LIB_RUNTIME_UPLOADWORK_H

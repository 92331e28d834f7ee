//===- PieceReader.h - Reads pieces of a checkpoint -------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_PIECEREADER_H
#define LANE_LIB_RUNTIME_PIECEREADER_H

#include "CheckpointFile.h"
#include "StagingBuffers.h"
#include "UploadWork.h"
#include <memory>

namespace lane::runtime {

/// The open files of a program by number; null where no segment needs one.
using CheckpointFiles = std::vector<std::unique_ptr<CheckpointFile>>;

/// Reads pieces into the pools. Bytes for the device go through the staging
/// buffers; bytes for the host are read straight to their place where the page
/// cache allows it. Each thread has a reader of its own.
class PieceReader {
public:
  PieceReader(const ProgramState &state, const CheckpointFiles &files,
              cudaStream_t stream, lane_error *error)
      : state(state), files(files), stream(stream), error(error),
        staging(stream, error) {}

  int32_t read(const Piece &piece);
  /// Reads pieces until none is left.
  int32_t readAll(UploadWork &work);
  /// Waits for the copies.
  int32_t finish() { return staging.finish(); }

private:
  int32_t copyBlocks(const Piece &piece);
  int32_t copyToHost(const Piece &piece, char *to);
  int32_t splitBlocks(const Piece &piece);
  int32_t readAndSplit(const Piece &piece, char *quants, char *scales);
  int32_t copyToDevice(char *to, const void *from, int64_t bytes);
  /// Memory for bytes that are copied or split from there.
  char *getBuffer();

  const CheckpointFile &getFile(const Piece &piece) const {
    return *files[static_cast<size_t>(piece.segment->source)];
  }
  const char *getName(const Piece &piece) const {
    return state.description->tensor_names + piece.segment->name_offset;
  }
  char *getStart(const Piece &piece) const {
    return state.getStart(piece.segment->base, ProgramState::View::Host);
  }

  const ProgramState &state;
  const CheckpointFiles &files;
  cudaStream_t stream;
  lane_error *error;
  StagingBuffers staging;
  std::vector<char> bufferStorage;
};

} // namespace lane::runtime

#endif // LANE_LIB_RUNTIME_PIECEREADER_H

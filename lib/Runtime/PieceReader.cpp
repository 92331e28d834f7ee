//===- PieceReader.cpp - Reads pieces of a checkpoint ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PieceReader.h"
#include "Q8Blocks.h"
#include <cstring>

namespace lane::runtime {

char *PieceReader::getBuffer() {
  constexpr int64_t kAlignment = CheckpointFile::kReadAlignment;
  if (bufferStorage.empty())
    bufferStorage.resize(StagingBuffers::kSlotBytes + kAlignment);
  return CheckpointFile::align(bufferStorage.data());
}

int32_t PieceReader::copyToDevice(char *to, const void *from, int64_t bytes) {
  return checkCuda(error, "cudaMemcpyAsync",
                   cudaMemcpyAsync(to, from, static_cast<size_t>(bytes),
                                   cudaMemcpyHostToDevice, stream),
                   bytes);
}

int32_t PieceReader::copyToHost(const Piece &piece, char *to) {
  const CheckpointFile &file = getFile(piece);
  int64_t offset = piece.segment->offset + piece.offset;
  if (!file.isDirect())
    return file.read(to, piece.bytes, offset, getName(piece), error);
  const char *data = nullptr;
  if (int32_t code = file.readInto(getBuffer(), piece.bytes, offset,
                                   getName(piece), data, error))
    return code;
  std::memcpy(to, data, static_cast<size_t>(piece.bytes));
  return LANE_OK;
}

/// Copies bytes as they are in the file.
int32_t PieceReader::copyBlocks(const Piece &piece) {
  char *to = getStart(piece) + piece.segment->destination_bytes + piece.offset;
  if (state.isOnHost(piece.segment->base))
    return copyToHost(piece, to);
  StagingBuffers::Buffer *buffer = nullptr;
  if (int32_t code = staging.acquire(buffer))
    return code;
  const char *data = nullptr;
  if (int32_t code = getFile(piece).readInto(
          buffer->data, piece.bytes, piece.segment->offset + piece.offset,
          getName(piece), data, error))
    return code;
  if (int32_t code = copyToDevice(to, data, piece.bytes))
    return code;
  return staging.release(*buffer);
}

/// Reads blocks and splits them into two arrays in host memory.
int32_t PieceReader::readAndSplit(const Piece &piece, char *quants,
                                  char *scales) {
  constexpr int64_t kMostBytes = kQ8SplitBlocks * kQ8BlockBytes;
  for (int64_t done = 0; done < piece.bytes; done += kMostBytes) {
    int64_t bytes = std::min(kMostBytes, piece.bytes - done);
    int64_t offset = piece.segment->offset + piece.offset + done;
    const char *data = nullptr;
    if (int32_t code = getFile(piece).readInto(getBuffer(), bytes, offset,
                                               getName(piece), data, error))
      return code;
    int64_t first = done / kQ8BlockBytes;
    splitQ8Blocks(data, bytes / kQ8BlockBytes, quants + first * kQ8Quants,
                  scales + first * kQ8ScaleBytes);
  }
  return LANE_OK;
}

int32_t PieceReader::splitBlocks(const Piece &piece) {
  const lane_segment &segment = *piece.segment;
  int64_t first = piece.offset / kQ8BlockBytes;
  int64_t count = piece.bytes / kQ8BlockBytes;
  char *start = getStart(piece);
  char *quants = start + segment.destination_bytes + first * kQ8Quants;
  char *scales =
      start + segment.scales_destination_bytes + first * kQ8ScaleBytes;
  if (state.isOnHost(segment.base))
    return readAndSplit(piece, quants, scales);
  StagingBuffers::Buffer *buffer = nullptr;
  if (int32_t code = staging.acquire(buffer))
    return code;
  char *stagedScales = buffer->data + count * kQ8Quants;
  if (int32_t code = readAndSplit(piece, buffer->data, stagedScales))
    return code;
  if (int32_t code = copyToDevice(quants, buffer->data, count * kQ8Quants))
    return code;
  if (int32_t code = copyToDevice(scales, stagedScales, count * kQ8ScaleBytes))
    return code;
  return staging.release(*buffer);
}

int32_t PieceReader::read(const Piece &piece) {
  return piece.segment->scales_destination_bytes > 0 ? splitBlocks(piece)
                                                     : copyBlocks(piece);
}

int32_t PieceReader::readAll(UploadWork &work) {
  for (Piece piece; work.take(piece);) {
    if (int32_t code = read(piece))
      return code;
    work.finish(piece);
  }
  return finish();
}

} // namespace lane::runtime

//===- UploadWork.cpp - The work that reader threads share ----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UploadWork.h"
#include "Q8Blocks.h"
#include "StagingBuffers.h"

namespace lane::runtime {

UploadWork::UploadWork(const ProgramState &state)
    : state(state), next(state.description->segments),
      end(next + state.description->num_segments) {
  const RegisteredMemory &memory = state.registeredMemory;
  if (memory.get())
    lackingBytes.resize(static_cast<size_t>(
        (state.host_bytes - 1) / memory.getChunkBytes() + 1));
  for (const lane_segment *segment = next; segment != end; ++segment)
    if (segment->source >= 0) {
      totalBytes += segment->bytes;
      countChunks({segment, 0, segment->bytes}, 1);
    }
}

void UploadWork::countRange(int64_t start, int64_t bytes, int64_t sign) {
  int64_t chunkBytes = state.registeredMemory.getChunkBytes();
  for (int64_t last = start + bytes; start < last;) {
    int64_t chunk = start / chunkBytes;
    int64_t part = std::min(last, (chunk + 1) * chunkBytes) - start;
    lackingBytes[static_cast<size_t>(chunk)] += sign * part;
    start += part;
  }
}

void UploadWork::countChunks(const Piece &piece, int64_t sign) {
  const lane_segment &segment = *piece.segment;
  if (lackingBytes.empty() || !state.isOnHost(segment.base))
    return;
  int64_t start = state.extents[segment.base].pool_offset_bytes;
  int64_t to = start + segment.destination_bytes;
  if (segment.scales_destination_bytes == 0)
    return countRange(to + piece.offset, piece.bytes, sign);
  int64_t done = piece.offset / kQ8BlockBytes;
  int64_t count = piece.bytes / kQ8BlockBytes;
  countRange(to + done * kQ8Quants, count * kQ8Quants, sign);
  countRange(start + segment.scales_destination_bytes + done * kQ8ScaleBytes,
             count * kQ8ScaleBytes, sign);
}

bool UploadWork::take(Piece &piece) {
  std::lock_guard<std::mutex> lock(mutex);
  while (next != end && (next->source < 0 || nextOffset == next->bytes)) {
    ++next;
    nextOffset = 0;
  }
  if (isStopped || next == end)
    return false;
  // A piece fits a staging buffer. Blocks that are split stay whole, and their
  // number is a multiple of that which is split at once.
  constexpr int64_t kSplitBytes = kQ8BlockBytes * kQ8SplitBlocks;
  int64_t most = next->scales_destination_bytes > 0
                     ? StagingBuffers::kBytes / kSplitBytes * kSplitBytes
                     : StagingBuffers::kBytes;
  piece = {next, nextOffset, std::min(most, next->bytes - nextOffset)};
  nextOffset += piece.bytes;
  return true;
}

void UploadWork::finish(const Piece &piece) {
  std::lock_guard<std::mutex> lock(mutex);
  readBytes += piece.bytes;
  countChunks(piece, -1);
  hasChanged = true;
  changed.notify_one();
}

void UploadWork::finishReader(int32_t code, const lane_error &error) {
  std::lock_guard<std::mutex> lock(mutex);
  ++numFinishedReaders;
  if (code != LANE_OK && failure == LANE_OK) {
    failure = code;
    failureText = error;
    isStopped = true;
  }
  hasChanged = true;
  changed.notify_one();
}

void UploadWork::stop() {
  std::lock_guard<std::mutex> lock(mutex);
  isStopped = true;
}

bool UploadWork::waitForReaders(int64_t numReaders) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return hasChanged; });
  hasChanged = false;
  return numFinishedReaders < numReaders;
}

int32_t UploadWork::getFailure(lane_error &error) {
  std::lock_guard<std::mutex> lock(mutex);
  if (failure != LANE_OK)
    error = failureText;
  return failure;
}

int64_t UploadWork::getReadBytes() {
  std::lock_guard<std::mutex> lock(mutex);
  return readBytes;
}

bool UploadWork::isFilled(int64_t chunk) {
  std::lock_guard<std::mutex> lock(mutex);
  return lackingBytes[static_cast<size_t>(chunk)] == 0;
}

} // namespace lane::runtime

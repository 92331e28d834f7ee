//===- StagingBuffers.h - Pinned buffers for uploads ------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few pinned buffers, used in turn: while one is copied to the device, the
// next is filled.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_STAGINGBUFFERS_H
#define LANE_LIB_RUNTIME_STAGINGBUFFERS_H

#include "CheckpointFile.h"
#include "Message.h"
#include "Resources.h"
#include <iterator>

namespace lane::runtime {

class StagingBuffers {
public:
  /// Large enough for a link, small enough for a cache.
  static constexpr int64_t kBytes = int64_t(1) << 19;
  /// A buffer has room for the bytes around those that are read, which direct
  /// reads have.
  static constexpr int64_t kSlotBytes =
      kBytes + 2 * CheckpointFile::kReadAlignment;

  struct Buffer {
    char *data = nullptr;
    cudaEvent_t isFree = nullptr;
    bool isInFlight = false;
  };

  StagingBuffers(cudaStream_t stream, lane_error *error)
      : stream(stream), error(error) {}
  StagingBuffers(const StagingBuffers &) = delete;
  StagingBuffers &operator=(const StagingBuffers &) = delete;
  ~StagingBuffers();

  /// Returns the next buffer, once the copy from it has ended.
  int32_t acquire(Buffer *&buffer);
  /// Marks the copies from `buffer` as started.
  int32_t release(Buffer &buffer);
  /// Waits for the stream, and frees the buffers and events.
  int32_t finish();

private:
  int32_t allocate();

  cudaStream_t stream;
  lane_error *error;
  HostMemory memory;
  Buffer buffers[3];
  size_t next = 0;
  bool isFinished = false;
};

/// After a failure, which keeps its message.
inline StagingBuffers::~StagingBuffers() {
  error = nullptr;
  if (!isFinished)
    finish();
}

inline int32_t StagingBuffers::allocate() {
  int64_t bytes = kSlotBytes * static_cast<int64_t>(std::size(buffers)) +
                  CheckpointFile::kReadAlignment;
  cudaError_t status = memory.allocate(bytes, cudaHostAllocDefault);
  if (int32_t code = checkPinned(error, "cudaHostAlloc", status, bytes))
    return code;
  char *start = CheckpointFile::align(static_cast<char *>(memory.get()));
  for (size_t i = 0; i < std::size(buffers); ++i)
    buffers[i].data = start + i * kSlotBytes;
  return LANE_OK;
}

inline int32_t StagingBuffers::acquire(Buffer *&buffer) {
  if (!memory.get())
    if (int32_t code = allocate())
      return code;
  buffer = &buffers[next];
  next = (next + 1) % std::size(buffers);
  if (!buffer->isFree)
    return checkCuda(
        error, "cudaEventCreateWithFlags",
        cudaEventCreateWithFlags(&buffer->isFree, cudaEventDisableTiming));
  if (!buffer->isInFlight)
    return LANE_OK;
  buffer->isInFlight = false;
  return checkCuda(error, "cudaEventSynchronize",
                   cudaEventSynchronize(buffer->isFree));
}

inline int32_t StagingBuffers::release(Buffer &buffer) {
  buffer.isInFlight = true;
  return checkCuda(error, "cudaEventRecord",
                   cudaEventRecord(buffer.isFree, stream));
}

inline int32_t StagingBuffers::finish() {
  isFinished = true;
  // Everything is freed even after a failure; the first one is returned.
  int32_t code =
      checkCuda(error, "cudaStreamSynchronize", cudaStreamSynchronize(stream));
  for (Buffer &buffer : buffers) {
    if (!buffer.isFree)
      continue;
    int32_t destroyed =
        checkCuda(error, "cudaEventDestroy", cudaEventDestroy(buffer.isFree));
    code = code ? code : destroyed;
  }
  int32_t freed = checkCuda(error, "cudaFreeHost", memory.free());
  return code ? code : freed;
}

} // namespace lane::runtime

#endif // LANE_LIB_RUNTIME_STAGINGBUFFERS_H

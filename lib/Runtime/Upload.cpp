//===- Upload.cpp - From checkpoint files into the pools ------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckpointFile.h"
#include "ProgramState.h"
#include "Q8Blocks.h"
#include "StagingBuffers.h"
#include <algorithm>
#include <cstring>
#include <memory>

namespace lane::runtime {

namespace {

/// Fills the pools, a segment at a time. Bytes for the device go through the
/// staging buffers; bytes for the host are read straight to their place.
class Uploader {
public:
  Uploader(ProgramState &state, cudaStream_t stream)
      : state(state), stream(stream), staging(stream, state.error) {}

  int32_t run();

private:
  /// Blocks that are split at once, so that they are in the nearest cache.
  static constexpr int64_t kSplitBlocks = 4096;

  int32_t findFiles();
  int32_t fill(const lane_segment &segment);
  int32_t openFile(int64_t number);
  int32_t closeFile();
  int32_t fillZeros(const lane_segment &segment);
  int32_t copyValues(const lane_segment &segment);
  int32_t copyBlocks(const lane_segment &segment);
  int32_t splitBlocks(const lane_segment &segment);
  int32_t readAndSplit(const char *tensor, int64_t offset, int64_t count,
                       char *quants, char *scales);
  int32_t copyToDevice(char *to, const void *from, int64_t bytes);
  int32_t reportProgress(int64_t bytes);

  char *getDestination(const lane_segment &segment, int64_t bytes) const {
    return state.getStart(segment.base, ProgramState::View::Host) + bytes;
  }
  const char *getName(const lane_segment &segment) const {
    return state.description->tensor_names + segment.name_offset;
  }

  ProgramState &state;
  cudaStream_t stream;
  StagingBuffers staging;
  std::vector<const char *> paths;
  std::unique_ptr<CheckpointFile> file;
  int64_t openNumber = -1;
  /// Blocks as they are read, before they are split.
  alignas(StagingBuffers::kLineBytes) char blocks[StagingBuffers::kLineBytes +
                                                  kSplitBlocks * kQ8BlockBytes];
  int64_t doneBytes = 0;
  int64_t totalBytes = 0;
};

} // namespace

int32_t Uploader::reportProgress(int64_t bytes) {
  doneBytes += bytes;
  if (!state.options.progress ||
      !state.options.progress(state.options.user, doneBytes, totalBytes))
    return LANE_OK;
  return fail(state.error, LANE_CANCELLED,
              "the upload was cancelled after " + std::to_string(doneBytes) +
                  " of " + std::to_string(totalBytes) + " bytes");
}

int32_t Uploader::copyToDevice(char *to, const void *from, int64_t bytes) {
  return checkCuda(state.error, "cudaMemcpyAsync",
                   cudaMemcpyAsync(to, from, static_cast<size_t>(bytes),
                                   cudaMemcpyHostToDevice, stream),
                   bytes);
}

int32_t Uploader::fillZeros(const lane_segment &segment) {
  char *start = getDestination(segment, segment.destination_bytes);
  auto bytes = static_cast<size_t>(segment.bytes);
  if (state.isOnHost(segment.base)) {
    std::memset(start, 0, bytes);
    return LANE_OK;
  }
  return checkCuda(state.error, "cudaMemsetAsync",
                   cudaMemsetAsync(start, 0, bytes, stream), segment.bytes);
}

int32_t Uploader::copyValues(const lane_segment &segment) {
  return copyToDevice(getDestination(segment, segment.destination_bytes),
                      state.description->values + segment.offset,
                      segment.bytes);
}

/// Copies bytes as they are in the file.
int32_t Uploader::copyBlocks(const lane_segment &segment) {
  char *start = getDestination(segment, segment.destination_bytes);
  for (int64_t done = 0; done < segment.bytes;) {
    int64_t bytes = std::min(StagingBuffers::kBytes, segment.bytes - done);
    int64_t offset = segment.offset + done;
    if (state.isOnHost(segment.base)) {
      if (int32_t code =
              file->read(start + done, bytes, offset, getName(segment)))
        return code;
    } else {
      StagingBuffers::Buffer *buffer = nullptr;
      if (int32_t code = staging.acquire(buffer))
        return code;
      // At the offset in a cache line that the bytes have in the file: copies
      // between different offsets are up to four times slower.
      char *data = buffer->data + offset % StagingBuffers::kLineBytes;
      if (int32_t code = file->read(data, bytes, offset, getName(segment)))
        return code;
      if (int32_t code = copyToDevice(start + done, data, bytes))
        return code;
      if (int32_t code = staging.release(*buffer))
        return code;
    }
    done += bytes;
    if (int32_t code = reportProgress(bytes))
      return code;
  }
  return LANE_OK;
}

/// Reads blocks and splits them into two arrays in host memory.
int32_t Uploader::readAndSplit(const char *tensor, int64_t offset,
                               int64_t count, char *quants, char *scales) {
  for (int64_t done = 0; done < count;) {
    int64_t part = std::min(kSplitBlocks, count - done);
    int64_t at = offset + done * kQ8BlockBytes;
    char *data = blocks + at % StagingBuffers::kLineBytes;
    if (int32_t code = file->read(data, part * kQ8BlockBytes, at, tensor))
      return code;
    splitQ8Blocks(data, part, quants + done * kQ8Quants,
                  scales + done * kQ8ScaleBytes);
    done += part;
  }
  return LANE_OK;
}

int32_t Uploader::splitBlocks(const lane_segment &segment) {
  const char *tensor = getName(segment);
  char *quants = getDestination(segment, segment.destination_bytes);
  char *scales = getDestination(segment, segment.scales_destination_bytes);
  int64_t numBlocks = segment.bytes / kQ8BlockBytes;
  // Whole parts, so that each starts at a vector on the host too.
  constexpr int64_t kMostBlocks =
      StagingBuffers::kBytes / kQ8BlockBytes / kSplitBlocks * kSplitBlocks;
  for (int64_t done = 0; done < numBlocks;) {
    int64_t count = std::min(kMostBlocks, numBlocks - done);
    int64_t offset = segment.offset + done * kQ8BlockBytes;
    char *quantsHere = quants + done * kQ8Quants;
    char *scalesHere = scales + done * kQ8ScaleBytes;
    if (state.isOnHost(segment.base)) {
      if (int32_t code =
              readAndSplit(tensor, offset, count, quantsHere, scalesHere))
        return code;
    } else {
      StagingBuffers::Buffer *buffer = nullptr;
      if (int32_t code = staging.acquire(buffer))
        return code;
      char *stagedScales = buffer->data + count * kQ8Quants;
      if (int32_t code =
              readAndSplit(tensor, offset, count, buffer->data, stagedScales))
        return code;
      if (int32_t code =
              copyToDevice(quantsHere, buffer->data, count * kQ8Quants))
        return code;
      if (int32_t code =
              copyToDevice(scalesHere, stagedScales, count * kQ8ScaleBytes))
        return code;
      if (int32_t code = staging.release(*buffer))
        return code;
    }
    done += count;
    if (int32_t code = reportProgress(count * kQ8BlockBytes))
      return code;
  }
  return LANE_OK;
}

/// Lists the paths of the files: those given, or those compiled in.
int32_t Uploader::findFiles() {
  int64_t numFiles = state.description->num_files;
  const lane_options &options = state.options;
  if (options.files && options.num_files != numFiles)
    return fail(state.error, LANE_BAD_OPTION,
                std::to_string(options.num_files) +
                    " checkpoint files are given, but the program has " +
                    std::to_string(numFiles));
  const char *name = state.description->file_names;
  for (int64_t i = 0; i < numFiles; ++i, name += std::strlen(name) + 1)
    paths.push_back(options.files ? options.files[i] : name);
  return LANE_OK;
}

/// Checks that the open file, if any, did not change.
int32_t Uploader::closeFile() {
  return file ? file->checkUnchanged() : int32_t(LANE_OK);
}

int32_t Uploader::openFile(int64_t number) {
  if (number == openNumber)
    return LANE_OK;
  const char *path = paths[static_cast<size_t>(number)];
  if (!path)
    return fail(state.error, LANE_BAD_OPTION,
                "path of checkpoint file " + std::to_string(number) + " of " +
                    std::to_string(paths.size()) + " is NULL");
  if (!*path)
    return fail(state.error, LANE_BAD_OPTION,
                "checkpoint file " + std::to_string(number) + " of " +
                    std::to_string(paths.size()) +
                    " has no name: give files in lane_options");
  if (int32_t code = closeFile())
    return code;
  openNumber = number;
  file = std::make_unique<CheckpointFile>(path, state.error);
  return file->open();
}

int32_t Uploader::fill(const lane_segment &segment) {
  if (segment.source == LANE_SOURCE_ZEROS)
    return fillZeros(segment);
  if (segment.source == LANE_SOURCE_VALUES)
    return copyValues(segment);
  if (int32_t code = openFile(segment.source))
    return code;
  const char *nameInFile =
      segment.tensor_offset < 0
          ? nullptr
          : state.description->tensor_names + segment.tensor_offset;
  if (int32_t code = file->check(segment, getName(segment), nameInFile))
    return code;
  return segment.scales_destination_bytes > 0 ? splitBlocks(segment)
                                              : copyBlocks(segment);
}

int32_t Uploader::run() {
  if (int32_t code = findFiles())
    return code;
  const lane_segment *segments = state.description->segments;
  const lane_segment *end = segments + state.description->num_segments;
  for (const lane_segment *segment = segments; segment != end; ++segment)
    if (segment->source >= 0)
      totalBytes += segment->bytes;
  for (const lane_segment *segment = segments; segment != end; ++segment)
    if (int32_t code = fill(*segment))
      return code;
  if (int32_t code = closeFile())
    return code;
  return staging.finish();
}

/// Uploads on the caller's stream, or on one of the program's own, which does
/// not wait for the default stream.
static int32_t upload(ProgramState &state) {
  auto *given = static_cast<cudaStream_t>(state.options.stream);
  StreamOwner own;
  if (!given)
    if (int32_t code =
            checkCuda(state.error, "cudaStreamCreateWithFlags", own.create()))
      return code;
  // The uploader is too large for the stack.
  auto uploader = std::make_unique<Uploader>(state, given ? given : own.get());
  if (int32_t code = uploader->run())
    return code;
  return checkCuda(state.error, "cudaStreamDestroy", own.destroy());
}

} // namespace lane::runtime

LANE_RUNTIME_LINKAGE void laneUpload(lane_program *program) {
  lane::runtime::runMemoryStep(program, lane::runtime::upload);
}

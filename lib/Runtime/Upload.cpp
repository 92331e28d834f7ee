//===- Upload.cpp - From checkpoint files into the pools ------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckpointFile.h"
#include "Segment.h"
#include "lane/Runtime/Runtime.h"
#include <algorithm>
#include <cstring>
#include <cuda_runtime_api.h>
#include <memory>
#include <new>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace {

/// Fills the pools. What goes to the device is read into one of a few pinned
/// buffers and copied from there while the next is read; what lives on the host
/// is read to where it stays. All that this holds is gone when it is destroyed.
class LaneUploader {
public:
  LaneUploader(lane_program *program, const lane_options *options,
               lane_error *error, const char *names)
      : program(program), options(options), error(error), names(names),
        stream(static_cast<cudaStream_t>(options->stream)) {}
  LaneUploader(const LaneUploader &) = delete;
  LaneUploader &operator=(const LaneUploader &) = delete;
  ~LaneUploader();

  /// Takes the bytes of all segments, for the progress.
  void setTotal(int64_t bytes) { totalBytes = bytes; }
  int32_t fillZeros(const LaneSegment &segment);
  int32_t copyValues(const LaneSegment &segment, const float *values);
  int32_t copyRows(const LaneSegment &segment, LaneFile &file);
  /// Waits for the copies, and gives back what they needed.
  int32_t finish();

private:
  /// Large enough for a link, small enough for a cache.
  static constexpr int64_t kStagingBytes = int64_t(1) << 19;
  static constexpr int kNumStagings = 3;
  /// What is read lies in a line as it does in the file: some processors copy
  /// four times slower to a little further on.
  static constexpr int64_t kLineBytes = 64;
  /// What is split at once: it is to be in the nearest cache when it is read.
  static constexpr int64_t kSplitBlocks = 4096;
  static constexpr int64_t kBlockElements = 32;
  static constexpr int64_t kScaleBytes = 2;
  static constexpr int64_t kBlockBytes = kScaleBytes + kBlockElements;

  /// A pinned buffer, and what says that the copy from it is done.
  struct Staging {
    char *data = nullptr;
    cudaEvent_t isFree = nullptr;
    bool isInFlight = false;
  };

  int32_t check(const char *name, cudaError_t status, int64_t bytes = 0) {
    return laneCheckCuda(error, name, status, bytes);
  }
  bool isOnHost(const LaneSegment &segment) const {
    return segment.upload >= 0 && program->on_host[segment.upload];
  }
  char *getStart(const LaneSegment &segment) const;
  int32_t takeStaging(Staging *&staging);
  int32_t release(Staging &staging);
  int32_t copyBlocks(const LaneSegment &segment, LaneFile &file);
  int32_t splitBlocks(const LaneSegment &segment, LaneFile &file);
  int32_t readBlocks(LaneFile &file, const char *tensor, int64_t offset,
                     int64_t count, char *levels, char *scales);
  int32_t copy(char *to, const void *from, int64_t bytes);
  void report(int64_t bytes);

  lane_program *program;
  const lane_options *options;
  lane_error *error;
  const char *names;
  cudaStream_t stream;
  char *pinned = nullptr;
  Staging stagings[kNumStagings];
  int next = 0;
  bool isFinished = false;
  /// Where blocks are read to before they are split.
  alignas(kLineBytes) char blocks[kLineBytes + kSplitBlocks * kBlockBytes];
  int64_t doneBytes = 0;
  int64_t totalBytes = 0;
};

/// After a failure, whose message stays the one that is told.
LaneUploader::~LaneUploader() {
  error = nullptr;
  if (!isFinished)
    finish();
}

int32_t LaneUploader::finish() {
  isFinished = true;
  // A copy may still read what is freed here, so all is tried.
  int32_t code = check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
  for (Staging &staging : stagings) {
    if (!staging.isFree)
      continue;
    int32_t destroyed =
        check("cudaEventDestroy", cudaEventDestroy(staging.isFree));
    staging.isFree = nullptr;
    code = code ? code : destroyed;
  }
  if (!pinned)
    return code;
  int32_t freed = check("cudaFreeHost", cudaFreeHost(pinned));
  pinned = nullptr;
  return code ? code : freed;
}

/// Where a segment's upload starts, as whoever writes it sees it.
char *LaneUploader::getStart(const LaneSegment &segment) const {
  if (segment.upload == LaneSegment::kArena)
    return static_cast<char *>(program->arena);
  if (segment.upload == LaneSegment::kFixed)
    return static_cast<char *>(program->pool);
  void *side = isOnHost(segment) ? program->host_pool : program->pool;
  return static_cast<char *>(side) + program->upload_offsets[segment.upload];
}

void LaneUploader::report(int64_t bytes) {
  doneBytes += bytes;
  if (options->progress)
    options->progress(options->user, doneBytes, totalBytes);
}

int32_t LaneUploader::fillZeros(const LaneSegment &segment) {
  char *start = getStart(segment) + segment.destination;
  if (isOnHost(segment)) {
    std::memset(start, 0, static_cast<size_t>(segment.bytes));
    return LANE_OK;
  }
  return check(
      "cudaMemsetAsync",
      cudaMemsetAsync(start, 0, static_cast<size_t>(segment.bytes), stream),
      segment.bytes);
}

/// Starts a copy to the device.
int32_t LaneUploader::copy(char *to, const void *from, int64_t bytes) {
  return check("cudaMemcpyAsync",
               cudaMemcpyAsync(to, from, static_cast<size_t>(bytes),
                               cudaMemcpyHostToDevice, stream),
               bytes);
}

int32_t LaneUploader::copyValues(const LaneSegment &segment,
                                 const float *values) {
  return copy(getStart(segment) + segment.destination, values + segment.offset,
              segment.bytes);
}

/// The next pinned buffer, once the copy from it is done.
int32_t LaneUploader::takeStaging(Staging *&staging) {
  if (!pinned) {
    int64_t bytes = (kStagingBytes + kLineBytes) * kNumStagings;
    void *data = nullptr;
    cudaError_t status =
        cudaHostAlloc(&data, static_cast<size_t>(bytes), cudaHostAllocDefault);
    if (int32_t code = laneCheckPinned(error, status, bytes))
      return code;
    pinned = static_cast<char *>(data);
    for (int i = 0; i < kNumStagings; ++i)
      stagings[i].data = pinned + i * (kStagingBytes + kLineBytes);
  }
  staging = &stagings[next];
  next = (next + 1) % kNumStagings;
  if (!staging->isFree)
    return check(
        "cudaEventCreateWithFlags",
        cudaEventCreateWithFlags(&staging->isFree, cudaEventDisableTiming));
  if (!staging->isInFlight)
    return LANE_OK;
  staging->isInFlight = false;
  return check("cudaEventSynchronize", cudaEventSynchronize(staging->isFree));
}

/// The copies from a pinned buffer are on their way.
int32_t LaneUploader::release(Staging &staging) {
  staging.isInFlight = true;
  return check("cudaEventRecord", cudaEventRecord(staging.isFree, stream));
}

/// Blocks as the checkpoint has them, or values.
int32_t LaneUploader::copyBlocks(const LaneSegment &segment, LaneFile &file) {
  const char *tensor = names + segment.name;
  char *start = getStart(segment) + segment.destination;
  for (int64_t done = 0; done < segment.bytes;) {
    int64_t bytes = std::min(kStagingBytes, segment.bytes - done);
    int64_t offset = segment.offset + done;
    if (isOnHost(segment)) {
      if (int32_t code = file.read(start + done, bytes, offset, tensor))
        return code;
    } else {
      Staging *staging = nullptr;
      if (int32_t code = takeStaging(staging))
        return code;
      char *read = staging->data + offset % kLineBytes;
      if (int32_t code = file.read(read, bytes, offset, tensor))
        return code;
      if (int32_t code = copy(start + done, read, bytes))
        return code;
      if (int32_t code = release(*staging))
        return code;
    }
    done += bytes;
    report(bytes);
  }
  return LANE_OK;
}

/// q8_0 blocks, each a half scale and 32 levels, as two arrays.
void laneSplitQ8_0(const char *blocks, int64_t count, char *levels,
                   char *scales) {
  constexpr int64_t kScale = 2, kLevels = 32, kBlock = kScale + kLevels;
  int64_t done = 0;
#ifdef __SSE2__
  // What is written is for the device to fetch, so it goes past the caches: out
  // of another processor's it would come much slower than from memory.
  constexpr int64_t kVector = 16, kGroup = kVector / kScale;
  bool isAligned = reinterpret_cast<uintptr_t>(levels) % kVector == 0 &&
                   reinterpret_cast<uintptr_t>(scales) % kVector == 0;
  for (; isAligned && done + kGroup <= count; done += kGroup) {
    alignas(kVector) char group[kVector];
    for (int64_t i = 0; i < kGroup; ++i) {
      const char *block = blocks + (done + i) * kBlock;
      std::memcpy(group + i * kScale, block, kScale);
      auto *from = reinterpret_cast<const __m128i *>(block + kScale);
      auto *to = reinterpret_cast<__m128i *>(levels + (done + i) * kLevels);
      _mm_stream_si128(to, _mm_loadu_si128(from));
      _mm_stream_si128(to + 1, _mm_loadu_si128(from + 1));
    }
    _mm_stream_si128(reinterpret_cast<__m128i *>(scales + done * kScale),
                     _mm_load_si128(reinterpret_cast<__m128i *>(group)));
  }
  _mm_sfence();
#endif
  for (; done < count; ++done) {
    const char *block = blocks + done * kBlock;
    std::memcpy(scales + done * kScale, block, kScale);
    std::memcpy(levels + done * kLevels, block + kScale, kLevels);
  }
}

/// Reads blocks and splits them, a part after the other, into two arrays that
/// the host may write.
int32_t LaneUploader::readBlocks(LaneFile &file, const char *tensor,
                                 int64_t offset, int64_t count, char *levels,
                                 char *scales) {
  for (int64_t done = 0; done < count;) {
    int64_t part = std::min(kSplitBlocks, count - done);
    int64_t at = offset + done * kBlockBytes;
    char *read = blocks + at % kLineBytes;
    if (int32_t code = file.read(read, part * kBlockBytes, at, tensor))
      return code;
    laneSplitQ8_0(read, part, levels + done * kBlockElements,
                  scales + done * kScaleBytes);
    done += part;
  }
  return LANE_OK;
}

int32_t LaneUploader::splitBlocks(const LaneSegment &segment, LaneFile &file) {
  const char *tensor = names + segment.name;
  char *levels = getStart(segment) + segment.destination;
  char *scales = getStart(segment) + segment.scalesDestination;
  int64_t numBlocks = segment.bytes / kBlockBytes;
  // Whole parts, so that each starts at a vector on the host too.
  constexpr int64_t kMostBlocks =
      kStagingBytes / kBlockBytes / kSplitBlocks * kSplitBlocks;
  for (int64_t done = 0; done < numBlocks;) {
    int64_t count = std::min(kMostBlocks, numBlocks - done);
    int64_t offset = segment.offset + done * kBlockBytes;
    char *levelsHere = levels + done * kBlockElements;
    char *scalesHere = scales + done * kScaleBytes;
    if (isOnHost(segment)) {
      if (int32_t code =
              readBlocks(file, tensor, offset, count, levelsHere, scalesHere))
        return code;
    } else {
      Staging *staging = nullptr;
      if (int32_t code = takeStaging(staging))
        return code;
      int64_t levelsBytes = count * kBlockElements;
      char *staged = staging->data;
      if (int32_t code = readBlocks(file, tensor, offset, count, staged,
                                    staged + levelsBytes))
        return code;
      if (int32_t code = copy(levelsHere, staged, levelsBytes))
        return code;
      if (int32_t code =
              copy(scalesHere, staged + levelsBytes, count * kScaleBytes))
        return code;
      if (int32_t code = release(*staging))
        return code;
    }
    done += count;
    report(count * kBlockBytes);
  }
  return LANE_OK;
}

int32_t LaneUploader::copyRows(const LaneSegment &segment, LaneFile &file) {
  if (int32_t code = file.check(segment, names + segment.name))
    return code;
  return segment.scalesDestination > 0 ? splitBlocks(segment, file)
                                       : copyBlocks(segment, file);
}

LaneSegment laneReadSegment(const int64_t *figures) {
  return {figures[0], figures[1], figures[2], figures[3], figures[4],
          figures[5], figures[6], figures[7], figures[8], figures[9]};
}

int32_t laneUploadAll(lane_program *program, const lane_options *options,
                      lane_error *error, const char *fileNames,
                      int64_t numFiles, const int64_t *segments,
                      int64_t numSegments, const char *names,
                      const float *values) {
  std::vector<const char *> paths;
  for (const char *name = fileNames; numFiles > int64_t(paths.size());
       name += std::strlen(name) + 1)
    paths.push_back(name);
  if (options->files) {
    if (options->num_files != numFiles)
      return laneFail(error, LANE_BAD_OPTION,
                      "{} checkpoint files are given, but the program has {}",
                      options->num_files, numFiles);
    paths.assign(options->files, options->files + numFiles);
  }

  auto uploader =
      std::make_unique<LaneUploader>(program, options, error, names);
  int64_t totalBytes = 0;
  for (int64_t i = 0; i < numSegments; ++i) {
    LaneSegment segment =
        laneReadSegment(segments + i * LaneSegment::kNumFigures);
    if (segment.file >= 0)
      totalBytes += segment.bytes;
  }
  uploader->setTotal(totalBytes);

  std::unique_ptr<LaneFile> file;
  int64_t openFile = -1;
  for (int64_t i = 0; i < numSegments; ++i) {
    LaneSegment segment =
        laneReadSegment(segments + i * LaneSegment::kNumFigures);
    int32_t code = LANE_OK;
    if (segment.file == LaneSegment::kZeros) {
      code = uploader->fillZeros(segment);
    } else if (segment.file == LaneSegment::kValues) {
      code = uploader->copyValues(segment, values);
    } else {
      if (segment.file != openFile) {
        openFile = segment.file;
        if (!*paths[static_cast<size_t>(openFile)])
          return laneFail(error, LANE_BAD_OPTION,
                          "checkpoint file {} of {} has no name: give files in "
                          "lane_options",
                          openFile, numFiles);
        file = std::make_unique<LaneFile>(paths[static_cast<size_t>(openFile)],
                                          error);
        code = file->open();
      }
      if (code == LANE_OK)
        code = uploader->copyRows(segment, *file);
    }
    if (code != LANE_OK)
      return code;
  }
  return uploader->finish();
}

} // namespace

LANE_RUNTIME_LINKAGE int32_t laneUpload(
    lane_program *program, const lane_options *options, lane_error *error,
    const char *fileNames, int64_t numFiles, const int64_t *segments,
    int64_t numSegments, const char *names, const float *values) {
  try {
    return laneUploadAll(program, options, error, fileNames, numFiles, segments,
                         numSegments, names, values);
  } catch (const std::bad_alloc &) {
    return laneFail(error, LANE_NO_HOST_MEMORY,
                    "the host has no memory for the upload", 0, 0);
  }
}

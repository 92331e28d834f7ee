//===- CheckpointFile.h - A GGUF file, and if it is the one meant -*- C++
//-*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_CHECKPOINTFILE_H
#define LANE_LIB_RUNTIME_CHECKPOINTFILE_H

#include "Message.h"
#include "Segment.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace {

/// A checkpoint file, open for reading. Its functions fail with a message that
/// names it.
class LaneFile {
public:
  LaneFile(std::string path, lane_error *error)
      : path(std::move(path)), error(error) {}
  LaneFile(const LaneFile &) = delete;
  LaneFile &operator=(const LaneFile &) = delete;
  ~LaneFile() {
    if (descriptor >= 0)
      ::close(descriptor);
  }

  /// Opens the file and reads what tensors it has.
  int32_t open();
  /// Whether the rows of a segment lie in a tensor of the segment's type and
  /// width, and in the file.
  int32_t check(const LaneSegment &segment, const char *tensor);
  /// Reads all of `bytes` bytes at `offset`.
  int32_t read(void *data, int64_t bytes, int64_t offset, const char *tensor);

private:
  struct Tensor {
    std::string name;
    uint64_t offset;
    uint64_t rows;
    uint64_t columns;
    uint32_t type;
  };

  int32_t fail(const std::string &why) {
    return laneFailWith(error, LANE_BAD_CHECKPOINT, path + ": " + why);
  }
  int32_t failAt(const char *tensor, int64_t offset, const std::string &why) {
    return fail(std::string("tensor '") + tensor + "' at offset " +
                std::to_string(offset) + ": " + why);
  }
  int32_t parseHeader();

  // The header is read through a window of the file; no figure in it is
  // trusted. They return false where the file ends.
  bool take(void *data, uint64_t bytes);
  bool skip(uint64_t bytes);
  template <typename T>
  bool take(T &value) {
    return take(&value, sizeof(T));
  }
  bool skipString();
  bool skipValue(uint32_t type);
  bool takeKey(uint64_t &alignment);
  bool takeTensor(Tensor &tensor);

  std::string path;
  lane_error *error;
  int descriptor = -1;
  uint64_t fileBytes = 0;
  uint64_t position = 0;
  std::vector<char> window;
  uint64_t windowStart = 0;
  std::vector<Tensor> tensors;
};

inline int32_t LaneFile::open() {
  descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0)
    return fail(std::string("cannot be opened: ") + std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return fail("cannot be opened: not a regular file");
  fileBytes = static_cast<uint64_t>(status.st_size);
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  return parseHeader();
}

inline int32_t LaneFile::read(void *data, int64_t bytes, int64_t offset,
                              const char *tensor) {
  char *end = static_cast<char *>(data);
  for (int64_t done = 0; done < bytes;) {
    ssize_t count = pread(descriptor, end + done,
                          static_cast<size_t>(bytes - done), offset + done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return failAt(tensor, offset + done,
                    std::string("cannot be read: ") + std::strerror(errno));
    if (count == 0)
      return failAt(tensor, offset + done,
                    "the file ends (" + std::to_string(bytes - done) +
                        " bytes needed)");
    done += count;
  }
  return LANE_OK;
}

inline bool LaneFile::take(void *data, uint64_t bytes) {
  constexpr uint64_t kWindowBytes = 1 << 16;
  if (bytes > fileBytes - position)
    return false;
  char *out = static_cast<char *>(data);
  while (bytes > 0) {
    if (position < windowStart || position >= windowStart + window.size()) {
      windowStart = position;
      window.resize(std::min(kWindowBytes, fileBytes - position));
      if (read(window.data(), static_cast<int64_t>(window.size()),
               static_cast<int64_t>(windowStart), "") != LANE_OK)
        return false;
    }
    uint64_t count =
        std::min<uint64_t>(bytes, windowStart + window.size() - position);
    std::memcpy(out, window.data() + (position - windowStart), count);
    out += count;
    position += count;
    bytes -= count;
  }
  return true;
}

inline bool LaneFile::skip(uint64_t bytes) {
  if (bytes > fileBytes - position)
    return false;
  position += bytes;
  return true;
}

inline bool LaneFile::skipString() {
  uint64_t length = 0;
  return take(length) && skip(length);
}

inline bool LaneFile::skipValue(uint32_t type) {
  // By GGUF's number of the type; strings and arrays have no width.
  static const uint8_t kWidths[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  constexpr uint32_t kString = 8, kArray = 9, kNumTypes = 13;
  if (type == kString)
    return skipString();
  if (type != kArray)
    return type < kNumTypes && skip(kWidths[type]);
  uint32_t elementType = 0;
  uint64_t length = 0;
  if (!take(elementType) || !take(length) || elementType == kArray ||
      elementType >= kNumTypes)
    return false;
  if (elementType != kString)
    return length <= fileBytes / kWidths[elementType] &&
           skip(length * kWidths[elementType]);
  for (uint64_t i = 0; i < length; ++i)
    if (!skipString())
      return false;
  return true;
}

inline bool LaneFile::takeKey(uint64_t &alignment) {
  static const char kAlignmentKey[] = "general.alignment";
  constexpr uint64_t kAlignmentLength = sizeof(kAlignmentKey) - 1;
  uint64_t length = 0;
  uint32_t type = 0;
  if (!take(length))
    return false;
  if (length != kAlignmentLength)
    return skip(length) && take(type) && skipValue(type);
  char key[kAlignmentLength];
  if (!take(key, length) || !take(type))
    return false;
  constexpr uint32_t kUInt32 = 4;
  if (type != kUInt32 || std::memcmp(key, kAlignmentKey, length) != 0)
    return skipValue(type);
  uint32_t bytes = 0;
  if (!take(bytes))
    return false;
  alignment = bytes;
  return bytes != 0 && (bytes & (bytes - 1)) == 0;
}

inline bool LaneFile::takeTensor(Tensor &tensor) {
  constexpr uint64_t kMaxName = 64;
  constexpr uint32_t kMaxDimensions = 4;
  uint64_t length = 0;
  uint32_t rank = 0;
  if (!take(length) || length > kMaxName)
    return false;
  tensor.name.resize(length);
  if (!take(&tensor.name[0], length) || !take(rank) || rank > kMaxDimensions)
    return false;
  tensor.columns = 1;
  tensor.rows = 1;
  for (uint32_t i = 0; i < rank; ++i) {
    uint64_t size = 0;
    if (!take(size))
      return false;
    uint64_t &product = i == 0 ? tensor.columns : tensor.rows;
    if (size != 0 && product > UINT64_MAX / size)
      return false;
    product *= size;
  }
  return take(tensor.type) && take(tensor.offset);
}

inline int32_t LaneFile::parseHeader() {
  char magic[4];
  uint32_t version = 0;
  uint64_t numTensors = 0, numKeys = 0;
  if (!take(magic, 4) || std::memcmp(magic, "GGUF", 4) != 0)
    return fail("is no GGUF file");
  if (!take(version) || version < 2 || version > 3)
    return fail("GGUF version " + std::to_string(version) +
                " is not supported (2 and 3 are)");
  std::string cut = "the header is cut short or malformed";
  if (!take(numTensors) || !take(numKeys))
    return fail(cut);
  uint64_t alignment = 32;
  for (uint64_t i = 0; i < numKeys; ++i)
    if (!takeKey(alignment))
      return fail(cut + " in key " + std::to_string(i));
  for (uint64_t i = 0; i < numTensors; ++i) {
    Tensor tensor;
    if (!takeTensor(tensor))
      return fail(cut + " in tensor " + std::to_string(i));
    tensors.push_back(std::move(tensor));
  }
  uint64_t dataStart = (position + alignment - 1) / alignment * alignment;
  for (Tensor &tensor : tensors)
    tensor.offset += dataStart;
  std::sort(tensors.begin(), tensors.end(),
            [](const Tensor &lhs, const Tensor &rhs) {
              return lhs.offset < rhs.offset;
            });
  return LANE_OK;
}

inline int32_t LaneFile::check(const LaneSegment &segment, const char *tensor) {
  auto offset = static_cast<uint64_t>(segment.offset);
  auto bytes = static_cast<uint64_t>(segment.bytes);
  auto rowBytes = static_cast<uint64_t>(segment.rowBytes);
  // The last tensor that starts no later.
  auto found = std::upper_bound(
      tensors.begin(), tensors.end(), offset,
      [](uint64_t at, const Tensor &other) { return at < other.offset; });
  std::string expected = "expected rows of " + std::to_string(segment.columns) +
                         " elements of ggml type " +
                         std::to_string(segment.type) + ", ";
  if (found == tensors.begin())
    return failAt(tensor, segment.offset, expected + "found no tensor");
  const Tensor &there = *--found;
  uint64_t skipped = offset - there.offset;
  bool isRows = there.type == static_cast<uint64_t>(segment.type) &&
                there.columns == static_cast<uint64_t>(segment.columns);
  if (!isRows)
    return failAt(tensor, segment.offset,
                  expected + "found '" + there.name + "' of rows of " +
                      std::to_string(there.columns) + " of type " +
                      std::to_string(there.type));
  if (skipped % rowBytes != 0 || skipped / rowBytes > there.rows ||
      bytes / rowBytes > there.rows - skipped / rowBytes)
    return failAt(tensor, segment.offset,
                  "expected " + std::to_string(bytes / rowBytes) +
                      " rows, found '" + there.name + "' of " +
                      std::to_string(there.rows) + " rows at offset " +
                      std::to_string(there.offset));
  if (offset > fileBytes || bytes > fileBytes - offset)
    return failAt(tensor, segment.offset,
                  "the file is cut short: " + std::to_string(bytes) +
                      " bytes needed, the file has " +
                      std::to_string(fileBytes));
  return LANE_OK;
}

} // namespace

#endif // LANE_LIB_RUNTIME_CHECKPOINTFILE_H

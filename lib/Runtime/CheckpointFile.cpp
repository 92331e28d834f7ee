//===- CheckpointFile.cpp - Reading checkpoint files at run time ----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckpointFile.h"
#include "Message.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lane::runtime {

static const CheckpointFormat *const kCheckpointFormats[] = {
    &kGGUFFormat, &kSafetensorsFormat};

//===----------------------------------------------------------------------===//
// Headers
//===----------------------------------------------------------------------===//

/// Reads at most `bytes` bytes; fewer where the file ends, and -1, with errno,
/// where it cannot be read.
static ssize_t readSome(int descriptor, void *data, uint64_t bytes,
                        uint64_t offset) {
  ssize_t count = -1;
  do
    count = pread(descriptor, data, bytes, static_cast<off_t>(offset));
  while (count < 0 && errno == EINTR);
  return count;
}

bool HeaderReader::take(void *data, uint64_t bytes) {
  constexpr uint64_t kWindowBytes = 1 << 16;
  if (bytes > fileBytes - position)
    return false;
  char *out = static_cast<char *>(data);
  while (bytes > 0) {
    if (position < windowStart || position >= windowStart + window.size()) {
      windowStart = position;
      window.resize(std::min(kWindowBytes, fileBytes - position));
      ssize_t count =
          readSome(descriptor, window.data(), window.size(), windowStart);
      window.resize(count > 0 ? static_cast<size_t>(count) : 0);
      if (window.empty())
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

bool HeaderReader::skip(uint64_t bytes) {
  if (bytes > fileBytes - position)
    return false;
  position += bytes;
  return true;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

CheckpointFile::~CheckpointFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

int32_t CheckpointFile::fail(const std::string &why) {
  return runtime::fail(error, LANE_BAD_CHECKPOINT, path + ": " + why);
}

int32_t CheckpointFile::failAt(const char *tensor, int64_t offset,
                               const std::string &why) {
  return fail(std::string("tensor '") + tensor + "' at offset " +
              std::to_string(offset) + ": " + why);
}

/// The first format that the file has, or null.
static const CheckpointFormat *findFormat(int descriptor, uint64_t fileBytes) {
  for (const CheckpointFormat *format : kCheckpointFormats) {
    HeaderReader reader(descriptor, fileBytes);
    if (format->isFormat(reader))
      return format;
  }
  return nullptr;
}

int32_t CheckpointFile::open() {
  // Without O_NONBLOCK, a FIFO would wait for a writer.
  descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0)
    return fail(std::string("cannot be opened: ") + std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return fail("cannot be opened: not a regular file");
  fileBytes = static_cast<uint64_t>(status.st_size);
  openedTime = status.st_mtim;
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);

  const CheckpointFormat *format = findFormat(descriptor, fileBytes);
  if (!format) {
    std::string names;
    for (const CheckpointFormat *known : kCheckpointFormats)
      names += (names.empty() ? "" : " or ") + std::string(known->name);
    return fail("is not a " + names + " file");
  }
  HeaderReader reader(descriptor, fileBytes);
  std::string why = format->readTensors(reader, tensors);
  if (!why.empty())
    return fail(why);
  std::sort(tensors.begin(), tensors.end(),
            [](const CheckpointTensor &lhs, const CheckpointTensor &rhs) {
              return lhs.offset < rhs.offset;
            });
  return LANE_OK;
}

int32_t CheckpointFile::read(void *data, int64_t bytes, int64_t offset,
                             const char *tensor) {
  char *start = static_cast<char *>(data);
  for (int64_t done = 0; done < bytes;) {
    ssize_t count =
        readSome(descriptor, start + done, static_cast<uint64_t>(bytes - done),
                 static_cast<uint64_t>(offset + done));
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

int32_t CheckpointFile::checkUnchanged() {
  struct stat status;
  if (fstat(descriptor, &status) != 0)
    return fail(std::string("cannot be read: ") + std::strerror(errno));
  if (static_cast<uint64_t>(status.st_size) != fileBytes ||
      status.st_mtim.tv_sec != openedTime.tv_sec ||
      status.st_mtim.tv_nsec != openedTime.tv_nsec)
    return fail("the file changed while it was read");
  return LANE_OK;
}

int32_t CheckpointFile::check(const lane_segment &segment, const char *tensor,
                              const char *nameInFile) {
  auto offset = static_cast<uint64_t>(segment.offset);
  auto bytes = static_cast<uint64_t>(segment.bytes);
  auto rowBytes = static_cast<uint64_t>(segment.row_bytes);
  // The last tensor that does not start after the segment.
  auto found = std::upper_bound(tensors.begin(), tensors.end(), offset,
                                [](uint64_t at, const CheckpointTensor &other) {
                                  return at < other.offset;
                                });
  std::string expected = "expected rows of " + std::to_string(segment.columns) +
                         " elements of ggml type " +
                         std::to_string(segment.type) + ", ";
  if (found == tensors.begin())
    return failAt(tensor, segment.offset, expected + "found no tensor");
  const CheckpointTensor &there = *--found;
  uint64_t skipped = offset - there.offset;
  if (there.type != static_cast<uint64_t>(segment.type) ||
      there.columns != static_cast<uint64_t>(segment.columns))
    return failAt(tensor, segment.offset,
                  expected + "found '" + there.name + "' of rows of " +
                      std::to_string(there.columns) + " of type " +
                      std::to_string(there.type));
  if (nameInFile && there.name != nameInFile)
    return failAt(tensor, segment.offset,
                  std::string("expected tensor '") + nameInFile + "', found '" +
                      there.name + "'");
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

} // namespace lane::runtime

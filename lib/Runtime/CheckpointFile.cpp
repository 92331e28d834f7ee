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
#include <sys/mman.h>
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
  for (int opened : {descriptor, directDescriptor})
    if (opened >= 0)
      ::close(opened);
}

int32_t CheckpointFile::fail(lane_error *error, const std::string &why) const {
  return runtime::fail(error, LANE_BAD_CHECKPOINT, path + ": " + why);
}

int32_t CheckpointFile::failAt(lane_error *error, const char *tensor,
                               int64_t offset, const std::string &why) const {
  return fail(error, std::string("tensor '") + tensor + "' at offset " +
                         std::to_string(offset) + ": " + why);
}

/// Whether most of a file is in the page cache, by a sample of its pages.
static bool isCached(int descriptor, uint64_t fileBytes) {
  constexpr uint64_t kNumSamples = 64;
  void *mapping =
      mmap(nullptr, fileBytes, PROT_READ, MAP_SHARED, descriptor, 0);
  if (mapping == MAP_FAILED)
    return true;
  auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  uint64_t numCached = 0;
  for (uint64_t i = 0; i < kNumSamples; ++i) {
    uint64_t offset = fileBytes / kNumSamples * i / page * page;
    unsigned char state = 0;
    if (mincore(static_cast<char *>(mapping) + offset, 1, &state) != 0)
      state = 1;
    numCached += state & 1;
  }
  munmap(mapping, fileBytes);
  return 2 * numCached > kNumSamples;
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

/// Not every file system has direct reads, or has them at this alignment.
void CheckpointFile::openDirect(int flags) {
  directDescriptor = ::open(path.c_str(), flags | O_DIRECT);
  std::vector<char> page(2 * kReadAlignment);
  if (directDescriptor < 0 ||
      pread(directDescriptor, align(page.data()), kReadAlignment, 0) >= 0)
    return;
  ::close(directDescriptor);
  directDescriptor = -1;
}

int32_t CheckpointFile::open(int32_t reads, bool dropsPages,
                             lane_error *error) {
  this->dropsPages = dropsPages;
  // Without O_NONBLOCK, a FIFO would wait for a writer.
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  descriptor = ::open(path.c_str(), kFlags);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0)
    return fail(error,
                std::string("cannot be opened: ") + std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return fail(error, "cannot be opened: not a regular file");
  fileBytes = static_cast<uint64_t>(status.st_size);
  openedTime = status.st_mtim;
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  bool isDirect =
      reads == LANE_FILE_READS_DIRECT ||
      (reads == LANE_FILE_READS_AUTO && !isCached(descriptor, fileBytes));
  if (isDirect)
    openDirect(kFlags);

  const CheckpointFormat *format = findFormat(descriptor, fileBytes);
  if (!format) {
    std::string names;
    for (const CheckpointFormat *known : kCheckpointFormats)
      names += (names.empty() ? "" : " or ") + std::string(known->name);
    return fail(error, "is not a " + names + " file");
  }
  HeaderReader reader(descriptor, fileBytes);
  std::string why = format->readTensors(reader, tensors);
  if (!why.empty())
    return fail(error, why);
  std::sort(tensors.begin(), tensors.end(),
            [](const CheckpointTensor &lhs, const CheckpointTensor &rhs) {
              return lhs.offset < rhs.offset;
            });
  return LANE_OK;
}

int32_t CheckpointFile::readFrom(int from, char *data, int64_t bytes,
                                 int64_t mostBytes, int64_t offset,
                                 const char *tensor, lane_error *error) const {
  for (int64_t done = 0; done < bytes;) {
    ssize_t count =
        readSome(from, data + done, static_cast<uint64_t>(mostBytes - done),
                 static_cast<uint64_t>(offset + done));
    if (count < 0)
      return failAt(error, tensor, offset + done,
                    std::string("cannot be read: ") + std::strerror(errno));
    if (count == 0)
      return failAt(error, tensor, offset + done,
                    "the file ends (" + std::to_string(bytes - done) +
                        " bytes needed)");
    done += count;
  }
  return LANE_OK;
}

int32_t CheckpointFile::read(void *data, int64_t bytes, int64_t offset,
                             const char *tensor, lane_error *error) const {
  int32_t code = readFrom(descriptor, static_cast<char *>(data), bytes, bytes,
                          offset, tensor, error);
  if (dropsPages)
    posix_fadvise(descriptor, offset, bytes, POSIX_FADV_DONTNEED);
  return code;
}

int32_t CheckpointFile::readInto(char *buffer, int64_t bytes, int64_t offset,
                                 const char *tensor, const char *&data,
                                 lane_error *error) const {
  int64_t before = offset % kReadAlignment;
  data = buffer + before;
  if (!isDirect())
    return read(buffer + before, bytes, offset, tensor, error);
  int64_t needed = before + bytes;
  int64_t most =
      (needed + kReadAlignment - 1) / kReadAlignment * kReadAlignment;
  return readFrom(directDescriptor, buffer, needed, most, offset - before,
                  tensor, error);
}

int32_t CheckpointFile::checkUnchanged(lane_error *error) const {
  // Pages that reads dropped in part are left.
  if (dropsPages)
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  struct stat status;
  if (fstat(descriptor, &status) != 0)
    return fail(error, std::string("cannot be read: ") + std::strerror(errno));
  if (static_cast<uint64_t>(status.st_size) != fileBytes ||
      status.st_mtim.tv_sec != openedTime.tv_sec ||
      status.st_mtim.tv_nsec != openedTime.tv_nsec)
    return fail(error, "the file changed while it was read");
  return LANE_OK;
}

int32_t CheckpointFile::check(const lane_segment &segment, const char *tensor,
                              const char *nameInFile, lane_error *error) const {
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
    return failAt(error, tensor, segment.offset, expected + "found no tensor");
  const CheckpointTensor &there = *--found;
  uint64_t skipped = offset - there.offset;
  if (there.type != static_cast<uint64_t>(segment.type) ||
      there.columns != static_cast<uint64_t>(segment.columns))
    return failAt(error, tensor, segment.offset,
                  expected + "found '" + there.name + "' of rows of " +
                      std::to_string(there.columns) + " of type " +
                      std::to_string(there.type));
  if (nameInFile && there.name != nameInFile)
    return failAt(error, tensor, segment.offset,
                  std::string("expected tensor '") + nameInFile + "', found '" +
                      there.name + "'");
  if (skipped % rowBytes != 0 || skipped / rowBytes > there.rows ||
      bytes / rowBytes > there.rows - skipped / rowBytes)
    return failAt(error, tensor, segment.offset,
                  "expected " + std::to_string(bytes / rowBytes) +
                      " rows, found '" + there.name + "' of " +
                      std::to_string(there.rows) + " rows at offset " +
                      std::to_string(there.offset));
  if (offset > fileBytes || bytes > fileBytes - offset)
    return failAt(error, tensor, segment.offset,
                  "the file is cut short: " + std::to_string(bytes) +
                      " bytes needed, the file has " +
                      std::to_string(fileBytes));
  return LANE_OK;
}

} // namespace lane::runtime

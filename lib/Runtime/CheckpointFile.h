//===- CheckpointFile.h - Reading checkpoint files at run time --*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A checkpoint file as a list of tensors, whatever its format. The upload
// checks against the list that it reads the tensors that were compiled.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_CHECKPOINTFILE_H
#define LANE_LIB_RUNTIME_CHECKPOINTFILE_H

#include "lane/Runtime/Description.h"
#include "lane/Runtime/Program.h"
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

namespace lane::runtime {

/// A tensor of a file. `type` is the id of ggml's type, and `offset` is in
/// bytes from the file's start.
struct CheckpointTensor {
  std::string name;
  uint64_t offset = 0;
  uint64_t rows = 0;
  uint64_t columns = 0;
  uint32_t type = 0;
};

/// A checkpoint file that is open for reading. A function that fails names the
/// file in its message. Once it is open, several threads can read.
class CheckpointFile {
public:
  /// What offsets, sizes and addresses of direct reads are multiples of.
  static constexpr int64_t kReadAlignment = 4096;

  explicit CheckpointFile(std::string path) : path(std::move(path)) {}
  CheckpointFile(const CheckpointFile &) = delete;
  CheckpointFile &operator=(const CheckpointFile &) = delete;
  ~CheckpointFile();

  /// Opens the file and reads its list of tensors. `reads` is one of
  /// LANE_FILE_READS_. With `dropsPages`, what is read does not stay in the
  /// page cache.
  int32_t open(int32_t reads, bool dropsPages, lane_error *error);
  /// Fails unless the rows of `segment` are in a tensor of the segment's type
  /// and width, of the name `nameInFile` (null: any), and in the file.
  int32_t check(const lane_segment &segment, const char *tensor,
                const char *nameInFile, lane_error *error) const;
  /// Fails if the size or the time of the file changed since it was opened.
  int32_t checkUnchanged(lane_error *error) const;
  /// Reads all of `bytes` bytes at `offset`, through the page cache.
  int32_t read(void *data, int64_t bytes, int64_t offset, const char *tensor,
               lane_error *error) const;
  /// Reads them past the page cache where the file is read so, and sets `data`
  /// to their place in `buffer`. That starts at a multiple of kReadAlignment
  /// and has room for as many bytes before and after them. In both cases `data`
  /// has the offset in a cache line that the bytes have in the file: copies
  /// between different offsets are up to four times slower.
  int32_t readInto(char *buffer, int64_t bytes, int64_t offset,
                   const char *tensor, const char *&data,
                   lane_error *error) const;
  /// Whether reads go past the page cache.
  bool isDirect() const { return directDescriptor >= 0; }

  /// The first multiple of kReadAlignment from an address on.
  static char *align(char *address) {
    auto value = reinterpret_cast<uintptr_t>(address);
    return address + (kReadAlignment - value % kReadAlignment) % kReadAlignment;
  }

private:
  void openDirect(int flags);
  int32_t fail(lane_error *error, const std::string &why) const;
  int32_t failAt(lane_error *error, const char *tensor, int64_t offset,
                 const std::string &why) const;
  /// Reads at least `bytes` bytes at `offset`, and at most `mostBytes`.
  int32_t readFrom(int from, char *data, int64_t bytes, int64_t mostBytes,
                   int64_t offset, const char *tensor, lane_error *error) const;

  std::string path;
  int descriptor = -1;
  /// -1 where reads go through the page cache.
  int directDescriptor = -1;
  bool dropsPages = false;
  uint64_t fileBytes = 0;
  struct timespec openedTime = {};
  /// Sorted by offset.
  std::vector<CheckpointTensor> tensors;
};

/// Reads a header from its start, through a window of the file. Nothing in a
/// header is trusted: `take` and `skip` return false where the file ends.
class HeaderReader {
public:
  HeaderReader(int descriptor, uint64_t fileBytes)
      : descriptor(descriptor), fileBytes(fileBytes) {}

  bool take(void *data, uint64_t bytes);
  bool skip(uint64_t bytes);
  template <typename T>
  bool take(T &value) {
    return take(&value, sizeof(T));
  }
  uint64_t getPosition() const { return position; }
  uint64_t getFileBytes() const { return fileBytes; }

private:
  int descriptor;
  uint64_t fileBytes;
  uint64_t position = 0;
  std::vector<char> window;
  uint64_t windowStart = 0;
};

/// A format of checkpoint files. A new format is a file of its own, and a row
/// in the table of CheckpointFile.cpp.
struct CheckpointFormat {
  const char *name;
  /// Whether a file that starts so has the format.
  bool (*isFormat)(HeaderReader &reader);
  /// Reads the tensors of a file, from its start. Returns why it cannot, or an
  /// empty text.
  std::string (*readTensors)(HeaderReader &reader,
                             std::vector<CheckpointTensor> &tensors);
};

/// GGUF, versions 2 and 3; defined in GGUFHeader.cpp.
extern const CheckpointFormat kGGUFFormat;
/// Safetensors, one file of them; defined in SafetensorsHeader.cpp.
extern const CheckpointFormat kSafetensorsFormat;

} // namespace lane::runtime

#endif // LANE_LIB_RUNTIME_CHECKPOINTFILE_H

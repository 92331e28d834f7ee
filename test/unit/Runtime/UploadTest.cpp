//===- UploadTest.cpp - Tests of the upload -------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors that need many pinned buffers and end in the middle of one, to the
// device and to the host, in one thread and in several, through the page cache
// and past it.
//
//===----------------------------------------------------------------------===//

#include "GGUFWriter.h"
#include "OpenedProgram.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace lane;
using namespace lane::test;

namespace {

constexpr int64_t kRows = 61013;
/// A row of q8_0 with one block, and one of f16 with as many bytes.
constexpr int64_t kRowBytes = 34;
constexpr int64_t kQuants = 32, kScale = 2;
/// Bytes of the upload around the tensor, and what the fake fills them with.
constexpr int64_t kSlackBytes = 512;
constexpr char kUnwritten = '\xA5';

struct Tensor {
  NumberFormat format;
  int64_t columns;
};
constexpr Tensor kQ8 = {NumberFormat::Q8_0, 32};
constexpr Tensor kF16 = {NumberFormat::F16, 17};

/// How a tensor is uploaded.
struct Way {
  bool isOnHost;
  FakeCudaConfig::Copies copies;
  /// Bytes from the start of the upload.
  int64_t shift = 0;
  int32_t hostMemory = LANE_HOST_MEMORY_AUTO;
  int32_t fileReads = LANE_FILE_READS_AUTO;
  int32_t numThreads = 0;
  bool isIntegrated = false;
  bool hasStream = false;
};

class UploadTest : public testing::TestWithParam<Way> {
protected:
  /// Writes a checkpoint of one tensor, whose bytes differ from those near
  /// them.
  void write(const Tensor &tensor) {
    gguf::GGUFWriter writer;
    writer.addTensor("w", {tensor.columns, kRows}, tensor.format);
    std::string header = writer.write();
    start = int64_t(header.size());
    data.resize(kRows * kRowBytes);
    uint32_t state = 1;
    for (char &byte : data) {
      state = state * 1664525 + 1013904223;
      byte = char(state >> 24);
    }
    std::ofstream file(path, std::ios::binary);
    file << header;
    file.write(data.data(), std::streamsize(data.size()));
  }

  /// Uploads the tensor, and returns the bytes at its destination.
  std::vector<char> upload(const Tensor &tensor, int64_t scalesBytes) {
    const Way &way = GetParam();
    FakeCudaConfig config;
    config.copies = way.copies;
    config.isIntegrated = way.isIntegrated;
    resetFakeCuda(config);
    auto dataBytes = int64_t(data.size());
    lane_upload upload = {dataBytes + kSlackBytes, 0};
    lane_segment segment = {};
    segment.tensor_offset = -1;
    segment.offset = start;
    segment.bytes = dataBytes;
    segment.type = int64_t(tensor.format);
    segment.columns = tensor.columns;
    segment.row_bytes = kRowBytes;
    segment.destination_bytes = way.shift;
    segment.scales_destination_bytes =
        scalesBytes ? scalesBytes + way.shift : 0;
    lane_description description = {};
    description.fixed_bytes = 256;
    description.num_uploads = 1;
    description.num_files = 1;
    description.num_segments = 1;
    description.uploads = &upload;
    description.file_names = path.c_str();
    description.segments = &segment;
    description.tensor_names = "w";
    cudaStream_t stream = nullptr;
    if (way.hasStream) {
      EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                cudaSuccess);
    }
    lane_options options = lane_default_options();
    options.device_bytes = way.isOnHost ? description.fixed_bytes : 1 << 30;
    options.host_memory = way.hostMemory;
    // Several chunks.
    options.host_chunk_bytes = 1 << 20;
    options.file_reads = way.fileReads;
    options.num_threads = way.numThreads;
    options.stream = stream;
    options.user = this;
    options.progress = [](void *user, int64_t done, int64_t total) -> int32_t {
      auto *test = static_cast<UploadTest *>(user);
      EXPECT_GT(done, test->doneBytes);
      test->doneBytes = done;
      test->totalBytes = total;
      return 0;
    };
    doneBytes = 0;
    std::vector<char> result = open(description, options, upload.bytes);
    EXPECT_EQ(doneBytes, totalBytes);
    if (stream) {
      EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    }
    return result;
  }

  std::vector<char> open(const lane_description &description,
                         const lane_options &options, int64_t bytes) {
    const Way &way = GetParam();
    OpenedProgram program(description, options, way.hasStream);
    EXPECT_EQ(program.code, LANE_OK) << program.error.message;
    if (!program.program)
      return {};
    EXPECT_EQ(program->moved, way.isOnHost);
    bool isRegistered =
        getLiveAllocations().back().function == "cudaHostRegister";
    EXPECT_EQ(isRegistered,
              way.isOnHost && way.hostMemory == LANE_HOST_MEMORY_CACHED);
    EXPECT_EQ(totalBytes,
              int64_t(data.size()) + (isRegistered ? program->host_bytes : 0));
    void *pool = way.isOnHost ? program->mapped_pool : program->pool;
    auto *place = static_cast<char *>(getBehindPointer(
        static_cast<char *>(pool) + program->extents[0].pool_offset_bytes,
        bytes));
    char *end = place + way.shift + data.size();
    // The bytes around it are as they were allocated.
    char unwritten = isRegistered ? 0 : kUnwritten;
    EXPECT_EQ(std::count(place, place + way.shift, unwritten), way.shift);
    EXPECT_EQ(std::count(end, place + bytes, unwritten),
              kSlackBytes - way.shift);
    return {place + way.shift, end};
  }

  void TearDown() override { std::remove(path.c_str()); }

  const std::string path =
      testing::TempDir() + "upload-" + std::to_string(getpid()) + ".gguf";
  int64_t start = 0;
  std::vector<char> data;
  int64_t doneBytes = 0, totalBytes = 0;
};

TEST_P(UploadTest, CopiesBlocksAsTheyAre) {
  write(kF16);
  EXPECT_TRUE(upload(kF16, 0) == data);
}

TEST_P(UploadTest, SplitsQ8_0) {
  write(kQ8);
  std::vector<char> expected(data.size());
  for (int64_t i = 0; i < kRows; ++i) {
    const char *block = data.data() + i * kRowBytes;
    std::memcpy(expected.data() + kRows * kQuants + i * kScale, block, kScale);
    std::memcpy(expected.data() + i * kQuants, block + kScale, kQuants);
  }
  EXPECT_TRUE(upload(kQ8, kRows * kQuants) == expected);
}

constexpr auto kAtOnce = FakeCudaConfig::Copies::AtOnce;
constexpr auto kWhenAwaited = FakeCudaConfig::Copies::WhenAwaited;
constexpr auto kMeanwhile = FakeCudaConfig::Copies::Meanwhile;

/// With aligned and with unaligned destinations.
INSTANTIATE_TEST_SUITE_P(
    Spaces, UploadTest,
    testing::Values(Way{false, kAtOnce}, Way{false, kAtOnce, 6},
                    Way{false, kWhenAwaited}, Way{false, kWhenAwaited, 6},
                    Way{false, kMeanwhile}, Way{false, kMeanwhile, 6},
                    Way{true, kAtOnce}, Way{true, kAtOnce, 6}));

INSTANTIATE_TEST_SUITE_P(
    Readers, UploadTest,
    testing::Values(Way{false, kWhenAwaited, 0, 0, LANE_FILE_READS_DIRECT, 1},
                    Way{false, kWhenAwaited, 6, 0, LANE_FILE_READS_CACHED, 3},
                    Way{false, kMeanwhile, 0, 0, LANE_FILE_READS_DIRECT, 4},
                    Way{false, kWhenAwaited, 0, 0, 0, 2, true},
                    Way{false, kWhenAwaited, 0, 0, 0, 3, false, true},
                    Way{true, kAtOnce, 0, LANE_HOST_MEMORY_WRITE_COMBINED,
                        LANE_FILE_READS_DIRECT, 4},
                    Way{true, kAtOnce, 0, LANE_HOST_MEMORY_CACHED,
                        LANE_FILE_READS_DIRECT, 1},
                    Way{true, kAtOnce, 6, LANE_HOST_MEMORY_CACHED,
                        LANE_FILE_READS_CACHED, 4},
                    Way{true, kAtOnce, 0, LANE_HOST_MEMORY_CACHED,
                        LANE_FILE_READS_DIRECT, 3}));

/// Pages of a file that are in the page cache.
int64_t countCachedPages(const std::string &path, int64_t bytes) {
  int file = ::open(path.c_str(), O_RDONLY);
  void *mapping = mmap(nullptr, size_t(bytes), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  std::vector<unsigned char> pages(size_t(bytes) / 4096 + 1);
  EXPECT_EQ(mincore(mapping, size_t(bytes), pages.data()), 0);
  munmap(mapping, size_t(bytes));
  return std::count_if(pages.begin(), pages.end(),
                       [](unsigned char page) { return page & 1; });
}

/// What is read on an integrated device does not stay in the page cache, which
/// is the device's memory; nor does a file that is read directly.
TEST_P(UploadTest, LeavesThePageCacheAlone) {
  const Way &way = GetParam();
  bool isDirect = way.fileReads == LANE_FILE_READS_DIRECT;
  if (!way.isIntegrated && !isDirect)
    return;
  write(kF16);
  constexpr long kTmpfs = 0x01021994;
  struct statfs fileSystem;
  ASSERT_EQ(statfs(path.c_str(), &fileSystem), 0);
  int file = ::open(path.c_str(), O_RDONLY | O_DIRECT);
  if (file < 0 || fileSystem.f_type == kTmpfs)
    GTEST_SKIP() << "the file system has no direct reads";
  EXPECT_EQ(fsync(file), 0);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  close(file);
  upload(kF16, 0);
  // The header is read through the cache, with some pages after it.
  int64_t fileBytes = start + int64_t(data.size());
  EXPECT_LT(countCachedPages(path, fileBytes), fileBytes / 4096 / 2);
}

} // namespace

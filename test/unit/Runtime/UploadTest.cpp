//===- UploadTest.cpp - Tests of the upload -------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors that pass many pinned buffers and many parts, and end in the middle
// of one, to either side.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "GGUFWriter.h"
#include "lane/Runtime/Runtime.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cuda_runtime_api.h>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

using namespace lane;
using namespace lane::test;

namespace {

constexpr int64_t kRows = 61013;
/// A row of q8_0 with one block, and one of f16 with as many bytes.
constexpr int64_t kRowBytes = 34;
constexpr int64_t kLevels = 32, kScale = 2;
/// What a pool has more than the tensor, and what the double fills it with.
constexpr int64_t kSlackBytes = 512;
constexpr char kUnwritten = '\xA5';

struct Tensor {
  NumberFormat format;
  int64_t columns;
};
constexpr Tensor kQ8 = {NumberFormat::Q8_0, 32};
constexpr Tensor kF16 = {NumberFormat::F16, 17};

class UploadTest : public testing::TestWithParam<
                       std::tuple<bool, FakeCudaConfig::Copies, int64_t>> {
protected:
  /// Writes a checkpoint of one tensor, whose bytes all differ from those near
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

  /// Uploads the tensor, and returns what its side then holds.
  std::vector<char> upload(const Tensor &tensor, int64_t scalesDestination) {
    auto [isOnHost, copies, shift] = GetParam();
    FakeCudaConfig config;
    config.copies = copies;
    resetFakeCuda(config);
    int64_t bytes = int64_t(data.size()) + kSlackBytes;
    void *pool = nullptr;
    EXPECT_EQ(isOnHost
                  ? cudaHostAlloc(&pool, size_t(bytes), cudaHostAllocMapped)
                  : cudaMalloc(&pool, size_t(bytes)),
              cudaSuccess);
    lane_program program = {};
    (isOnHost ? program.host_pool : program.pool) = pool;
    int8_t onHost = isOnHost;
    int64_t offset = 0;
    program.on_host = &onHost;
    program.upload_offsets = &offset;
    int64_t segment[] = {0,
                         start,
                         int64_t(data.size()),
                         int64_t(tensor.format),
                         tensor.columns,
                         kRowBytes,
                         0,
                         shift,
                         scalesDestination ? scalesDestination + shift : 0,
                         0};
    lane_options options = {};
    lane_error error = {};
    float none = 0;
    EXPECT_EQ(laneUpload(&program, &options, &error, path.c_str(), 1, segment,
                         1, "w", &none),
              LANE_OK)
        << error.message;
    auto *behind =
        static_cast<char *>(isOnHost ? pool : getBehindPointer(pool, bytes));
    char *end = behind + shift + data.size();
    std::vector<char> result(behind + shift, end);
    // What is around it is as it was allocated.
    EXPECT_EQ(std::count(behind, behind + shift, kUnwritten), shift);
    EXPECT_EQ(std::count(end, behind + bytes, kUnwritten), kSlackBytes - shift);
    EXPECT_EQ(isOnHost ? cudaFreeHost(pool) : cudaFree(pool), cudaSuccess);
    EXPECT_TRUE(getLiveAllocations().empty());
    EXPECT_EQ(getNumLiveObjects(), 0);
    EXPECT_TRUE(getFaults().empty());
    return result;
  }

  void TearDown() override { std::remove(path.c_str()); }

  const std::string path =
      testing::TempDir() + "upload-" + std::to_string(getpid()) + ".gguf";
  int64_t start = 0;
  std::vector<char> data;
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
    std::memcpy(expected.data() + kRows * kLevels + i * kScale, block, kScale);
    std::memcpy(expected.data() + i * kLevels, block + kScale, kLevels);
  }
  EXPECT_TRUE(upload(kQ8, kRows * kLevels) == expected);
}

/// Where vectors are aligned, and where they are not.
INSTANTIATE_TEST_SUITE_P(
    Sides, UploadTest,
    testing::Combine(testing::Bool(),
                     testing::Values(FakeCudaConfig::Copies::AtOnce,
                                     FakeCudaConfig::Copies::WhenAwaited,
                                     FakeCudaConfig::Copies::Meanwhile),
                     testing::Values(int64_t(0), int64_t(6))));

} // namespace

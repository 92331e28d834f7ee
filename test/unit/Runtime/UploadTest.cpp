//===- UploadTest.cpp - Tests of the upload -------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uploads tensors that need many pinned buffers and end in the middle of one,
// to the device and to the host.
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

class UploadTest : public testing::TestWithParam<
                       std::tuple<bool, FakeCudaConfig::Copies, int64_t>> {
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
    auto [isOnHost, copies, shift] = GetParam();
    FakeCudaConfig config;
    config.copies = copies;
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
    segment.destination_bytes = shift;
    segment.scales_destination_bytes = scalesBytes ? scalesBytes + shift : 0;
    lane_description description = {};
    description.fixed_bytes = 256;
    description.num_uploads = 1;
    description.num_files = 1;
    description.num_segments = 1;
    description.uploads = &upload;
    description.file_names = path.c_str();
    description.segments = &segment;
    description.tensor_names = "w";
    lane_options options = lane_default_options();
    options.device_bytes = isOnHost ? description.fixed_bytes : 1 << 30;

    lane_error error = {};
    lane_program *program = laneBegin(&description, &options, &error);
    laneTakeBudget(program);
    lanePlaceLastRead(program);
    laneAllocatePool(program);
    laneMapHostPool(program);
    laneUpload(program);
    EXPECT_EQ(laneFinish(program, &program), LANE_OK) << error.message;
    if (!program)
      return {};
    EXPECT_EQ(program->moved, isOnHost);
    void *pool = isOnHost ? program->mapped_pool : program->pool;
    auto *place = static_cast<char *>(getBehindPointer(
        static_cast<char *>(pool) + program->extents[0].pool_offset_bytes,
        upload.bytes));
    char *end = place + shift + dataBytes;
    std::vector<char> result(place + shift, end);
    // The upload must not change the bytes around its destination.
    EXPECT_EQ(std::count(place, place + shift, kUnwritten), shift);
    EXPECT_EQ(std::count(end, place + upload.bytes, kUnwritten),
              kSlackBytes - shift);
    laneClose(program);
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
    std::memcpy(expected.data() + kRows * kQuants + i * kScale, block, kScale);
    std::memcpy(expected.data() + i * kQuants, block + kScale, kQuants);
  }
  EXPECT_TRUE(upload(kQ8, kRows * kQuants) == expected);
}

/// With aligned and with unaligned destinations.
INSTANTIATE_TEST_SUITE_P(
    Spaces, UploadTest,
    testing::Combine(testing::Bool(),
                     testing::Values(FakeCudaConfig::Copies::AtOnce,
                                     FakeCudaConfig::Copies::WhenAwaited,
                                     FakeCudaConfig::Copies::Meanwhile),
                     testing::Values(int64_t(0), int64_t(6))));

} // namespace

//===- MemoryTest.cpp - Tests of the memory that a program takes ----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs as large as real ones, whose files have nothing to read, so that no
// page is touched.
//
//===----------------------------------------------------------------------===//

#include "OpenedProgram.h"
#include "lane/Support/PageTables.h"

using namespace lane::test;

namespace {

constexpr int64_t kMiB = int64_t(1) << 20;
constexpr int64_t kGiB = int64_t(1) << 30;
constexpr int64_t kSpareBytes = 32 * kMiB;

class MemoryTest : public testing::Test {
protected:
  /// A program of so many uploads of 1 GiB each.
  void describe(int64_t numUploads) {
    uploads.assign(static_cast<size_t>(numUploads), lane_upload{kGiB, 0});
    description.fixed_bytes = 256;
    description.spare_bytes = kSpareBytes;
    description.num_uploads = numUploads;
    description.uploads = uploads.data();
    options.host_bytes = 1024 * kGiB;
    options.reserve_bytes = LANE_RESERVE_NOTHING;
  }

  std::vector<lane_upload> uploads;
  lane_description description = {};
  lane_options options = lane_default_options();
  FakeCudaConfig config;
};

/// A card has exactly what the placement needs without page tables, which are
/// larger than the spare.
TEST_F(MemoryTest, LeavesRoomForPageTables) {
  describe(48);
  config.freeBytes = 8 * kGiB + 256 + kSpareBytes;
  config.totalBytes = 24 * kGiB;
  for (int32_t kind :
       {LANE_HOST_MEMORY_WRITE_COMBINED, LANE_HOST_MEMORY_CACHED}) {
    resetFakeCuda(config);
    options.host_memory = kind;
    OpenedProgram program(description, options);
    ASSERT_EQ(program.code, LANE_OK) << program.error.message;
    EXPECT_EQ(program->moved, 41);
    EXPECT_EQ(program->page_table_bytes, laneGetPageTableBytes(41 * kGiB));
    EXPECT_GT(program->page_table_bytes, kSpareBytes);
    EXPECT_LE(program->device_bytes + program->page_table_bytes,
              program->budget_bytes);
  }
}

/// The page tables of all uploads take more than the device has.
TEST_F(MemoryTest, RefusesWhatLeavesNoRoomForPageTables) {
  describe(48);
  config.freeBytes = 256 + kSpareBytes + 50 * kMiB;
  resetFakeCuda(config);
  OpenedProgram program(description, options);
  EXPECT_EQ(program.code, LANE_DOES_NOT_FIT);
  int64_t least = 256 + 48 * kGiB - laneGetFreedBytes(48 * kGiB);
  EXPECT_EQ(program.error.message,
            "the program needs " + std::to_string(least) +
                " bytes on the device at least, with page tables, but the "
                "budget is " +
                std::to_string(256 + 50 * kMiB) + " bytes");
  EXPECT_EQ(getPeakDeviceBytes(), 0);
}

/// Bytes that are given are for the program's own allocations.
TEST_F(MemoryTest, DoesNotCountPageTablesOfGivenBytes) {
  describe(48);
  config.freeBytes = 16 * kGiB;
  resetFakeCuda(config);
  options.device_bytes = 8 * kGiB + 256 + kSpareBytes;
  OpenedProgram program(description, options);
  ASSERT_EQ(program.code, LANE_OK) << program.error.message;
  EXPECT_EQ(program->moved, 40);
}

/// Kimi-K2 on a card of 24 GiB: the driver refuses to pin 512 GiB in one call.
TEST_F(MemoryTest, PinsLargePoolsInChunks) {
  describe(575);
  config.pinnedCallLimitBytes = 512 * kGiB - 1;
  config.freeBytes = config.totalBytes = 24 * kGiB;
  resetFakeCuda(config);
  OpenedProgram program(description, options);
  ASSERT_EQ(program.code, LANE_OK) << program.error.message;
  EXPECT_GT(program->host_bytes, 550 * kGiB);
  int64_t registeredBytes = 0;
  for (const FakeCudaAllocation &allocation : getLiveAllocations()) {
    if (allocation.function == "cudaMalloc")
      continue;
    EXPECT_EQ(allocation.function, "cudaHostRegister");
    EXPECT_LE(allocation.bytes, 64 * kGiB);
    registeredBytes += allocation.bytes;
  }
  EXPECT_EQ(registeredBytes, program->host_bytes);
  // One pointer reaches all of it.
  startFakeKernel(program->mapped_pool, program->host_bytes);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

/// The size of chunks is an option; a limit below it is an error.
TEST_F(MemoryTest, PinsChunksOfTheGivenSize) {
  describe(4);
  options.device_bytes = kSpareBytes + 256;
  options.host_memory = LANE_HOST_MEMORY_CACHED;
  config.pinnedCallLimitBytes = 100 * kMiB;
  for (bool isEnough : {false, true}) {
    resetFakeCuda(config);
    options.host_chunk_bytes = isEnough ? 100 * kMiB : 101 * kMiB;
    OpenedProgram program(description, options);
    if (isEnough) {
      EXPECT_EQ(program.code, LANE_OK) << program.error.message;
      continue;
    }
    EXPECT_EQ(program.code, LANE_NO_HOST_MEMORY);
    EXPECT_TRUE(std::string(program.error.message)
                    .find("cudaHostRegister of 106954752 bytes failed: out of "
                          "memory (2); the host has ") == 0)
        << program.error.message;
  }
}

/// With Windows' driver model, an allocation past the free memory succeeds in
/// host memory: the program never does that.
TEST_F(MemoryTest, KeepsToFreeMemoryWhereTheDriverSpills) {
  describe(8);
  config.freeBytes = 4 * kGiB + kSpareBytes + 256;
  config.totalBytes = 8 * kGiB;
  config.spills = true;
  resetFakeCuda(config);
  options.device_bytes = 16 * kGiB;
  std::string lines;
  options.user = &lines;
  options.log = [](void *user, const char *line) {
    *static_cast<std::string *>(user) += line;
  };
  OpenedProgram program(description, options);
  ASSERT_EQ(program.code, LANE_OK) << program.error.message;
  EXPECT_EQ(program->budget_bytes, 4 * kGiB + 256);
  EXPECT_EQ(program->moved, 5);
  EXPECT_EQ(getSpilledBytes(), 0);
  EXPECT_EQ(lines, "the driver may put device memory on the host: the program "
                   "takes the " +
                       std::to_string(config.freeBytes) +
                       " bytes that are free, not 17179869184");
}

/// On an integrated device the page cache is not free, but it can be had.
TEST_F(MemoryTest, CountsThePageCacheOfIntegratedDevices) {
  describe(1);
  uploads[0].bytes = 64 * kMiB;
  config.isIntegrated = true;
  config.freeBytes = config.totalBytes = 16 * kGiB;
  config.pageCacheBytes = 16 * kGiB;
  resetFakeCuda(config);
  OpenedProgram program(description, options);
  ASSERT_EQ(program.code, LANE_OK) << program.error.message;
  EXPECT_EQ(program->moved, 0);
  EXPECT_LE(program->budget_bytes, config.totalBytes - kSpareBytes);
}

} // namespace

//===- end-to-end.cpp - A generated program at every budget ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens a program at every budget that changes its placement. The bytes taken
// in each memory space are the plan's; each array holds the checkpoint's bytes;
// and the results of kernels do not depend on where the matrices live.
//
//===----------------------------------------------------------------------===//

#include "Opened.h"
#include "lane/Support/PageTables.h"
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

/// Bytes of the reference that a pointer must have, and its upload or -1.
struct Array {
  int32_t pointer;
  int64_t rank;
  int64_t offset;
  int64_t bytes;
};
#include "reference.h"

static std::vector<char> readAll(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

//===----------------------------------------------------------------------===//
// Kernels, on the host
//===----------------------------------------------------------------------===//

template <typename T>
static const T *read(const lane_program *program, int32_t pointer,
                     int64_t count) {
  void *behind = lane::test::getBehindPointer(program->pointers[pointer],
                                              count * int64_t(sizeof(T)));
  expect(behind, "pointer " + std::to_string(pointer) + " leads nowhere");
  return static_cast<const T *>(behind);
}

static float toFloat(uint16_t half) {
  int exponent = half >> 10 & 31;
  float mantissa = static_cast<float>(half & 1023) / 1024;
  float value = exponent ? std::ldexp(1 + mantissa, exponent - 15)
                         : std::ldexp(mantissa, -14);
  return half & 0x8000 ? -value : value;
}

/// Row `row` of a matrix in q8_0, of `columns` elements.
static std::vector<float> gather(const int8_t *quants, const uint16_t *scales,
                                 int64_t row, int64_t columns) {
  std::vector<float> values;
  for (int64_t i = 0; i < columns; ++i)
    values.push_back(quants[row * columns + i] *
                     toFloat(scales[(row * columns + i) / 32]));
  return values;
}

static std::vector<float> matmul(const int8_t *quants, const uint16_t *scales,
                                 int64_t firstRow, int64_t rows,
                                 const std::vector<float> &x) {
  std::vector<float> result;
  for (int64_t row = firstRow; row < firstRow + rows; ++row) {
    float sum = 0;
    std::vector<float> weights = gather(quants, scales, row, x.size());
    for (size_t i = 0; i < x.size(); ++i)
      sum += weights[i] * x[i];
    result.push_back(sum);
  }
  return result;
}

/// A step in small: a gathered row through a dense matrix, then through two of
/// four experts.
static std::vector<float> step(const lane_program *program) {
  constexpr int64_t kColumns = 64, kVocabulary = 96, kExperts = 4, kWidth = 256;
  auto q8 = [&](int32_t quants, int32_t scales, int64_t length) {
    return std::make_pair(read<int8_t>(program, quants, length),
                          read<uint16_t>(program, scales, length / 32));
  };
  auto embedding =
      q8(LANE_TINY_TOKEN_EMBD_WEIGHT, LANE_TINY_TOKEN_EMBD_WEIGHT_SCALES,
         kVocabulary * kColumns);
  auto dense =
      q8(LANE_TINY_BLK_0_ATTN_OUTPUT_WEIGHT,
         LANE_TINY_BLK_0_ATTN_OUTPUT_WEIGHT_SCALES, kColumns * kColumns);
  auto experts = q8(LANE_TINY_BLK_1_FFN_GATE_EXPS_WEIGHT,
                    LANE_TINY_BLK_1_FFN_GATE_EXPS_WEIGHT_SCALES,
                    kExperts * kWidth * kColumns);
  std::vector<float> x =
      gather(embedding.first, embedding.second, 17, kColumns);
  x = matmul(dense.first, dense.second, 0, kColumns, x);
  std::vector<float> result;
  for (int64_t expert : {3, 1})
    for (float value :
         matmul(experts.first, experts.second, expert * kWidth, kWidth, x))
      result.push_back(value);
  return result;
}

//===----------------------------------------------------------------------===//
// Expected placements and bytes
//===----------------------------------------------------------------------===//

static const int64_t kNumUploads = std::size(kUploadBytes);

/// The live allocations, in order.
static std::string describeLedger() {
  std::string text;
  for (const auto &allocation : lane::test::getLiveAllocations())
    text += allocation.function + "(" + std::to_string(allocation.bytes) + ") ";
  return text;
}

static std::string describeWanted(int64_t deviceBytes, int64_t hostBytes) {
  std::string text;
  if (kArenaBytes > 0)
    text += "cudaMalloc(" + std::to_string(kArenaBytes) + ") ";
  text += "cudaMalloc(" + std::to_string(deviceBytes - kArenaBytes) + ") ";
  if (hostBytes > 0)
    text += "cudaHostAlloc(" + std::to_string(hostBytes) + ") ";
  return text;
}

/// Each upload has one extent, which holds all of it; in each pool uploads
/// follow each other in the plan's order.
static void expectExtents(const lane_program *program) {
  expectEqual(program->num_extents, kNumUploads, "number of extents");
  int64_t hostEnd = 0, deviceEnd = kFixedBytes;
  for (int64_t rank = 0; rank < kNumUploads; ++rank) {
    const lane_extent &extent = program->extents[rank];
    bool isOnHost = rank < program->moved;
    int64_t &end = isOnHost ? hostEnd : deviceEnd;
    expectEqual(extent.upload, rank, "upload of an extent");
    expectEqual(extent.space.kind,
                isOnHost ? LANE_SPACE_HOST : LANE_SPACE_DEVICE, "space");
    expectEqual(extent.space.number, 0, "number of the space");
    expectEqual(extent.offset_bytes, 0, "offset of an extent");
    expectEqual(extent.bytes, kUploadBytes[rank], "bytes of an extent");
    expectEqual(extent.pool_offset_bytes, end, "offset in the pool");
    end += extent.bytes;
  }
  expectEqual(hostEnd, program->host_bytes, "bytes of the host's extents");
  expectEqual(deviceEnd, program->device_bytes - kArenaBytes,
              "bytes of the device's extents");
}

/// The specified rule: uploads leave in the plan's order until the rest fits.
/// Where the device is asked what is free, page tables must fit too.
static void expectPlacement(const lane_program *program, int64_t budget,
                            bool isGiven) {
  int64_t deviceBytes = kWholeBytes, hostBytes = 0, moved = 0;
  int64_t bytesToMove = std::max<int64_t>(kWholeBytes - budget, 0);
  if (!isGiven)
    bytesToMove = laneGetBytesToMove(bytesToMove);
  while (hostBytes < bytesToMove) {
    deviceBytes -= kUploadBytes[moved];
    hostBytes += kUploadBytes[moved++];
  }
  expectEqual(program->budget_bytes, budget, "budget");
  expectEqual(program->moved, moved, "moved");
  expectEqual(program->device_bytes, deviceBytes, "device bytes");
  expectEqual(program->host_bytes, hostBytes, "host bytes");
  expectEqual(program->page_table_bytes, laneGetPageTableBytes(hostBytes),
              "page tables");
  expectExtents(program);
  std::string ledger = describeLedger();
  std::string wanted = describeWanted(deviceBytes, hostBytes);
  expect(ledger == wanted, "ledger is " + ledger + "not " + wanted);
  expect(lane::test::getPeakDeviceBytes() >= deviceBytes, "peak");
}

static void expectBytes(const lane_program *program,
                        const std::vector<char> &reference) {
  for (const Array &array : kArrays) {
    const char *held = read<char>(program, array.pointer, array.bytes);
    expect(std::memcmp(held, reference.data() + array.offset,
                       size_t(array.bytes)) == 0,
           "bytes of pointer " + std::to_string(array.pointer) + " differ");
    // An upload on the host is read there, not copied.
    if (array.rank >= 0 &&
        program->extents[array.rank].space.kind == LANE_SPACE_HOST) {
      auto *start = static_cast<char *>(program->mapped_pool);
      auto *pointer = static_cast<char *>(program->pointers[array.pointer]);
      expect(pointer >= start &&
                 pointer + array.bytes <= start + program->host_bytes,
             "a moved matrix is not in the mapped pool");
    }
  }
  // The slack of blocks is zero, and so is the state.
  const char *slack =
      read<char>(program, LANE_TINY_BLK_0_ATTN_K_WEIGHT, 32 * 64 * 2 + 32) +
      32 * 64 * 2;
  for (int i = 0; i < 32; ++i)
    expect(slack[i] == 0, "slack is not zero");
  const char *state = read<char>(program, LANE_TINY_CACHE_K_0, 64 * 32 * 2);
  for (int i = 0; i < 64 * 32 * 2; ++i)
    expect(state[i] == 0, "state is not zero");
}

static void testBudget(int64_t budget, const std::vector<char> &reference,
                       const std::vector<float> &wanted,
                       FakeCudaConfig::Copies copies, bool isGiven) {
  FakeCudaConfig config;
  config.copies = copies;
  // Given to the program, or free on the device, which has not a byte more: the
  // spare covers the rounding to granules.
  config.freeBytes = isGiven ? int64_t(1) << 40 : budget + kSpareBytes;
  lane::test::resetFakeCuda(config);
  lane_options options = lane_default_options();
  options.device_bytes = isGiven ? budget + kSpareBytes : 0;
  options.reserve_bytes = LANE_RESERVE_NOTHING;
  Opened opened(&options);
  expect(opened.code == LANE_OK, opened.error.message);
  expectPlacement(opened.program, budget, isGiven);
  expectBytes(opened.program, reference);
  if (!wanted.empty())
    expect(step(opened.program) == wanted, "a step's results differ");
}

int main(int, char **argv) {
  std::vector<char> reference = readAll(argv[1]);
  expect(!reference.empty(), "no reference");

  lane::test::resetFakeCuda({});
  std::vector<float> wanted;
  {
    Opened opened(nullptr);
    expect(opened.code == LANE_OK, opened.error.message);
    expectEqual(opened.program->moved, 0, "moved");
    wanted = step(opened.program);
  }
  bool isNumber = false;
  for (float value : wanted)
    isNumber |= value != 0;
  expect(isNumber, "a step computes nothing");

  // Exactly enough for the rest after each upload, and a byte less.
  int64_t numBudgets = 0;
  int64_t budget = kWholeBytes;
  for (int64_t rank = 0; rank <= kNumUploads; ++rank) {
    for (int64_t less : {0, 1}) {
      if (rank == kNumUploads && less == 1)
        continue;
      for (auto copies :
           {FakeCudaConfig::Copies::AtOnce, FakeCudaConfig::Copies::WhenAwaited,
            FakeCudaConfig::Copies::Meanwhile})
        testBudget(budget - less, reference, wanted, copies, true);
      // At the least budget page tables have no room.
      if (laneGetBytesToMove(kWholeBytes - budget + less) <=
          kWholeBytes - kArenaBytes - kFixedBytes)
        testBudget(budget - less, reference, wanted,
                   FakeCudaConfig::Copies::WhenAwaited, false);
      ++numBudgets;
    }
    if (rank < kNumUploads)
      budget -= kUploadBytes[rank];
  }
  expectEqual(budget, kArenaBytes + kFixedBytes, "least budget");

  // One byte less than must be on the device: refused before any allocation.
  for (bool isGiven : {false, true}) {
    FakeCudaConfig config;
    config.freeBytes = budget - 1 + kSpareBytes;
    lane::test::resetFakeCuda(config);
    lane_options options = lane_default_options();
    options.device_bytes = isGiven ? config.freeBytes : 0;
    options.reserve_bytes = LANE_RESERVE_NOTHING;
    Opened opened(&options);
    opened.expectRefused(
        LANE_DOES_NOT_FIT,
        "needs " + std::to_string(budget) +
            " bytes on the device at least, but the budget is " +
            std::to_string(budget - 1) + " bytes");
    expectEqual(lane::test::getPeakDeviceBytes(), 0, "peak of the refused");
  }
  std::printf("%lld budgets, %lld uploads, %zu arrays: all as planned\n",
              static_cast<long long>(numBudgets),
              static_cast<long long>(kNumUploads), std::size(kArrays));
}

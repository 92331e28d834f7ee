//===- upload-bench.cpp - Speed of the upload -----------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uploads a file from the page cache to a fake device with asynchronous copies,
// and copies the same number of bytes with memcpy, in turns. Prints the ratio
// of the speeds.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "GGUFWriter.h"
#include "lane/Runtime/Runtime.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

using namespace lane;
using namespace lane::test;

static constexpr int kRounds = 9;
/// Enough rows that the fixed cost of an upload, such as its pinned memory, is
/// small.
static constexpr int64_t kRows = 131072;
static constexpr int64_t kColumns = 4096;

/// Writes a GGUF file with one tensor. Returns the offset of its data.
static int64_t writeCheckpoint(const char *path, NumberFormat format,
                               int64_t rowBytes) {
  gguf::GGUFWriter writer;
  writer.addTensor("w", {kColumns, kRows}, format);
  std::string header = writer.write();
  std::ofstream file(path, std::ios::binary);
  file << header;
  std::vector<char> row(static_cast<size_t>(rowBytes), 1);
  for (int64_t i = 0; i < kRows; ++i)
    file.write(row.data(), rowBytes);
  file.close();
  // Drop the written pages and read the file, so that the page cache holds it
  // as after a normal read.
  int descriptor = open(path, O_RDONLY);
  if (descriptor < 0 || fsync(descriptor) != 0)
    std::abort();
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  std::vector<char> part(1 << 20);
  while (read(descriptor, part.data(), part.size()) > 0)
    ;
  close(descriptor);
  return int64_t(header.size());
}

static double getSeconds(void (*function)(void *), void *data) {
  auto start = std::chrono::steady_clock::now();
  function(data);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

namespace {
struct Case {
  lane_program *program;
  std::vector<char> source;
  char *pool;
};
} // namespace

/// The step of `open` that is measured.
static void upload(void *data) {
  laneUpload(static_cast<Case *>(data)->program);
}

static void copy(void *data) {
  auto *run = static_cast<Case *>(data);
  std::memcpy(run->pool, run->source.data(), run->source.size());
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static void runCase(const char *name, NumberFormat format, int64_t rowBytes,
                    bool isSplit) {
  constexpr const char *kPath = "upload-bench.gguf";
  lane_segment segment = {};
  segment.tensor_offset = -1;
  segment.offset = writeCheckpoint(kPath, format, rowBytes);
  segment.bytes = rowBytes * kRows;
  segment.type = int64_t(format);
  segment.columns = kColumns;
  segment.row_bytes = rowBytes;
  segment.scales_destination_bytes = isSplit ? kRows * kColumns : 0;
  lane_upload row = {segment.bytes, 0};
  lane_description description = {};
  description.num_uploads = 1;
  description.num_files = 1;
  description.num_segments = 1;
  description.uploads = &row;
  description.file_names = kPath;
  description.segments = &segment;
  description.tensor_names = "w";

  FakeCudaConfig config;
  config.freeBytes = int64_t(8) << 30;
  config.copies = FakeCudaConfig::Copies::Meanwhile;
  resetFakeCuda(config);
  lane_error error = {};
  Case run = {laneBegin(&description, nullptr, &error), {}, nullptr};
  laneTakeBudget(run.program);
  lanePlaceLastRead(run.program);
  laneAllocatePool(run.program);
  run.pool =
      static_cast<char *>(getBehindPointer(run.program->pool, segment.bytes));
  // Touch all pages first, so that no measurement includes page faults.
  std::memset(run.pool, 0, size_t(segment.bytes));
  run.source.resize(size_t(segment.bytes), 2);
  std::vector<double> ratios, speeds;
  for (int round = 0; round < kRounds; ++round) {
    double copied = getSeconds(copy, &run);
    double uploaded = getSeconds(upload, &run);
    ratios.push_back(copied / uploaded);
    speeds.push_back(double(segment.bytes) / uploaded);
  }
  if (laneFinish(run.program, &run.program) != LANE_OK) {
    std::fprintf(stderr, "upload-bench: %s\n", error.message);
    std::exit(1);
  }
  laneClose(run.program);
  std::printf(
      "upload of %s: %.2f of memcpy's speed (%.1f GB/s; median of %d)\n", name,
      median(ratios), median(speeds) / 1e9, kRounds);
  std::remove(kPath);
}

int main() {
  runCase("plain blocks (f16)", NumberFormat::F16, kColumns * 2, false);
  runCase("split q8_0", NumberFormat::Q8_0, kColumns / 32 * 34, true);
}

//===- upload-bench.cpp - Speed of the upload -----------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uploads a file to a fake device with asynchronous copies, and to pinned host
// memory, with 1, 2 and 4 readers, and copies the same number of bytes with
// memcpy, in turns. The file is in the page cache; with --disk it is read from
// the disk too. At last pins memory as the driver does, and as the upload does.
// Prints ratios.
//
//   upload-bench [--disk] [--pin-mib=N]
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
#include <sys/mman.h>
#include <thread>
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

template <typename FunctionT>
static double getSeconds(FunctionT function) {
  auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

static void dropPages(const char *path) {
  int descriptor = open(path, O_RDONLY);
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  close(descriptor);
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

namespace {
constexpr const char *kPath = "upload-bench.gguf";

/// A program with one tensor, on the device or on the host.
class Program {
public:
  Program(const lane_segment &segment, bool isOnHost, int32_t numThreads)
      : row({segment.bytes, 0}) {
    description.num_uploads = 1;
    description.num_files = 1;
    description.num_segments = 1;
    description.uploads = &row;
    description.file_names = kPath;
    description.segments = &segment;
    description.tensor_names = "w";
    description.fixed_bytes = 256;
    FakeCudaConfig config;
    config.freeBytes = int64_t(8) << 30;
    config.copies = FakeCudaConfig::Copies::Meanwhile;
    resetFakeCuda(config);
    lane_options options = lane_default_options();
    options.num_threads = numThreads;
    options.host_memory = LANE_HOST_MEMORY_WRITE_COMBINED;
    if (isOnHost)
      options.device_bytes = description.fixed_bytes;
    program = laneBegin(&description, &options, &error);
    laneTakeBudget(program);
    lanePlaceLastRead(program);
    laneAllocatePool(program);
    laneMapHostPool(program);
    void *start = isOnHost ? program->mapped_pool : program->pool;
    pool = static_cast<char *>(getBehindPointer(start, segment.bytes));
    // Pages are touched, so that neither pays for them.
    std::memset(pool, 0, size_t(segment.bytes));
  }
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;
  ~Program() {
    if (laneFinish(program, &program) != LANE_OK) {
      std::fprintf(stderr, "upload-bench: %s\n", error.message);
      std::exit(1);
    }
    laneClose(program);
  }

  /// The step of `open` that is measured.
  double upload() {
    return getSeconds([&] { laneUpload(program); });
  }
  double copy(const std::vector<char> &source) {
    return getSeconds([&] { std::memcpy(pool, source.data(), source.size()); });
  }

private:
  lane_upload row;
  lane_description description = {};
  lane_error error = {};
  lane_program *program = nullptr;
  char *pool = nullptr;
};
} // namespace

static void runCase(const char *name, NumberFormat format, int64_t rowBytes,
                    bool isSplit, bool isFromDisk) {
  lane_segment segment = {};
  segment.tensor_offset = -1;
  segment.offset = writeCheckpoint(kPath, format, rowBytes);
  segment.bytes = rowBytes * kRows;
  segment.type = int64_t(format);
  segment.columns = kColumns;
  segment.row_bytes = rowBytes;
  segment.scales_destination_bytes = isSplit ? kRows * kColumns : 0;
  std::vector<char> source(size_t(segment.bytes), 2);
  for (bool isOnHost : {false, true}) {
    double oneReader = 0;
    for (int32_t numThreads : {1, 2, 4}) {
      Program program(segment, isOnHost, numThreads);
      std::vector<double> ratios, seconds;
      for (int round = 0; round < kRounds; ++round) {
        double copied = program.copy(source);
        if (isFromDisk)
          dropPages(kPath);
        seconds.push_back(program.upload());
        ratios.push_back(copied / seconds.back());
      }
      double time = median(seconds);
      if (numThreads == 1)
        oneReader = time;
      std::printf("%s of %s to the %s, %d reader%s: %.2f of memcpy's speed, "
                  "%.2f of one reader's (%.1f GB/s; median of %d)\n",
                  isFromDisk ? "from disk: upload" : "upload", name,
                  isOnHost ? "host" : "device", numThreads,
                  numThreads == 1 ? "" : "s", median(ratios), oneReader / time,
                  double(segment.bytes) / time / 1e9, kRounds);
      std::fflush(stdout);
    }
  }
  std::remove(kPath);
}

/// Touches memory in so many threads.
static double touch(int64_t bytes, int numThreads, int advice) {
  void *address = mmap(nullptr, size_t(bytes), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED)
    std::abort();
  madvise(address, size_t(bytes), advice);
  double seconds = getSeconds([&] {
    std::vector<std::thread> threads;
    for (int i = 0; i < numThreads; ++i)
      threads.emplace_back([=] {
        std::memset(static_cast<char *>(address) + bytes / numThreads * i, 1,
                    size_t(bytes / numThreads));
      });
    for (std::thread &thread : threads)
      thread.join();
  });
  munmap(address, size_t(bytes));
  return seconds;
}

/// The part of pinning that the host does. The driver zeros pages of 4 KiB in
/// one thread. Here the threads that read the file touch huge pages. A card
/// adds its page tables to both: benchmarks/card measures all of it.
static void runPinning(int64_t bytes) {
  int numThreads =
      int(std::min(std::max(1u, std::thread::hardware_concurrency()), 8u));
  // The first use of memory by a virtual machine is slower.
  touch(bytes, numThreads, MADV_HUGEPAGE);
  double byDriver = touch(bytes, 1, MADV_NOHUGEPAGE);
  double inThreads = touch(bytes, numThreads, MADV_HUGEPAGE);
  std::printf("pages of %.1f GiB: %.2f of the time in %d threads with huge "
              "pages (%.2f s, not %.2f s)\n",
              double(bytes) / double(int64_t(1) << 30), inThreads / byDriver,
              numThreads, inThreads, byDriver);
}

int main(int argc, char **argv) {
  bool isFromDisk = false;
  int64_t pinBytes = int64_t(8) << 30;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--disk"))
      isFromDisk = true;
    else if (!std::strncmp(argv[i], "--pin-mib=", 10))
      pinBytes = std::atoll(argv[i] + 10) << 20;
  }
  for (bool fromDisk : {false, true}) {
    if (fromDisk && !isFromDisk)
      continue;
    runCase("plain blocks (f16)", NumberFormat::F16, kColumns * 2, false,
            fromDisk);
    runCase("split q8_0", NumberFormat::Q8_0, kColumns / 32 * 34, true,
            fromDisk);
  }
  runPinning(pinBytes);
}

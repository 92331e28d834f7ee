//===- card.cpp - What a card does with the memory that Lane uses ---------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures a card: reads of device memory and of mapped host memory of each
// kind, copies to the device, pinning by the driver and by registering touched
// pages, and the device memory that page tables take. Prints each value, and a
// device specification for lane-plan and for modules. It takes less than two
// minutes.
//
//   card [--name=NAME] [--mib=N] [--pin-mib=N]
//
// Built with ReadKernel.cu by nvcc, or with ReadOnHost.cpp for the fake CUDA
// runtime of the tests, which measures the host.
//
//===----------------------------------------------------------------------===//

#include "ReadKernel.h"
#include "lane/Support/PageTables.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <vector>

static constexpr int64_t kMiB = int64_t(1) << 20;
static constexpr int kRounds = 5;

static void check(const char *function, cudaError_t status) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "card: %s failed: %s (%d)\n", function,
               cudaGetErrorString(status), int(status));
  std::exit(1);
}

/// Seconds that `function` and the device's work take.
template <typename FunctionT>
static double measure(FunctionT function) {
  auto start = std::chrono::steady_clock::now();
  function();
  check("cudaDeviceSynchronize", cudaDeviceSynchronize());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Bytes a second of the best round: other work only makes it slower.
template <typename FunctionT>
static double measureBest(int64_t bytes, FunctionT function) {
  double least = measure(function);
  for (int round = 1; round < kRounds; ++round)
    least = std::min(least, measure(function));
  return double(bytes) / least;
}

static void print(const char *what, double bytesPerSecond) {
  std::printf("%-44s %9.2f GB/s\n", what, bytesPerSecond / 1e9);
  std::fflush(stdout);
}

static int64_t getFreeBytes(int64_t *total = nullptr) {
  size_t freeBytes = 0, totalBytes = 0;
  check("cudaMemGetInfo", cudaMemGetInfo(&freeBytes, &totalBytes));
  if (total)
    *total = int64_t(totalBytes);
  return int64_t(freeBytes);
}

static double measureReads(const char *what, const void *data, int64_t bytes,
                           uint32_t *sum) {
  double speed = measureBest(
      bytes, [&] { check("the kernel", startRead(data, bytes, sum)); });
  print(what, speed);
  return speed;
}

/// Touches pages in all threads. MAP_FAILED is not handled: it faults.
static void touch(char *start, int64_t bytes) {
  int64_t numThreads =
      std::min<int64_t>(std::max(1u, std::thread::hardware_concurrency()), 8);
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < numThreads; ++i)
    threads.emplace_back([=] {
      int64_t first = bytes / numThreads * i;
      int64_t end = i + 1 == numThreads ? bytes : bytes / numThreads * (i + 1);
      std::memset(start + first, 1, size_t(end - first));
    });
  for (std::thread &thread : threads)
    thread.join();
}

namespace {
/// Pages of the process, registered with the driver in chunks.
class Registered {
public:
  explicit Registered(int64_t bytes) : bytes(bytes) {
    void *address = mmap(nullptr, size_t(bytes), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) {
      std::perror("card: mmap");
      std::exit(1);
    }
    start = static_cast<char *>(address);
    madvise(start, size_t(bytes), MADV_HUGEPAGE);
    touch(start, bytes);
    for (int64_t offset = 0; offset < bytes; offset += kChunkBytes)
      check("cudaHostRegister",
            cudaHostRegister(start + offset,
                             size_t(std::min(kChunkBytes, bytes - offset)),
                             cudaHostRegisterMapped));
  }
  Registered(const Registered &) = delete;
  Registered &operator=(const Registered &) = delete;
  ~Registered() {
    for (int64_t offset = 0; offset < bytes; offset += kChunkBytes)
      check("cudaHostUnregister", cudaHostUnregister(start + offset));
    munmap(start, size_t(bytes));
  }
  char *get() const { return start; }

private:
  static constexpr int64_t kChunkBytes = int64_t(4) << 30;

  int64_t bytes;
  char *start;
};
} // namespace

static void *allocateHost(int64_t bytes, unsigned flags) {
  void *host = nullptr;
  check("cudaHostAlloc",
        cudaHostAlloc(&host, size_t(bytes), cudaHostAllocMapped | flags));
  return host;
}

/// Reads of host memory of one kind that the driver allocated.
static double measureMapped(const char *what, unsigned flags, int64_t bytes,
                            uint32_t *sum) {
  void *host = allocateHost(bytes, flags), *mapped = nullptr;
  std::memset(host, 1, size_t(bytes));
  check("cudaHostGetDevicePointer", cudaHostGetDevicePointer(&mapped, host, 0));
  double speed = measureReads(what, mapped, bytes, sum);
  check("cudaFreeHost", cudaFreeHost(host));
  return speed;
}

static double measureRegistered(int64_t bytes, uint32_t *sum) {
  Registered memory(bytes);
  void *mapped = nullptr;
  check("cudaHostGetDevicePointer",
        cudaHostGetDevicePointer(&mapped, memory.get(), 0));
  return measureReads("mapped reads, registered", mapped, bytes, sum);
}

static void measureCopies(void *device, int64_t bytes) {
  void *host = allocateHost(bytes, cudaHostAllocDefault);
  std::memset(host, 1, size_t(bytes));
  print("copies from pinned memory", measureBest(bytes, [&] {
          check("cudaMemcpy", cudaMemcpy(device, host, size_t(bytes),
                                         cudaMemcpyHostToDevice));
        }));
  check("cudaFreeHost", cudaFreeHost(host));
}

/// Pinning by the driver, and by registering pages that threads touched.
static void measurePinning(int64_t bytes) {
  int64_t freeBytes = getFreeBytes();
  void *host = nullptr;
  double byDriver =
      measure([&] { host = allocateHost(bytes, cudaHostAllocWriteCombined); });
  int64_t tableBytes = freeBytes - getFreeBytes();
  check("cudaFreeHost", cudaFreeHost(host));
  std::unique_ptr<Registered> memory;
  double registered =
      measure([&] { memory = std::make_unique<Registered>(bytes); });
  print("pinning, cudaHostAlloc", double(bytes) / byDriver);
  print("pinning, touched in threads and registered",
        double(bytes) / registered);
  std::printf("registering takes %.2f of the time of cudaHostAlloc\n",
              registered / byDriver);
  std::printf("page tables of %lld bytes: %lld bytes, planned %lld\n",
              (long long)bytes, (long long)tableBytes,
              (long long)laneGetPageTableBytes(bytes));
}

static int64_t parse(const char *option, const char *text) {
  char *end = nullptr;
  int64_t value = std::strtoll(text, &end, 10);
  if (*text && !*end && value > 0 && value <= int64_t(1) << 20)
    return value * kMiB;
  std::fprintf(stderr, "card: %s must be a number of MiB, not '%s'\n", option,
               text);
  std::exit(1);
}

int main(int argc, char **argv) {
  std::string name = "my-card";
  int64_t bytes = 1024 * kMiB, pinBytes = 8192 * kMiB;
  for (int i = 1; i < argc; ++i) {
    auto getValue = [&](const char *option) -> const char * {
      size_t length = std::strlen(option);
      return std::strncmp(argv[i], option, length) ? nullptr : argv[i] + length;
    };
    if (const char *value = getValue("--name=")) {
      name = value;
    } else if (const char *value = getValue("--mib=")) {
      bytes = parse("--mib", value);
    } else if (const char *value = getValue("--pin-mib=")) {
      pinBytes = parse("--pin-mib", value);
    } else {
      std::fprintf(stderr,
                   "usage: card [--name=NAME] [--mib=N] [--pin-mib=N]\n");
      return 1;
    }
  }

  check("cudaFree", cudaFree(nullptr));
  int64_t totalBytes = 0;
  int64_t freeBytes = getFreeBytes(&totalBytes);
  std::printf("device memory: %lld bytes, free with a context %lld\n",
              (long long)totalBytes, (long long)freeBytes);
  void *device = nullptr, *sum = nullptr;
  check("cudaMalloc", cudaMalloc(&device, size_t(bytes)));
  check("cudaMalloc", cudaMalloc(&sum, sizeof(uint32_t)));
  check("cudaMemset", cudaMemset(device, 1, size_t(bytes)));
  check("cudaMemset", cudaMemset(sum, 0, sizeof(uint32_t)));
  auto *result = static_cast<uint32_t *>(sum);

  double memorySpeed = measureReads("device reads", device, bytes, result);
  double linkSpeed =
      std::max({measureMapped("mapped reads, write-combined",
                              cudaHostAllocWriteCombined, bytes, result),
                measureMapped("mapped reads, cached", cudaHostAllocDefault,
                              bytes, result),
                measureRegistered(bytes, result)});
  measureCopies(device, bytes);
  measurePinning(pinBytes);

  // Every kernel read all of its words: their sum is known.
  uint32_t found = 0;
  check("cudaMemcpy",
        cudaMemcpy(&found, sum, sizeof(found), cudaMemcpyDeviceToHost));
  auto wanted =
      uint32_t(uint64_t(bytes) / sizeof(uint32_t) * 0x01010101 * kRounds * 4);
  if (found != wanted) {
    std::fprintf(stderr, "card: the kernels read other bytes: sum %u, not %u\n",
                 found, wanted);
    return 1;
  }
  check("cudaFree", cudaFree(sum));
  check("cudaFree", cudaFree(device));

  std::printf("\n\"%s\" = #dlti.target_device_spec<\n"
              "  \"lane.memory_bytes\" = %lld : i64,\n"
              "  \"lane.reserve_bytes\" = %lld : i64,\n"
              "  \"lane.memory_bytes_per_second\" = %lld : i64,\n"
              "  \"lane.link_bytes_per_second\" = %lld : i64>\n",
              name.c_str(), (long long)totalBytes,
              (long long)(totalBytes - freeBytes), (long long)memorySpeed,
              (long long)linkSpeed);
  return 0;
}

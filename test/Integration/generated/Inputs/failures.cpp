//===- failures.cpp - A generated program where something goes wrong ------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every call of the CUDA runtime fails, one after the other; devices are odd;
// memory is gone when it is asked for; files are not what they were. It ends
// with an error of one line each time and leaves nothing behind, or goes on as
// it should.
//
//===----------------------------------------------------------------------===//

#include "Opened.h"
#include <cuda_runtime_api.h>
#include <fstream>
#include <iterator>
#include <set>

/// Not of these tests: the arrays of the reference.
struct Array {
  int32_t pointer;
  int64_t rank;
  int64_t offset;
  int64_t bytes;
};
#include "reference.h"

static const int64_t kPinnedBytes = kArenaBytes + kFixedBytes;

static lane_options withBudget(int64_t budget) {
  lane_options options = {};
  options.device_bytes = budget + kSpareBytes;
  return options;
}

//===----------------------------------------------------------------------===//
// Calls that fail
//===----------------------------------------------------------------------===//

/// Opens with each call of a run failing, at three budgets.
static void testEveryCall() {
  size_t numFailures = 0;
  std::set<std::string> functions;
  for (int64_t budget :
       {kWholeBytes, (kWholeBytes + kPinnedBytes) / 2, kPinnedBytes})
    for (bool isGiven : {true, false})
      for (int64_t call = 0;; ++call) {
        FakeCudaConfig config;
        config.freeBytes = budget + kSpareBytes;
        config.copies = FakeCudaConfig::Copies::WhenAwaited;
        config.failCall = call;
        lane::test::resetFakeCuda(config);
        lane_options options = withBudget(budget);
        if (!isGiven)
          options.device_bytes = 0;
        bool hasFailed = false;
        {
          Opened opened(&options);
          hasFailed = lane::test::hasFailed();
          if (!hasFailed) {
            expect(opened.code == LANE_OK, opened.error.message);
            break;
          }
          std::string last = "no call";
          for (const std::string &made : lane::test::getCalls())
            last = made;
          expect(opened.code != LANE_OK,
                 "call " + std::to_string(call) + " failed and nobody said so");
          expect(opened.code == LANE_CUDA_FAILED, opened.error.message);
          expect(cudaPeekAtLastError() == cudaSuccess,
                 "an error is left for whoever comes next");
          functions.insert(
              std::string(opened.error.message)
                  .substr(
                      0, std::string(opened.error.message).find_first_of(" ")));
        }
        ++numFailures;
      }
  std::printf("%zu failures of %zu functions: all told\n", numFailures,
              functions.size());
  expect(functions.size() >= 12, "too few functions fail");
}

/// What frees fails as a program is closed: all is freed nonetheless.
static void testClose() {
  for (const char *function : {"cudaFree", "cudaFreeHost"})
    for (int64_t call = 1; call < 3; ++call) {
      FakeCudaConfig config;
      config.failFunction = function;
      config.failCall = call;
      lane::test::resetFakeCuda(config);
      lane_options options = withBudget(kPinnedBytes);
      Opened opened(&options);
    }
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// The device has less when it is asked for it than it said: more is moved, to
/// the least that there can be; then the program is refused.
static void testRace() {
  FakeCudaConfig config;
  config.freeBytes = kWholeBytes + kSpareBytes;
  config.granuleBytes = 256;
  int64_t lastMoved = -1;
  bool isRefused = false;
  for (int64_t taken = kSpareBytes; !isRefused; taken += 20000) {
    config.takenAfterQueryBytes = taken;
    lane::test::resetFakeCuda(config);
    lane_options options = {};
    std::string lines;
    options.user = &lines;
    options.log = [](void *user, const char *line) {
      *static_cast<std::string *>(user) += std::string(line) + "\n";
    };
    Opened opened(&options);
    isRefused = opened.code != LANE_OK;
    if (isRefused) {
      opened.expectRefused(taken > config.freeBytes - kArenaBytes
                               ? LANE_CUDA_FAILED
                               : LANE_DOES_NOT_FIT,
                           "bytes");
      continue;
    }
    expect(opened.program->device_bytes <= config.freeBytes - taken,
           "more was taken than there is");
    expect(opened.program->moved >= lastMoved, "less was moved");
    // Not one more than had to be.
    if (opened.program->moved > 0)
      expect(opened.program->device_bytes +
                     kUploadBytes[opened.program->moved - 1] >
                 config.freeBytes - taken,
             "more was moved than had to be");
    expectEqual(lines.empty(), opened.program->moved == 0, "a line of the log");
    expect(cudaPeekAtLastError() == cudaSuccess, "an error is left");
    lastMoved = opened.program->moved;
  }
  expect(lastMoved > 10, "the race moved little");
}

static void testFragments() {
  FakeCudaConfig config;
  config.largestBytes = kFixedBytes + 100000;
  lane::test::resetFakeCuda(config);
  Opened opened(nullptr);
  expect(opened.code == LANE_OK, opened.error.message);
  expect(opened.program->device_bytes - kArenaBytes <= config.largestBytes,
         "pool is larger than any fragment");
}

/// Pinned memory that the host does not give: an error with both figures, and
/// no other way taken in silence.
static void testPinnedLimit() {
  FakeCudaConfig config;
  config.pinnedLimitBytes = 100000;
  lane::test::resetFakeCuda(config);
  lane_options options = withBudget(kPinnedBytes);
  Opened opened(&options);
  int64_t wanted = kWholeBytes - kPinnedBytes;
  opened.expectRefused(LANE_NO_HOST_MEMORY,
                       "cudaHostAlloc of " + std::to_string(wanted) +
                           " bytes failed: out of memory (2); the host has ");
}

/// What lives on the device has no copy on the host afterwards, and what lives
/// on the host had none but the buffers through which it came.
static void testPeaks() {
  constexpr int64_t kStagingBytes = 12 << 20;
  for (int64_t budget : {kWholeBytes, kPinnedBytes}) {
    lane::test::resetFakeCuda({});
    lane_options options = withBudget(budget);
    Opened opened(&options);
    expect(lane::test::getPeakPinnedBytes() <=
               opened.program->host_bytes + kStagingBytes,
           "more is pinned than what is moved and the buffers");
    // Exactly enough moves nothing, and then no mapped memory is asked for.
    for (const auto &allocation : lane::test::getLiveAllocations())
      expect(budget != kWholeBytes || allocation.function != "cudaHostAlloc",
             "host memory is kept though nothing moved");
  }
}

static void testIntegrated() {
  FakeCudaConfig config;
  config.isIntegrated = true;
  lane::test::resetFakeCuda(config);
  std::string lines;
  lane_options options = withBudget(kWholeBytes);
  options.user = &lines;
  options.log = [](void *user, const char *line) {
    *static_cast<std::string *>(user) += line;
  };
  {
    Opened opened(&options);
    expect(opened.code == LANE_OK, opened.error.message);
    expectEqual(opened.program->moved, 0, "moved");
    expect(lines.find("shares the host's memory") != std::string::npos, lines);
  }
  options = withBudget(kWholeBytes - 1);
  Opened opened(&options);
  opened.expectRefused(LANE_DOES_NOT_FIT, "needs " +
                                              std::to_string(kWholeBytes) +
                                              " bytes, but the budget is " +
                                              std::to_string(kWholeBytes - 1));
}

static void testNoMapping() {
  FakeCudaConfig config;
  config.canMapHost = false;
  lane::test::resetFakeCuda(config);
  lane_options options = withBudget(kWholeBytes);
  {
    Opened opened(&options);
    expect(opened.code == LANE_OK, opened.error.message);
  }
  lane::test::resetFakeCuda(config);
  options = withBudget(kWholeBytes - 1);
  Opened opened(&options);
  opened.expectRefused(LANE_CANNOT_MAP, "the device cannot map host memory");
  expectEqual(lane::test::getPeakDeviceBytes(), 0, "peak");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::string readAll(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Opens with the second file of that content.
static void expectBadFile(const std::string &content, const std::string &part) {
  const char *path = "bad.gguf";
  std::ofstream(path, std::ios::binary) << content;
  const char *files[] = {"tiny-00001-of-00002.gguf", path};
  for (int64_t budget : {kWholeBytes, kPinnedBytes}) {
    lane::test::resetFakeCuda({});
    lane_options options = withBudget(budget);
    options.files = files;
    options.num_files = 2;
    Opened opened(&options);
    opened.expectRefused(LANE_BAD_CHECKPOINT, "bad.gguf: " + part);
  }
}

static void testFiles() {
  std::string good = readAll("tiny-00002-of-00002.gguf");
  expect(good.size() > 100000, "the checkpoint is not there");
  expectBadFile("", "is not a GGUF file");
  expectBadFile("GGML" + good.substr(4), "is not a GGUF file");
  expectBadFile(good.substr(0, 4) + '\4' + good.substr(5),
                "GGUF version 4 is not supported");
  expectBadFile(good.substr(0, 300), "the header is cut short or malformed");
  // The data of the last expert matrix is cut, by one byte and by much.
  expectBadFile(
      good.substr(0, 136864 + 53759),
      "tensor 'blk.1.ffn_down_exps.weight' at offset 136864: the file "
      "is cut short: 53760 bytes needed");
  expectBadFile(good.substr(0, 2000),
                "tensor 'blk.1.attn_q.weight' at offset 1696: the file is cut "
                "short");
  // The other shard: another tensor is where one was.
  expectBadFile(readAll("tiny-00001-of-00002.gguf"),
                "tensor 'blk.1.attn_norm.weight' at offset 1440: expected rows "
                "of 64 elements of ggml type 0, found 'token_embd.weight' of "
                "rows of 64 of type 8");
  // A tensor has another format, of the same bytes: f16 in place of bf16.
  std::string changed = good;
  size_t name = changed.find("blk.1.attn_k.weight");
  size_t type = name + 19 + 4 + 2 * 8;
  expect(name != std::string::npos && changed[type] == 1, "no type found");
  changed[type] = 30;
  expectBadFile(changed,
                "tensor 'blk.1.attn_k.weight' at offset 6048: expected "
                "rows of 64 elements of ggml type 1, found "
                "'blk.1.attn_k.weight' of rows of 64 of type 30");
  // Fewer rows than there were.
  changed = good;
  changed[type - 8] = 31;
  expectBadFile(changed,
                "tensor 'blk.1.attn_k.weight' at offset 6048: expected "
                "32 rows, found 'blk.1.attn_k.weight' of 31 rows");
  // Counts that are believed would take forever, or all memory.
  for (size_t at : {8u, 16u})
    for (char high : {'\x7f', '\xff'}) {
      changed = good;
      changed.replace(at, 8, std::string(7, '\xff') + high);
      expectBadFile(changed, "the header is cut short or malformed");
    }

  lane::test::resetFakeCuda({});
  const char *missing[] = {"tiny-00001-of-00002.gguf", "nowhere.gguf"};
  lane_options options = withBudget(kWholeBytes);
  options.files = missing;
  options.num_files = 2;
  {
    Opened opened(&options);
    opened.expectRefused(
        LANE_BAD_CHECKPOINT,
        "nowhere.gguf: cannot be opened: No such file or directory");
  }
  const char *unnamed[] = {"tiny-00001-of-00002.gguf", ""};
  options.files = unnamed;
  {
    Opened opened(&options);
    opened.expectRefused(LANE_BAD_OPTION,
                         "checkpoint file 1 of 2 has no name: give files");
  }
  options.num_files = 1;
  Opened opened(&options);
  opened.expectRefused(LANE_BAD_OPTION,
                       "1 checkpoint files are given, but the program has 2");
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static void testOptions() {
  lane::test::resetFakeCuda({});
  lane_options options = {};
  options.device_bytes = -1;
  {
    Opened opened(&options);
    opened.expectRefused(LANE_BAD_OPTION, "device_bytes is -1");
  }

  // To place alone allocates nothing.
  options = withBudget(kPinnedBytes);
  options.place_only = 1;
  {
    Opened opened(&options);
    expect(opened.code == LANE_OK, opened.error.message);
    expectEqual(opened.program->host_bytes, kWholeBytes - kPinnedBytes, "host");
    expectEqual(lane::test::getPeakDeviceBytes(), 0, "peak");
    expect(opened.program->pointers[0] == nullptr, "a pointer is set");
  }

  // Progress ends where it should, and never goes back.
  struct Progress {
    int64_t done = 0, total = 0, calls = 0;
  } progress;
  options = withBudget(kWholeBytes);
  options.user = &progress;
  options.progress = [](void *user, int64_t done, int64_t total) {
    auto *progress = static_cast<Progress *>(user);
    expect(done > progress->done && done <= total, "progress goes astray");
    *progress = {done, total, progress->calls + 1};
  };
  {
    Opened opened(&options);
    expectEqual(progress.done, progress.total, "progress");
    expect(progress.calls > 20, "little progress");
  }

  // An error that nobody wants to hear of.
  lane_program *program = nullptr;
  options.device_bytes = 1;
  expectEqual(lane_tiny_open(&options, &program, nullptr), LANE_DOES_NOT_FIT,
              "code");
  lane_tiny_close(nullptr);

  // Two at once, which know nothing of each other.
  Opened first(nullptr);
  {
    lane_program *second = nullptr;
    lane_error error = {};
    expect(lane_tiny_open(nullptr, &second, &error) == LANE_OK, error.message);
    expect(second->pool != first.program->pool, "one pool for two");
    lane_tiny_close(second);
  }
  expectEqual(lane::test::getLiveAllocations().size(), 2, "allocations");
}

int main() {
  testEveryCall();
  testClose();
  testRace();
  testFragments();
  testPinnedLimit();
  testPeaks();
  testIntegrated();
  testNoMapping();
  testFiles();
  testOptions();
  std::puts("all failures are met");
}

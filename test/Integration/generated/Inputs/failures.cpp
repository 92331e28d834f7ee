//===- failures.cpp - A generated program where something goes wrong ------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every call of the CUDA runtime fails in turn; devices are unusual; free
// memory shrinks; files differ from those compiled. Each time `open` ends with
// an error of one line and leaves nothing allocated, or goes on as it should.
//
//===----------------------------------------------------------------------===//

#include "Opened.h"
#include <cuda_runtime_api.h>
#include <fstream>
#include <iterator>
#include <set>
#include <sys/stat.h>

/// The reference has arrays, which these tests do not use.
struct Array {
  int32_t pointer;
  int64_t rank;
  int64_t offset;
  int64_t bytes;
};
#include "reference.h"

static const int64_t kResidentBytes = kArenaBytes + kFixedBytes;

static lane_options withBudget(int64_t budget) {
  lane_options options = lane_default_options();
  options.device_bytes = budget + kSpareBytes;
  return options;
}

//===----------------------------------------------------------------------===//
// Calls that fail
//===----------------------------------------------------------------------===//

/// Opens with one call of a run failing. Returns the function that failed, or
/// an empty text where the run has no such call.
static std::string testCall(int64_t budget, const lane_options &options,
                            int64_t call) {
  FakeCudaConfig config;
  config.freeBytes = budget + kSpareBytes;
  config.copies = FakeCudaConfig::Copies::WhenAwaited;
  config.failCall = call;
  lane::test::resetFakeCuda(config);
  Opened opened(&options);
  if (!lane::test::hasFailed()) {
    expect(opened.code == LANE_OK, opened.error.message);
    return "";
  }
  expect(opened.code != LANE_OK,
         "call " + std::to_string(call) + " failed without an error");
  std::string message = opened.error.message;
  std::string function = message.substr(0, message.find(' '));
  bool isPinning =
      function == "cudaHostAlloc" || function == "cudaHostRegister";
  expectEqual(opened.code, isPinning ? LANE_NO_HOST_MEMORY : LANE_CUDA_FAILED,
              message);
  expect(cudaPeekAtLastError() == cudaSuccess,
         "an error is left for later calls");
  return function;
}

/// Opens with each call of a run failing: at three budgets, with both kinds of
/// host memory, in one thread and in several.
static void testEveryCall() {
  struct Case {
    bool isGiven;
    int32_t hostMemory, numThreads;
  };
  size_t numFailures = 0;
  std::set<std::string> functions;
  for (int64_t budget : {kWholeBytes, (kWholeBytes + kResidentBytes) / 2,
                         kResidentBytes + 50000})
    for (const Case &c : {Case{true, LANE_HOST_MEMORY_AUTO, 1},
                          Case{false, LANE_HOST_MEMORY_AUTO, 1},
                          Case{false, LANE_HOST_MEMORY_CACHED, 1},
                          Case{true, LANE_HOST_MEMORY_CACHED, 3}}) {
      lane_options options = withBudget(budget);
      options.reserve_bytes = LANE_RESERVE_NOTHING;
      options.host_memory = c.hostMemory;
      options.num_threads = c.numThreads;
      if (!c.isGiven)
        options.device_bytes = 0;
      for (int64_t call = 0;; ++call) {
        std::string function = testCall(budget, options, call);
        if (function.empty())
          break;
        functions.insert(function);
        ++numFailures;
      }
    }
  std::printf("%zu failures of %zu functions: all reported\n", numFailures,
              functions.size());
  expect(functions.size() >= 15, "too few functions fail");
}

/// Calls that free fail when a program is closed: everything is still freed.
static void testClose() {
  for (const char *function :
       {"cudaFree", "cudaFreeHost", "cudaHostUnregister"})
    for (int64_t call = 0; call < 3; ++call) {
      FakeCudaConfig config;
      config.failFunction = function;
      config.failCall = call;
      lane::test::resetFakeCuda(config);
      lane_options options = withBudget(kResidentBytes);
      if (std::string(function) == "cudaHostUnregister")
        options.host_memory = LANE_HOST_MEMORY_CACHED;
      Opened opened(&options);
    }
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// The device has less memory than it reported: more is moved, until the
/// program is refused.
static void testRace() {
  FakeCudaConfig config;
  config.freeBytes = kWholeBytes + kSpareBytes;
  config.granuleBytes = 256;
  // Those of the staging buffers are in the spare, which others take here.
  config.hasPageTables = false;
  int64_t lastMoved = -1;
  bool isRefused = false;
  for (int64_t taken = kSpareBytes; !isRefused; taken += 20000) {
    config.takenAfterQueryBytes = taken;
    lane::test::resetFakeCuda(config);
    lane_options options = lane_default_options();
    options.reserve_bytes = LANE_RESERVE_NOTHING;
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
    // No more than necessary, with some page tables.
    constexpr int64_t kPageTableBytes = 16384;
    if (opened.program->moved > 0)
      expect(opened.program->device_bytes + kPageTableBytes +
                     kUploadBytes[opened.program->moved - 1] >
                 config.freeBytes - taken,
             "more was moved than necessary");
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

/// The host does not give pinned memory: an error with both values.
static void testPinnedLimit() {
  FakeCudaConfig config;
  config.pinnedLimitBytes = 100000;
  lane::test::resetFakeCuda(config);
  lane_options options = withBudget(kResidentBytes);
  Opened opened(&options);
  int64_t wanted = kWholeBytes - kResidentBytes;
  opened.expectRefused(LANE_NO_HOST_MEMORY,
                       "cudaHostAlloc of " + std::to_string(wanted) +
                           " bytes failed: out of memory (2); the host has ");
}

/// Uploads on the device leave no copy on the host; the only other pinned
/// memory is the staging buffers.
static void testPeaks() {
  constexpr int64_t kStagingBytes = 12 << 20;
  for (int64_t budget : {kWholeBytes, kResidentBytes}) {
    lane::test::resetFakeCuda({});
    lane_options options = withBudget(budget);
    Opened opened(&options);
    expect(lane::test::getPeakPinnedBytes() <=
               opened.program->host_bytes + kStagingBytes,
           "more is pinned than the moved bytes and the buffers");
    // Exactly enough memory moves nothing, and then nothing is mapped.
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

/// Opens with `content` as the second file.
static void expectBadFile(const std::string &content, const std::string &part,
                          const std::string &further = "") {
  const char *path = "bad.gguf";
  std::ofstream(path, std::ios::binary) << content;
  const char *files[] = {"tiny-00001-of-00002.gguf", path};
  for (int64_t budget : {kWholeBytes, kResidentBytes}) {
    lane::test::resetFakeCuda({});
    lane_options options = withBudget(budget);
    options.files = files;
    options.num_files = 2;
    Opened opened(&options);
    opened.expectRefused(LANE_BAD_CHECKPOINT, "bad.gguf: " + part);
    opened.expectRefused(LANE_BAD_CHECKPOINT, further);
  }
}

static void testFiles() {
  std::string good = readAll("tiny-00002-of-00002.gguf");
  expect(good.size() > 100000, "the checkpoint is not there");
  expectBadFile("", "is not a GGUF or safetensors file");
  expectBadFile("GGML" + good.substr(4), "is not a GGUF or safetensors file");
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
  // The other shard: it has another tensor at the offset.
  expectBadFile(readAll("tiny-00001-of-00002.gguf"),
                "tensor 'blk.1.attn_norm.weight' at offset 1440: expected rows "
                "of 64 elements of ggml type 0, found 'token_embd.weight' of "
                "rows of 64 of type 8");
  // A tensor has another format of the same size: bf16 in place of f16.
  std::string changed = good;
  size_t name = changed.find("blk.1.attn_k.weight");
  size_t type = name + 19 + 4 + 2 * 8;
  expect(name != std::string::npos && changed[type] == 1, "no type found");
  changed[type] = 30;
  expectBadFile(changed,
                "tensor 'blk.1.attn_k.weight' at offset 6048: expected "
                "rows of 64 elements of ggml type 1, found "
                "'blk.1.attn_k.weight' of rows of 64 of type 30");
  // Fewer rows.
  changed = good;
  changed[type - 8] = 31;
  expectBadFile(changed,
                "tensor 'blk.1.attn_k.weight' at offset 6048: expected "
                "32 rows, found 'blk.1.attn_k.weight' of 31 rows");
  // Two tensors of one shape and type have each other's names.
  changed = good;
  size_t query = changed.find("blk.1.attn_q_norm.weight");
  size_t key = changed.find("blk.1.attn_k_norm.weight");
  expect(query != std::string::npos && key != std::string::npos, "no norms");
  std::swap(changed[query + 11], changed[key + 11]);
  expectBadFile(changed, "tensor 'blk.1.attn_",
                "expected tensor 'blk.1.attn_q_norm.weight', "
                "found 'blk.1.attn_k_norm.weight'");
  // Counts that would take forever, or all memory, if they were trusted.
  for (size_t at : {8u, 16u})
    for (char high : {'\x7f', '\xff'}) {
      changed = good;
      changed.replace(at, 8, std::string(7, '\xff') + high);
      expectBadFile(changed, "the header is cut short or malformed");
    }

  // A file that changes while it is read.
  std::ofstream("changing.gguf", std::ios::binary) << good;
  const char *changing[] = {"tiny-00001-of-00002.gguf", "changing.gguf"};
  {
    lane::test::resetFakeCuda({});
    lane_options options = withBudget(kWholeBytes);
    options.files = changing;
    options.num_files = 2;
    options.progress = [](void *, int64_t done, int64_t total) -> int32_t {
      if (done == total)
        std::ofstream("changing.gguf", std::ios::app) << 'x';
      return 0;
    };
    Opened opened(&options);
    opened.expectRefused(LANE_BAD_CHECKPOINT,
                         "changing.gguf: the file changed while it was read");
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
  const char *null[] = {"tiny-00001-of-00002.gguf", nullptr};
  options.files = null;
  {
    Opened opened(&options);
    opened.expectRefused(LANE_BAD_OPTION,
                         "path of checkpoint file 1 of 2 is NULL");
  }
  // A FIFO without a writer does not block.
  std::remove("fifo.gguf");
  expect(mkfifo("fifo.gguf", 0600) == 0, "no FIFO");
  const char *fifo[] = {"tiny-00001-of-00002.gguf", "fifo.gguf"};
  options.files = fifo;
  {
    Opened opened(&options);
    opened.expectRefused(LANE_BAD_CHECKPOINT,
                         "fifo.gguf: cannot be opened: not a regular file");
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
  lane_options options = lane_default_options();
  options.device_bytes = -1;
  {
    Opened opened(&options);
    opened.expectRefused(LANE_BAD_OPTION, "device_bytes is -1");
  }

  // Options of another version.
  options = lane_default_options();
  options.size_bytes -= 8;
  {
    Opened opened(&options);
    opened.expectRefused(LANE_BAD_OPTION,
                         "size_bytes of the options is " +
                             std::to_string(options.size_bytes) + ", not " +
                             std::to_string(sizeof(lane_options)));
  }

  // Options that must be in a range.
  struct Range {
    const char *name;
    int32_t lane_options::*field;
    int32_t bad;
  };
  for (const Range &range :
       {Range{"host_memory", &lane_options::host_memory, 3},
        Range{"host_memory", &lane_options::host_memory, -1},
        Range{"file_reads", &lane_options::file_reads, 3},
        Range{"file_reads", &lane_options::file_reads, -1},
        Range{"num_threads", &lane_options::num_threads, -1}}) {
    options = withBudget(kResidentBytes);
    options.*range.field = range.bad;
    Opened opened(&options);
    opened.expectRefused(LANE_BAD_OPTION, std::string(range.name) + " is " +
                                              std::to_string(range.bad));
  }
  options = withBudget(kResidentBytes);
  options.host_chunk_bytes = -1;
  {
    Opened opened(&options);
    opened.expectRefused(LANE_BAD_OPTION, "host_chunk_bytes is -1");
  }

  // place_only allocates nothing.
  lane::test::resetFakeCuda({});
  options = withBudget(kResidentBytes);
  options.place_only = 1;
  {
    Opened opened(&options);
    expect(opened.code == LANE_OK, opened.error.message);
    expectEqual(opened.program->host_bytes, kWholeBytes - kResidentBytes,
                "host");
    expectEqual(lane::test::getPeakDeviceBytes(), 0, "peak");
    expect(opened.program->pointers[0] == nullptr, "a pointer is set");
    expectEqual(opened.program->size_bytes, sizeof(lane_program), "size");
  }

  // Progress ends at the total, and never goes back.
  struct Progress {
    int64_t done = 0, total = 0, calls = 0;
  } progress;
  options = withBudget(kWholeBytes);
  options.user = &progress;
  options.progress = [](void *user, int64_t done, int64_t total) -> int32_t {
    auto *progress = static_cast<Progress *>(user);
    expect(done > progress->done && done <= total, "progress is wrong");
    *progress = {done, total, progress->calls + 1};
    return 0;
  };
  {
    Opened opened(&options);
    expectEqual(progress.done, progress.total, "progress");
    expect(progress.calls > 20, "little progress");
  }

  // The callback cancels the upload, to the device and to the host.
  for (int64_t budget : {kWholeBytes, kResidentBytes}) {
    lane_options cancelled = withBudget(budget);
    cancelled.progress = [](void *, int64_t done, int64_t) -> int32_t {
      return done > 100000;
    };
    Opened opened(&cancelled);
    opened.expectRefused(LANE_CANCELLED, "the upload was cancelled after ");
  }

  // `error` may be NULL.
  lane_program *program = nullptr;
  options.device_bytes = 1;
  expectEqual(lane_tiny_open(&options, &program, nullptr), LANE_DOES_NOT_FIT,
              "code");
  lane_tiny_close(nullptr);

  // Two programs at once.
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

//===----------------------------------------------------------------------===//
// Reserve, host memory, devices and earlier errors
//===----------------------------------------------------------------------===//

/// All free memory leaves a reserve of 512 MiB, or the one given; memory that
/// is given leaves none by default.
static void testReserve() {
  struct Case {
    int64_t reserveBytes, left;
    bool isGiven;
  };
  for (const Case &c : {Case{0, int64_t(512) << 20, false}, Case{0, 0, true},
                        Case{LANE_RESERVE_NOTHING, 0, false},
                        Case{LANE_RESERVE_NOTHING, 0, true},
                        Case{12345, 12345, false}, Case{12345, 12345, true}})
    for (int64_t less : {0, 1}) {
      FakeCudaConfig config;
      config.freeBytes = kWholeBytes + kSpareBytes + c.left - less;
      lane::test::resetFakeCuda(config);
      lane_options options = lane_default_options();
      options.device_bytes = c.isGiven ? config.freeBytes : 0;
      options.reserve_bytes = c.reserveBytes;
      Opened opened(&options);
      expect(opened.code == LANE_OK, opened.error.message);
      expectEqual(opened.program->budget_bytes, kWholeBytes - less, "budget");
      expectEqual(opened.program->moved, less, "moved");
    }
  lane::test::resetFakeCuda({});
  lane_options options = lane_default_options();
  options.reserve_bytes = -2;
  Opened opened(&options);
  opened.expectRefused(LANE_BAD_OPTION, "reserve_bytes is -2");
}

/// Host memory is checked before anything is allocated, and where only the
/// placement is asked for.
static void testHostLimit() {
  int64_t hostBytes = kWholeBytes - kResidentBytes;
  for (int32_t placeOnly : {0, 1})
    for (int64_t less : {0, 1}) {
      lane::test::resetFakeCuda({});
      lane_options options = withBudget(kResidentBytes);
      options.place_only = placeOnly;
      options.host_bytes = hostBytes - less;
      Opened opened(&options);
      if (less == 0) {
        expect(opened.code == LANE_OK, opened.error.message);
        continue;
      }
      opened.expectRefused(LANE_NO_HOST_MEMORY,
                           "the placement needs " + std::to_string(hostBytes) +
                               " bytes of host memory, but " +
                               std::to_string(hostBytes - 1) +
                               " bytes are given");
      expectEqual(lane::test::getPeakDeviceBytes(), 0, "peak");
      expectEqual(lane::test::getPeakPinnedBytes(), 0, "pinned peak");
    }
}

/// The host pool is write-combined by default, and cached where reads by the
/// device are coherent. Cached memory is registered where the device has it at
/// the host's addresses.
static void testHostMemoryKinds() {
  struct Case {
    int32_t kind;
    bool isCoherent, canRegister, canUseHostPointer, isCombined, isRegistered;
  };
  for (const Case &c :
       {Case{LANE_HOST_MEMORY_AUTO, false, true, true, true, false},
        Case{LANE_HOST_MEMORY_AUTO, true, true, true, false, true},
        Case{LANE_HOST_MEMORY_WRITE_COMBINED, true, true, true, true, false},
        Case{LANE_HOST_MEMORY_CACHED, false, true, true, false, true},
        Case{LANE_HOST_MEMORY_CACHED, false, false, true, false, false},
        Case{LANE_HOST_MEMORY_CACHED, false, true, false, false, false}}) {
    FakeCudaConfig config;
    config.isCoherent = c.isCoherent;
    config.canRegister = c.canRegister;
    config.canUseHostPointer = c.canUseHostPointer;
    config.hostNumaNode = 0;
    lane::test::resetFakeCuda(config);
    lane_options options = withBudget(kResidentBytes);
    options.host_memory = c.kind;
    Opened opened(&options);
    expect(opened.code == LANE_OK, opened.error.message);
    auto allocation = lane::test::getLiveAllocations().back();
    expect(allocation.function ==
               (c.isRegistered ? "cudaHostRegister" : "cudaHostAlloc"),
           allocation.function);
    expectEqual(allocation.bytes, opened.program->host_bytes, "host bytes");
    expectEqual(allocation.flags & cudaHostAllocMapped, cudaHostAllocMapped,
                "mapped");
    expectEqual((allocation.flags & cudaHostAllocWriteCombined) != 0,
                c.isCombined, "write-combined");
  }
}

/// A program is closed while kernels read it and another device is current: its
/// memory is freed after they end, and the current device stays.
static void testTwoDevices() {
  FakeCudaConfig config;
  config.numDevices = 2;
  config.copies = FakeCudaConfig::Copies::WhenAwaited;
  lane::test::resetFakeCuda(config);
  lane_options options = withBudget(kResidentBytes);
  Opened draft(&options);
  expect(draft.code == LANE_OK, draft.error.message);
  expectEqual(cudaSetDevice(1), cudaSuccess, "cudaSetDevice");
  lane_program *target = nullptr;
  lane_error error = {};
  options = withBudget(kWholeBytes);
  expectEqual(lane_tiny_open(&options, &target, &error), LANE_OK,
              error.message);
  expectEqual(target->extents[0].space.number, 1, "device of an extent");
  auto startKernels = [](const lane_program *program) {
    for (const Array &array : kArrays)
      lane::test::startFakeKernel(program->pointers[array.pointer],
                                  array.bytes);
  };
  startKernels(target);
  expectEqual(cudaSetDevice(0), cudaSuccess, "cudaSetDevice");
  startKernels(draft.program);
  // The target is on device 1, and device 0 is current.
  lane_tiny_close(target);
  int current = -1;
  expectEqual(cudaGetDevice(&current), cudaSuccess, "cudaGetDevice");
  expectEqual(current, 0, "current device");
  expectEqual(lane::test::getFaults().size(), 0, "faults");
  expectEqual(cudaSetDevice(1), cudaSuccess, "cudaSetDevice");
}

/// Errors of work before `open`, and errors that cannot be cleared.
static void testEarlierErrors() {
  FakeCudaConfig config;
  config.failFunction = "cudaDeviceSynchronize";
  config.failCall = 0;
  config.failStatus = 700;
  lane::test::resetFakeCuda(config);
  {
    Opened opened(nullptr);
    opened.expectRefused(LANE_CUDA_FAILED, "earlier work on the device failed");
    expect(cudaPeekAtLastError() == cudaSuccess, "an error is left");
  }
  config.isSticky = true;
  lane::test::resetFakeCuda(config);
  {
    Opened opened(nullptr);
    opened.expectRefused(LANE_CUDA_FAILED, "the error cannot be cleared");
  }
  config.failFunction = "cudaMemcpyAsync";
  lane::test::resetFakeCuda(config);
  Opened opened(nullptr);
  opened.expectRefused(LANE_CUDA_FAILED, "the error cannot be cleared");
}

int main() {
  testEveryCall();
  testReserve();
  testHostLimit();
  testHostMemoryKinds();
  testTwoDevices();
  testEarlierErrors();
  testClose();
  testRace();
  testFragments();
  testPinnedLimit();
  testPeaks();
  testIntegrated();
  testNoMapping();
  testFiles();
  testOptions();
  std::puts("all failures are as expected");
}

//===- DifferentialTest.cpp - Compares with llama.cpp's reader ------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads thousands of mutated headers with Lane's reader and with llama.cpp's.
// Both must accept the same headers, except where docs/Checkpoints.md explains
// why Lane is stricter, and read the same values. llama.cpp's reader may abort,
// which counts as a refusal, so both run in a child process.
//
//===----------------------------------------------------------------------===//

#include "GGUFWriter.h"
#include "lane/Checkpoint/GGUF/Header.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <iostream>
#include <map>
#include <random>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace lane;
using namespace lane::gguf;

namespace {

constexpr StringLiteral kLibrary = LANE_GGML_BASE_LIBRARY;
constexpr StringLiteral kInputs = LANE_TEST_INPUTS_DIR;
constexpr size_t kMutantsPerSeed = 250;
#if !LLVM_ADDRESS_SANITIZER_BUILD
/// A limit of memory. It is more than both readers need for any header here,
/// but far less than an unchecked count would allocate. Not used with
/// sanitizers, whose own memory exceeds it.
constexpr rlim_t kMaxAddressBytes = rlim_t(4) << 30;
#endif

//===----------------------------------------------------------------------===//
// llama.cpp's reader
//===----------------------------------------------------------------------===//

/// `struct gguf_init_params` of gguf.h.
struct InitParams {
  bool noAlloc;
  void **context;
};

/// The functions of gguf.h, found in the library. Its context is opaque.
struct Ggml {
  void *(*initFromBuffer)(const void *, size_t, InitParams);
  void (*free)(void *);
  size_t (*getDataOffset)(const void *);
  size_t (*getAlignment)(const void *);
  uint32_t (*getVersion)(const void *);
  int64_t (*getNumKeys)(const void *);
  const char *(*getKey)(const void *, int64_t);
  int (*getKeyType)(const void *, int64_t);
  int (*getArrayType)(const void *, int64_t);
  size_t (*getArrayLength)(const void *, int64_t);
  int64_t (*getNumTensors)(const void *);
  const char *(*getTensorName)(const void *, int64_t);
  int (*getTensorType)(const void *, int64_t);
  size_t (*getTensorOffset)(const void *, int64_t);
  size_t (*getTensorSize)(const void *, int64_t);
  void (*setLog)(void (*)(int, const char *, void *), void *);

  /// False if the library or one of them is missing.
  bool load(std::string &error);
};

bool Ggml::load(std::string &error) {
  sys::DynamicLibrary library =
      sys::DynamicLibrary::getPermanentLibrary(kLibrary.data(), &error);
  if (!library.isValid())
    return false;
  bool isWhole = true;
  auto find = [&](auto &function, const char *name) {
    void *address = library.getAddressOfSymbol(name);
    if (!address)
      error += std::string("no ") + name + " ";
    isWhole &= address != nullptr;
    function = reinterpret_cast<std::decay_t<decltype(function)>>(address);
  };
  find(initFromBuffer, "gguf_init_from_buffer");
  find(free, "gguf_free");
  find(getDataOffset, "gguf_get_data_offset");
  find(getAlignment, "gguf_get_alignment");
  find(getVersion, "gguf_get_version");
  find(getNumKeys, "gguf_get_n_kv");
  find(getKey, "gguf_get_key");
  find(getKeyType, "gguf_get_kv_type");
  find(getArrayType, "gguf_get_arr_type");
  find(getArrayLength, "gguf_get_arr_n");
  find(getNumTensors, "gguf_get_n_tensors");
  find(getTensorName, "gguf_get_tensor_name");
  find(getTensorType, "gguf_get_tensor_type");
  find(getTensorOffset, "gguf_get_tensor_offset");
  find(getTensorSize, "gguf_get_tensor_size");
  find(setLog, "ggml_log_set");
  return isWhole;
}

/// The first difference in what both read from a header that both accept; empty
/// if there is none.
std::string findDifference(const Ggml &ggml, const void *theirs,
                           const Header &ours) {
  auto differ = [](const Twine &what, const Twine &here, const Twine &there) {
    return (what + ": " + here + ", llama.cpp " + there).str();
  };
  if (ours.getVersion() != ggml.getVersion(theirs))
    return differ("version", Twine(ours.getVersion()),
                  Twine(ggml.getVersion(theirs)));
  if (ours.getAlignment() != ggml.getAlignment(theirs))
    return differ("alignment", Twine(ours.getAlignment()),
                  Twine(ggml.getAlignment(theirs)));
  if (!ours.getTensors().empty() &&
      uint64_t(ours.getDataOffset()) != ggml.getDataOffset(theirs))
    return differ("data offset", Twine(ours.getDataOffset()),
                  Twine(ggml.getDataOffset(theirs)));
  if (int64_t(ours.getMetadata().size()) != ggml.getNumKeys(theirs) ||
      int64_t(ours.getTensors().size()) != ggml.getNumTensors(theirs))
    return "counts of keys or tensors";
  for (auto [i, entry] : enumerate(ours.getMetadata())) {
    // llama.cpp's strings end at a NUL byte.
    if (entry.key.take_until([](char c) { return c == 0; }) !=
        ggml.getKey(theirs, i))
      return differ("key", entry.key, ggml.getKey(theirs, i));
    if (int(entry.value.getType()) != ggml.getKeyType(theirs, i))
      return differ("type of key " + entry.key,
                    Twine(int(entry.value.getType())),
                    Twine(ggml.getKeyType(theirs, i)));
    if (!entry.value.isArray())
      continue;
    if (int(entry.value.getElementType()) != ggml.getArrayType(theirs, i) ||
        entry.value.size() != ggml.getArrayLength(theirs, i))
      return "array of key " + entry.key.str();
  }
  for (auto [i, tensor] : enumerate(ours.getTensors())) {
    if (tensor.name.take_until([](char c) { return c == 0; }) !=
        ggml.getTensorName(theirs, i))
      return differ("tensor", tensor.name, ggml.getTensorName(theirs, i));
    if (int(tensor.format) != ggml.getTensorType(theirs, i))
      return "type of tensor " + tensor.name.str();
    if (uint64_t(tensor.offset - ours.getDataOffset()) !=
        ggml.getTensorOffset(theirs, i))
      return "offset of tensor " + tensor.name.str();
    // llama.cpp multiplies the elements by the bytes of a block, which may
    // wrap, and then divides by the elements of a block.
    bool doesTheirsWrap =
        uint64_t(tensor.sizeBytes) > ~0ull / getBlockElements(tensor.format);
    if (!doesTheirsWrap &&
        uint64_t(tensor.sizeBytes) != ggml.getTensorSize(theirs, i))
      return differ("bytes of tensor " + tensor.name, Twine(tensor.sizeBytes),
                    Twine(ggml.getTensorSize(theirs, i)));
  }
  return "";
}

//===----------------------------------------------------------------------===//
// The child process
//===----------------------------------------------------------------------===//

/// The verdicts on one header, in memory that parent and child share.
struct Verdict {
  bool isDone;
  bool isAccepted;
  bool isAcceptedByGgml;
  /// Lane's refusal, or the difference if both accept.
  char message[256];
};

void judge(const Ggml &ggml, StringRef bytes, Verdict &verdict) {
  auto setMessage = [&](StringRef text) {
    text = text.take_front(sizeof(verdict.message) - 1);
    llvm::copy(text, verdict.message);
    verdict.message[text.size()] = 0;
  };
  Expected<Header> ours = Header::parse(MemoryBufferRef(bytes, "x"));
  verdict.isAccepted = bool(ours);
  if (!ours)
    setMessage(toString(ours.takeError()));
  // The parent counts an abort from here on as a refusal.
  if (void *theirs =
          ggml.initFromBuffer(bytes.data(), bytes.size(), {true, nullptr})) {
    verdict.isAcceptedByGgml = true;
    if (verdict.isAccepted)
      setMessage(findDifference(ggml, theirs, *ours));
    ggml.free(theirs);
  }
  verdict.isDone = true;
}

/// Judges all headers, with a new child after each abort.
std::vector<Verdict> judgeAll(const Ggml &ggml, ArrayRef<std::string> headers) {
  size_t sharedBytes = headers.size() * sizeof(Verdict);
  auto *shared =
      static_cast<Verdict *>(mmap(nullptr, sharedBytes, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (size_t next = 0; next < headers.size();) {
    pid_t child = fork();
    if (child == 0) {
#if !LLVM_ADDRESS_SANITIZER_BUILD
      rlimit limit{kMaxAddressBytes, kMaxAddressBytes};
      setrlimit(RLIMIT_AS, &limit);
#endif
      rlimit noCore{0, 0};
      setrlimit(RLIMIT_CORE, &noCore);
      // Hide the messages of llama.cpp's reader when it aborts.
      if (!freopen("/dev/null", "w", stderr))
        _exit(2);
      ggml.setLog([](int, const char *, void *) {}, nullptr);
      for (size_t i = next; i < headers.size(); ++i)
        judge(ggml, headers[i], shared[i]);
      _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) {
      ADD_FAILURE() << "no child process";
      break;
    }
    while (next < headers.size() && shared[next].isDone)
      ++next;
    if (next < headers.size())
      shared[next++].isDone = true;
  }
  std::vector<Verdict> verdicts(shared, shared + headers.size());
  munmap(shared, sharedBytes);
  return verdicts;
}

//===----------------------------------------------------------------------===//
// Seeds and mutants
//===----------------------------------------------------------------------===//

/// Headers with every type of value and many formats. They are small, so that a
/// mutation is likely to change something that matters.
std::vector<std::string> makeSmallSeeds() {
  std::vector<std::string> seeds;
  for (uint32_t version : {2, 3}) {
    GGUFWriter writer(version);
    writer.addString("general.architecture", "llama");
    writer.setAlignment(64);
    writer.addScalar<uint8_t>("u8", ValueType::UInt8, 7);
    writer.addScalar<int64_t>("i64", ValueType::Int64, -1);
    writer.addScalar<float>("f32", ValueType::Float32, 0.5f);
    writer.addScalar<uint8_t>("bool", ValueType::Bool, 1);
    writer.addArray<int32_t>("i32s", ValueType::Int32, {1, 2, 3});
    writer.addStringArray("strs", {"a", "", "bcd"});
    writer.addTensor("a", {256, 3}, NumberFormat::Q4_K);
    writer.addTensor("b", {64, 2, 2}, NumberFormat::Q8_0);
    writer.addTensor("c", {5, 1, 2, 3}, NumberFormat::F32);
    writer.addTensor("d", {32}, NumberFormat::MXFP4);
    seeds.push_back(writer.write());
    GGUFWriter tensors(version);
    tensors.addTensor("a", {}, NumberFormat::F16);
    tensors.addTensor("b", {512, 2}, NumberFormat::IQ2_XXS);
    seeds.push_back(tensors.write());
  }
  return seeds;
}

void readSeeds(const Twine &folder, std::vector<std::string> &seeds) {
  std::vector<std::string> paths;
  std::error_code code;
  for (sys::fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code))
    if (sys::path::extension(it->path()) == ".gguf")
      paths.push_back(it->path());
  EXPECT_FALSE(paths.empty()) << folder.str();
  llvm::sort(paths);
  for (const std::string &path : paths)
    if (auto buffer = MemoryBuffer::getFile(path))
      seeds.push_back((*buffer)->getBuffer().str());
}

/// An offset to mutate: half of them near the start, where the counts and the
/// keys are, half of them anywhere.
size_t pickOffset(const std::string &bytes, std::mt19937 &random) {
  size_t end = random() % 2 ? bytes.size() : std::min<size_t>(bytes.size(), 96);
  return random() % end;
}

std::string mutate(std::string bytes, ArrayRef<std::string> seeds,
                   std::mt19937 &random) {
  constexpr uint64_t kNumbers[] = {0,          1,
                                   2,          4,
                                   5,          31,
                                   32,         33,
                                   63,         64,
                                   255,        256,
                                   65535,      1u << 31,
                                   ~0u,        1ull << 32,
                                   1ull << 62, ~0ull >> 1,
                                   1ull << 63, ~0ull,
                                   ~0ull - 31, (1ull << 63) - 32};
  for (unsigned edits = 1 + random() % 3; edits > 0 && bytes.size() > 8;
       --edits) {
    size_t at = pickOffset(bytes, random);
    switch (random() % 7) {
    case 0:
      bytes[at] = static_cast<char>(random());
      break;
    case 1:
      bytes[at] ^= 1 << random() % 8;
      break;
    case 2: {
      // A number of four or eight bytes.
      uint64_t number = kNumbers[random() % std::size(kNumbers)];
      size_t width = random() % 2 ? 4 : 8;
      for (size_t i = 0; i < width && at + i < bytes.size(); ++i)
        bytes[at + i] = static_cast<char>(number >> 8 * i);
      break;
    }
    case 3:
      bytes[at] = static_cast<char>(bytes[at] + (random() % 2 ? 1 : -1));
      break;
    case 4:
      bytes.resize(random() % 4 ? at : at + random() % 64);
      break;
    case 5: {
      // Repeat or remove some bytes.
      size_t count = std::min<size_t>(1 + random() % 24, bytes.size() - at);
      if (random() % 2)
        bytes.insert(at, bytes.substr(at, count));
      else
        bytes.erase(at, count);
      break;
    }
    case 6: {
      const std::string &other = seeds[random() % seeds.size()];
      size_t from = random() % other.size();
      size_t count = std::min(
          {size_t(1 + random() % 32), other.size() - from, bytes.size() - at});
      bytes.replace(at, count, other, from, count);
      break;
    }
    }
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// The test
//===----------------------------------------------------------------------===//

/// Texts of the refusals of what llama.cpp accepts; docs/Checkpoints.md gives
/// the reason for each.
constexpr StringLiteral kStricter[] = {
    "overflows int64",
};

TEST(GGUFDifferential, VerdictsAreThoseOfLlamaCpp) {
  if (!sys::fs::exists(kLibrary))
    GTEST_SKIP() << "llama.cpp's reader is not installed: " << kLibrary.str();
  Ggml ggml;
  std::string error;
  ASSERT_TRUE(ggml.load(error)) << error;

  std::vector<std::string> seeds = makeSmallSeeds();
  readSeeds(kInputs + "/Checkpoint/Inputs/malformed", seeds);
  readSeeds(kInputs + "/Inputs/models", seeds);
  std::mt19937 random(1);
  std::vector<std::string> headers = seeds;
  for (const std::string &seed : seeds)
    for (size_t i = 0; i < kMutantsPerSeed; ++i)
      headers.push_back(mutate(seed, seeds, random));

  size_t numAccepted = 0, numRefused = 0;
  std::map<std::string, size_t> numStricter;
  for (auto [i, verdict] : enumerate(judgeAll(ggml, headers))) {
    StringRef message = verdict.message;
    if (verdict.isAccepted == verdict.isAcceptedByGgml) {
      ++(verdict.isAccepted ? numAccepted : numRefused);
      if (verdict.isAccepted) {
        EXPECT_EQ(message.str(), "") << "header " << i;
      }
      continue;
    }
    EXPECT_FALSE(verdict.isAccepted)
        << "header " << i << " is refused by llama.cpp only";
    if (verdict.isAccepted)
      continue;
    auto reason = find_if(
        kStricter, [&](StringRef text) { return message.contains(text); });
    EXPECT_NE(reason, std::end(kStricter))
        << "header " << i << " is refused by Lane only: " << message.str();
    if (reason != std::end(kStricter))
      ++numStricter[reason->str()];
  }
  // Unless there are many of both kinds, the mutations test too little.
  EXPECT_GT(numAccepted, headers.size() / 20);
  EXPECT_GT(numRefused, headers.size() / 3);
  std::cout << headers.size() << " headers: both accept " << numAccepted
            << ", both refuse " << numRefused;
  for (const auto &[reason, count] : numStricter)
    std::cout << ", only Lane refuses " << count << " (" << reason << ")";
  std::cout << "\n";
}

} // namespace

//===- safetensors.cpp - A generated program that reads safetensors -------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens a program at every budget that changes its placement: each array holds
// the bytes of its tensor. Then each of several files differs from the one that
// was compiled: the error names what is there instead.
//
//===----------------------------------------------------------------------===//

#include "Opened.h"
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

static std::string readAll(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

//===----------------------------------------------------------------------===//
// Budgets
//===----------------------------------------------------------------------===//

static void testBudget(int64_t budget, int64_t moved,
                       const std::string &reference) {
  FakeCudaConfig config;
  config.copies = FakeCudaConfig::Copies::WhenAwaited;
  lane::test::resetFakeCuda(config);
  lane_options options = lane_default_options();
  options.device_bytes = budget + kSpareBytes;
  Opened opened(&options);
  expect(opened.code == LANE_OK, opened.error.message);
  expectEqual(opened.program->moved, moved, "moved");
  for (const Array &array : kArrays) {
    void *held = lane::test::getBehindPointer(
        opened.program->pointers[array.pointer], array.bytes);
    expect(held && std::memcmp(held, reference.data() + array.offset,
                               static_cast<size_t>(array.bytes)) == 0,
           "bytes of pointer " + std::to_string(array.pointer) + " differ");
  }
}

static void testBudgets(const std::string &reference) {
  int64_t numUploads = std::size(kUploadBytes);
  int64_t budget = kWholeBytes, numBudgets = 0;
  for (int64_t rank = 0; rank <= numUploads; ++rank) {
    testBudget(budget, rank, reference);
    ++numBudgets;
    if (rank == numUploads)
      break;
    testBudget(budget - 1, rank + 1, reference);
    ++numBudgets;
    budget -= kUploadBytes[rank];
  }
  expectEqual(budget, kArenaBytes + kFixedBytes, "least budget");
  std::printf("%lld budgets, %lld uploads, %zu arrays: all as planned\n",
              static_cast<long long>(numBudgets),
              static_cast<long long>(numUploads), std::size(kArrays));
}

//===----------------------------------------------------------------------===//
// Files that differ
//===----------------------------------------------------------------------===//

static int numRefused = 0;

/// The first file has this content.
static void expectRefused(const std::string &content, const std::string &part,
                          const std::string &further = "") {
  const char *path = "bad.safetensors";
  std::ofstream(path, std::ios::binary) << content;
  const char *files[] = {path, "tiny-2.safetensors"};
  lane::test::resetFakeCuda({});
  lane_options options = lane_default_options();
  options.files = files;
  options.num_files = 2;
  Opened opened(&options);
  opened.expectRefused(LANE_BAD_CHECKPOINT, "bad.safetensors: " + part);
  opened.expectRefused(LANE_BAD_CHECKPOINT, further);
  ++numRefused;
}

/// `text` with the first `from` replaced by `to`.
static std::string replace(std::string text, const std::string &from,
                           const std::string &to) {
  size_t at = text.find(from);
  expect(at != std::string::npos, "'" + from + "' is not there");
  return text.replace(at, from.size(), to);
}

/// The file with this text instead of its header, which may be longer.
static std::string withHeader(const std::string &file,
                              const std::string &header) {
  uint64_t bytes = 0;
  std::memcpy(&bytes, file.data(), sizeof(bytes));
  std::string rest = file.substr(sizeof(bytes) + bytes);
  bytes = header.size();
  std::string result(reinterpret_cast<const char *>(&bytes), sizeof(bytes));
  return result + header + rest;
}

static void testFiles() {
  std::string good = readAll("tiny-1.safetensors");
  uint64_t bytes = 0;
  std::memcpy(&bytes, good.data(), sizeof(bytes));
  std::string header = good.substr(sizeof(bytes), bytes);

  expectRefused("", "is not a GGUF or safetensors file");
  expectRefused(good.substr(0, bytes), "is not a GGUF or safetensors file");
  expectRefused(good.substr(0, good.size() - 1),
                "header at offset 8: the tensors have ", " after the header");
  expectRefused(
      withHeader(good, replace(header, "\"model.norm\"", "\"model.codes\"")),
      "header at offset ", "key 'model.codes' is there twice");
  expectRefused(replace(good, "\"model.table\"", "\"model.tabl_\""),
                "tensor 'head' at offset ",
                "expected tensor 'model.table', found 'model.tabl_'");
  // A message is one line, whatever the name.
  expectRefused(replace(good, "\"model.up\"", "\"mode\\nup\""),
                "tensor 'model.up' at offset ",
                "expected tensor 'model.up', found 'mode?up'");
  // Another type of as many bytes, with an id of ggml and without.
  std::string field =
      "tensor 'model.up' at offset " + std::to_string(8 + bytes + 3) + ": ";
  std::string expected = field + "expected rows of 64 elements of ggml type 1, "
                                 "found 'model.up' of rows of ";
  expectRefused(replace(good, "\"F16\"", "\"I16\""),
                expected + "64 of type 25");
  expectRefused(replace(good, "\"F16\"", "\"U16\""),
                expected + "64 of type 4294967295");
  expectRefused(replace(good, "[64, 64]", "[32,128]"),
                expected + "128 of type 1");
  // A longer header moves the data.
  expectRefused(withHeader(good, header + "  "), field, "found 'unused'");
  std::printf("%d files: all refused\n", numRefused);
}

int main(int, char **argv) {
  std::string reference = readAll(argv[1]);
  expect(!reference.empty(), "no reference");
  testBudgets(reference);
  testFiles();
}

//===- MalformedTest.cpp - Verdicts on good and bad files -----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every file of Inputs/malformed, and the exact message of each refusal.
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/File.h"
#include "lane/Checkpoint/GGUF/Header.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace lane;
using namespace lane::gguf;

namespace {

constexpr StringLiteral kFolder =
    LANE_TEST_INPUTS_DIR "/Checkpoint/Inputs/malformed";

struct Refusal {
  StringLiteral file;
  StringLiteral message;
};

constexpr Refusal kRefusals[] = {
    {"align_0",
     "key 'general.alignment' at offset 24: 0 is not a power of two"},
    {"align_2^31", "padding at offset 90: the tensor data starts at "
                   "2147483648, past the end of the file (224 bytes)"},
    {"align_i32type",
     "key 'general.alignment' at offset 24: expected u32, found i32"},
    {"bad_magic_ggjt", "magic at offset 0: expected 'GGUF', found 'tjgg'"},
    {"dim_neg", "dimension 0 of tensor 'a' at offset 82: negative (-1)"},
    {"key_dup", "key 1 at offset 69: 'general.architecture' is already defined "
                "at offset 24"},
    {"key_empty", "key 0 at offset 24: is empty"},
    {"key_len_huge", "key 0 at offset 24: a string of 18446744073709551615 "
                     "bytes extends past the end of the file (16 left)"},
    {"kv_array_len_huge",
     "length of key 'k' at offset 41: 4611686018427387904 elements do not fit "
     "in the file (at least 4 bytes each, 0 left)"},
    {"kv_array_of_array", "element type of key 'k' at offset 37: arrays of "
                          "arrays are not supported"},
    {"kv_type_13", "type of key 'k' at offset 33: unknown value type 13"},
    {"n_dims_5", "dimension count of tensor 'a' at offset 78: 5 (at most 4)"},
    {"n_kv_-1", "key count at offset 16: negative (-1)"},
    {"n_kv_huge", "key count at offset 16: 1099511627776 do not fit in the "
                  "file (at least 14 bytes each, 45 left)"},
    {"n_kv_one_too_many",
     "key 1 at offset 69: the file ends (8 bytes needed, 0 left)"},
    {"name_dup",
     "name of tensor 1 at offset 102: 'a' is already defined at offset 69"},
    {"ne_overflow", "shape of tensor 'a' at offset 69: [4294967296 x "
                    "2147483648]: the element count overflows int64"},
    {"ne_wrap_to_small", "shape of tensor 'a' at offset 69: [4294967296 x "
                         "4294967296]: the element count overflows int64"},
    {"off_misaligned", "offset of tensor 'a' at offset 94: expected 0, where "
                       "the tensors before it end, found 4"},
    {"off_overlap", "offset of tensor 'b' at offset 127: expected 128, where "
                    "the tensors before it end, found 0"},
    {"off_swapped_order", "offset of tensor 'a' at offset 94: expected 0, "
                          "where the tensors before it end, found 128"},
    {"q4k_row_32", "type of tensor 'a' at offset 98: a row of 32 elements is "
                   "not whole blocks of 256 (q4_K)"},
    {"size_sum_overflow",
     "offset of tensor 'b' at offset 127: the end of its data overflows "
     "int64 "
     "(9223372036854775744 + 9223372036854775744)"},
    {"trunc_in_kv",
     "key 0 at offset 24: a string of 20 bytes extends past the end "
     "of the file (8 left)"},
    {"trunc_in_tensor_info",
     "name of tensor 0 at offset 69: the file ends (8 bytes needed, 1 left)"},
    {"type_-1",
     "type of tensor 'a' at offset 90: unknown ggml type 4294967295"},
    {"type_43", "type of tensor 'a' at offset 90: unknown ggml type 43"},
    {"type_4_removed",
     "type of tensor 'a' at offset 90: ggml has removed type 4 (q4_2)"},
    {"v0", "version at offset 4: 0 is not supported (2 and 3 are)"},
    {"v3_byteswapped", "version at offset 4: 50331648 is 3 with its bytes "
                       "swapped: big-endian files are not supported"},
    {"v4", "version at offset 4: 4 is not supported (2 and 3 are)"},
};

/// The error that the file is refused with, or an empty string.
std::string getRefusal(StringRef file) {
  auto buffer = openFile((kFolder + "/" + file + ".gguf").str());
  if (!buffer) {
    ADD_FAILURE() << toString(buffer.takeError());
    return "";
  }
  Expected<Header> header =
      Header::parse(MemoryBufferRef((*buffer)->getBuffer(), file));
  return header ? "" : toString(header.takeError());
}

/// The verdict on each file, from the table in their folder.
StringMap<bool> readVerdicts() {
  StringMap<bool> isAccepted;
  auto table = MemoryBuffer::getFile((kFolder + "/verdicts.tsv").str());
  if (!table)
    return isAccepted;
  SmallVector<StringRef> lines;
  (*table)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : ArrayRef(lines).drop_front()) {
    auto [file, verdict] = line.split('\t');
    isAccepted[file] = verdict == "ACCEPT";
  }
  return isAccepted;
}

TEST(GGUFMalformed, FilesGetTheirVerdicts) {
  StringMap<bool> isAccepted = readVerdicts();
  EXPECT_EQ(isAccepted.size(), 48u);
  for (const auto &entry : isAccepted)
    EXPECT_EQ(getRefusal(entry.getKey()).empty(), entry.getValue())
        << entry.getKey().str() << getRefusal(entry.getKey());
}

TEST(GGUFMalformed, EveryFileHasAVerdict) {
  StringMap<bool> isAccepted = readVerdicts();
  std::error_code code;
  for (sys::fs::directory_iterator it(kFolder, code), end; it != end && !code;
       it.increment(code)) {
    StringRef path = it->path();
    if (sys::path::extension(path) == ".gguf") {
      EXPECT_TRUE(isAccepted.contains(sys::path::stem(path))) << path.str();
    }
  }
  EXPECT_FALSE(code);
}

TEST(GGUFMalformed, RefusalsNameTheFieldAndOffset) {
  StringSet<> listed;
  for (const Refusal &refusal : kRefusals) {
    listed.insert(refusal.file);
    EXPECT_EQ(getRefusal(refusal.file),
              (refusal.file + ": " + refusal.message).str());
    EXPECT_FALSE(refusal.message.contains('\n'));
    EXPECT_TRUE(refusal.message.contains(" at offset "));
  }
  for (const auto &entry : readVerdicts())
    EXPECT_NE(entry.getValue(), listed.contains(entry.getKey()))
        << entry.getKey().str();
}

} // namespace

//===- FileTest.cpp - Tests of the reader of safetensors files ------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SafetensorsWriter.h"
#include "lane/Checkpoint/Safetensors/Checkpoint.h"
#include "lane/Support/SafetensorsHeader.h"
#include "gtest/gtest.h"
#include <limits>

using namespace llvm;
using namespace lane;
using namespace lane::safetensors;

namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

Expected<lane::Checkpoint> read(StringRef bytes) {
  return readFile(MemoryBufferRef(bytes, "m.safetensors"));
}

/// The error for `bytes` without the file's name, or an empty text.
std::string getError(StringRef bytes) {
  Expected<lane::Checkpoint> checkpoint = read(bytes);
  if (checkpoint)
    return "";
  std::string error = toString(checkpoint.takeError());
  StringRef rest = error;
  EXPECT_TRUE(rest.consume_front("m.safetensors: ")) << error;
  EXPECT_FALSE(rest.contains('\n')) << error;
  return rest.str();
}

/// The error for a file with this header and so many bytes of data.
std::string getError(StringRef header, uint64_t dataBytes) {
  return getError(makeFile(header, dataBytes));
}

/// The same for one tensor 'a', without what precedes the reason.
std::string getTensorError(StringRef dtype, ArrayRef<uint64_t> shape,
                           uint64_t begin, uint64_t end, uint64_t dataBytes) {
  std::string error = getError(
      "{" + makeTensor("a", dtype, shape, begin, end) + "}", dataBytes);
  StringRef rest = error;
  rest.consume_front("tensor 'a' at offset 13: ");
  return rest.str();
}

/// The error for one tensor 'a' with these fields.
std::string getFieldsError(StringRef fields) {
  return getError(("{\"a\":{" + fields + "}}").str(), 4);
}

//===----------------------------------------------------------------------===//
// What is accepted
//===----------------------------------------------------------------------===//

TEST(SafetensorsFile, ListsTensorsByTheirData) {
  std::string header = "{\"__metadata__\":{\"format\":\"pt\"}," +
                       makeTensor("z", "F32", {2, 3}, 2, 26) + "," +
                       makeTensor("scalar", "BF16", {}, 0, 2) + "}   ";
  std::string bytes = makeFile(header, 26);
  lane::Checkpoint checkpoint = cantFail(read(bytes));
  ASSERT_EQ(checkpoint.getFiles().size(), 1u);
  EXPECT_EQ(checkpoint.getFiles()[0].path, "m.safetensors");
  EXPECT_EQ(checkpoint.getFiles()[0].sizeBytes, bytes.size());
  ASSERT_EQ(checkpoint.getTensors().size(), 2u);

  const CheckpointTensor &scalar = checkpoint.getTensors()[0];
  EXPECT_EQ(scalar.name, "scalar");
  EXPECT_EQ(scalar.format, NumberFormat::BF16);
  EXPECT_EQ(scalar.formatName, "BF16");
  EXPECT_TRUE(scalar.shape.empty());
  EXPECT_EQ(scalar.offset, int64_t(8 + header.size()));
  EXPECT_EQ(scalar.sizeBytes, 2);

  // Rows and then columns, as PyTorch has them; no alignment.
  const CheckpointTensor &z = checkpoint.getTensors()[1];
  EXPECT_EQ(z.format, NumberFormat::F32);
  EXPECT_EQ(z.shape, (SmallVector<int64_t, 4>{2, 3}));
  EXPECT_EQ(z.file, 0u);
  EXPECT_EQ(z.offset, scalar.offset + 2);
  EXPECT_EQ(z.sizeBytes, 24);
  EXPECT_EQ(checkpoint.lookup("z"), &z);
}

TEST(SafetensorsFile, ListsEveryDtype) {
  // 8 elements fill whole bytes in any of them.
  std::string header = "{";
  uint64_t end = 0;
  for (const Dtype &dtype : kDtypes) {
    if (end)
      header += ",";
    header += makeTensor(dtype.name, dtype.name, {8}, end, end + dtype.bits);
    end += dtype.bits;
  }
  lane::Checkpoint checkpoint = cantFail(read(makeFile(header + "}", end)));
  ASSERT_EQ(checkpoint.getTensors().size(), std::size(kDtypes));
  std::vector<std::string> known;
  for (const CheckpointTensor &tensor : checkpoint.getTensors()) {
    EXPECT_EQ(tensor.formatName, tensor.name);
    if (!tensor.format)
      continue;
    known.push_back(tensor.name);
    EXPECT_EQ(stringifyNumberFormat(*tensor.format),
              StringRef(tensor.name).lower());
    EXPECT_EQ(getRowBytes(*tensor.format, 8), tensor.sizeBytes);
  }
  EXPECT_EQ(known, (std::vector<std::string>{"F32", "F16", "BF16", "F64", "I8",
                                             "I16", "I32", "I64"}));
}

TEST(SafetensorsFile, AcceptsTensorsWithoutElements) {
  lane::Checkpoint checkpoint =
      cantFail(read(makeFile("{" + makeTensor("b", "F32", {3, 0}, 4, 4) + "," +
                                 makeTensor("c", "F4", {0}, 0, 0) + "," +
                                 makeTensor("a", "F32", {1}, 0, 4) + "}",
                             4)));
  ASSERT_EQ(checkpoint.getTensors().size(), 3u);
  EXPECT_EQ(checkpoint.getTensors()[0].name, "c");
  EXPECT_EQ(checkpoint.getTensors()[1].name, "a");
  EXPECT_EQ(checkpoint.lookup("b")->shape, (SmallVector<int64_t, 4>{3, 0}));
  EXPECT_EQ(checkpoint.lookup("b")->sizeBytes, 0);
}

TEST(SafetensorsFile, AcceptsNoTensors) {
  EXPECT_EQ(getError("{}", 0), "");
  EXPECT_EQ(getError("{\"__metadata__\":{}}", 0), "");
}

TEST(SafetensorsFile, AcceptsFieldsInAnyOrder) {
  EXPECT_EQ(getFieldsError("\"data_offsets\": [0, 4], \"shape\": [2, 2],\n"
                           "\"dtype\": \"U8\""),
            "");
}

TEST(SafetensorsFile, AcceptsAnyName) {
  lane::Checkpoint checkpoint = cantFail(
      read(makeFile("{" + makeTensor("\\u0000/\\n", "U8", {}, 0, 1) + "}", 1)));
  EXPECT_EQ(checkpoint.getTensors()[0].name, StringRef("\0/\n", 3));
}

//===----------------------------------------------------------------------===//
// The header's length
//===----------------------------------------------------------------------===//

TEST(SafetensorsFile, RefusesAFileWithoutALength) {
  EXPECT_EQ(
      getError(StringRef("")),
      "header length at offset 0: the file ends (8 bytes needed, 0 left)");
  EXPECT_EQ(
      getError(StringRef("1234567")),
      "header length at offset 0: the file ends (8 bytes needed, 7 left)");
}

TEST(SafetensorsFile, RefusesALengthPastTheEnd) {
  std::string bytes = makeFile("{}", 0);
  EXPECT_EQ(getError(StringRef(bytes).drop_back(1)),
            "header length at offset 0: expected at most 1, found 2");
  EXPECT_EQ(getError(StringRef("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF{}", 10)),
            "header length at offset 0: expected at most 2, found "
            "18446744073709551615");
}

TEST(SafetensorsFile, RefusesALongHeader) {
  std::string header = "{}";
  header.resize(kMaxHeaderBytes, ' ');
  EXPECT_EQ(getError(header, 0), "");
  EXPECT_EQ(getError(header + " ", 0),
            "header length at offset 0: expected at most 100000000, found "
            "100000001");
}

//===----------------------------------------------------------------------===//
// The header's text
//===----------------------------------------------------------------------===//

TEST(SafetensorsFile, RefusesWhatIsNotAnObject) {
  EXPECT_EQ(getError("", 0), "header at offset 8: expected an object");
  EXPECT_EQ(getError("[]", 0), "header at offset 8: expected an object");
  EXPECT_EQ(getError(" {}", 0), "header at offset 8: expected '{'");
  EXPECT_EQ(getError("{}x", 0),
            "header at offset 10: expected the end of the text");
  EXPECT_EQ(getError("{} {}", 0),
            "header at offset 11: expected the end of the text");
  EXPECT_EQ(getError(StringRef("{}\0", 3), 0),
            "header at offset 10: expected the end of the text");
  EXPECT_EQ(getError("{\"a\xFF\":1}", 0), "header at offset 11: not UTF-8");
  EXPECT_EQ(getError("{\"a\":1}", 0),
            "tensor 'a' at offset 13: expected an object");
  EXPECT_EQ(getError("{\"a\":[\"U8\",[],[0,1]]}", 1),
            "tensor 'a' at offset 13: expected an object");
}

TEST(SafetensorsFile, RefusesMetadataOfOtherKinds) {
  EXPECT_EQ(getError("{\"__metadata__\":null}", 0),
            "header at offset 24: expected an object");
  EXPECT_EQ(getError("{\"__metadata__\":{\"a\":1}}", 0),
            "header at offset 29: expected a string");
  EXPECT_EQ(getError("{\"__metadata__\":{\"a\":{}}}", 0),
            "header at offset 29: expected a string");
}

TEST(SafetensorsFile, RefusesKeysTwice) {
  std::string tensor = makeTensor("a\\n", "U8", {}, 0, 1);
  EXPECT_EQ(getError("{" + tensor + "," + tensor + "}", 1),
            "header at offset 62: key 'a\\0A' is there twice");
  EXPECT_EQ(getError("{\"__metadata__\":{},\"__metadata__\":{}}", 0),
            "header at offset 27: key '__metadata__' is there twice");
  EXPECT_EQ(getError("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0),
            "header at offset 33: key 'k' is there twice");
  EXPECT_EQ(getFieldsError("\"dtype\":\"U8\",\"shape\":[4],"
                           "\"data_offsets\":[0,4],\"dtype\":\"U8\""),
            "tensor 'a' at offset 60: key 'dtype' is there twice");
}

//===----------------------------------------------------------------------===//
// A tensor's fields
//===----------------------------------------------------------------------===//

TEST(SafetensorsFile, RefusesMissingAndUnknownFields) {
  std::string dtype = "\"dtype\":\"F32\"", shape = "\"shape\":[]",
              offsets = "\"data_offsets\":[0,4]";
  EXPECT_EQ(getFieldsError(dtype + "," + shape + "," + offsets), "");
  EXPECT_EQ(getFieldsError(""), "tensor 'a' at offset 13: has no dtype");
  EXPECT_EQ(getFieldsError(shape + "," + offsets),
            "tensor 'a' at offset 13: has no dtype");
  EXPECT_EQ(getFieldsError(dtype + "," + offsets),
            "tensor 'a' at offset 13: has no shape");
  EXPECT_EQ(getFieldsError(dtype + "," + shape),
            "tensor 'a' at offset 13: has no data_offsets");
  EXPECT_EQ(getFieldsError("\"offsets\":[0,4]"),
            "tensor 'a' at offset 24: unknown key 'offsets'");
}

TEST(SafetensorsFile, RefusesUnknownDtypes) {
  EXPECT_EQ(getFieldsError("\"dtype\": \"F33\""),
            "tensor 'a' at offset 23: unknown dtype 'F33'");
  EXPECT_EQ(getFieldsError("\"dtype\":\"f32\""),
            "tensor 'a' at offset 22: unknown dtype 'f32'");
  EXPECT_EQ(getFieldsError("\"dtype\":\"\\u0000\""),
            "tensor 'a' at offset 22: unknown dtype '\\00'");
  EXPECT_EQ(getFieldsError("\"dtype\":0"),
            "tensor 'a' at offset 22: expected a string");
}

TEST(SafetensorsFile, RefusesSizesThatAreNotIntegers) {
  for (StringRef size :
       {"-1", "1.0", "1e0", "\"1\"", "null", "01", "18446744073709551616"})
    EXPECT_TRUE(
        StringRef(getFieldsError(("\"shape\":[" + size + "]").str()))
            .starts_with("tensor 'a' at offset 23: expected an integer from 0 "
                         "to 2^64 - 1"))
        << size.str();
  EXPECT_EQ(getFieldsError("\"shape\":1"),
            "tensor 'a' at offset 22: expected an array");
}

TEST(SafetensorsFile, RefusesOtherThanTwoOffsets) {
  for (StringRef offsets : {"[]", "[0]", "[0,4,4]"})
    EXPECT_EQ(getFieldsError(("\"data_offsets\":" + offsets).str()),
              "tensor 'a' at offset 29: expected two data_offsets");
  EXPECT_EQ(getFieldsError("\"data_offsets\":{}"),
            "tensor 'a' at offset 29: expected an array");
  EXPECT_EQ(getFieldsError("\"data_offsets\":[0,4.0]"),
            "tensor 'a' at offset 32: expected an integer from 0 to 2^64 - 1");
}

//===----------------------------------------------------------------------===//
// The tensors' data
//===----------------------------------------------------------------------===//

TEST(SafetensorsFile, RefusesHolesAndOverlaps) {
  EXPECT_EQ(getTensorError("U8", {4}, 1, 5, 5),
            "data_offsets start at 1, expected 0");
  std::string first = "{" + makeTensor("b", "U8", {4}, 0, 4) + ",";
  EXPECT_EQ(getError(first + makeTensor("c", "U8", {4}, 5, 9) + "}", 9),
            "tensor 'c' at offset 65: data_offsets start at 5, expected 4");
  EXPECT_EQ(getError(first + makeTensor("c", "U8", {4}, 3, 7) + "}", 7),
            "tensor 'c' at offset 65: data_offsets start at 3, expected 4");
  EXPECT_EQ(getError(first + makeTensor("c", "U8", {4}, 0, 4) + "}", 4),
            "tensor 'c' at offset 65: data_offsets start at 0, expected 4");
}

TEST(SafetensorsFile, RefusesReversedOffsets) {
  EXPECT_EQ(getError("{" + makeTensor("b", "U8", {4}, 0, 4) + "," +
                         makeTensor("c", "U8", {0}, 4, 3) + "}",
                     4),
            "tensor 'c' at offset 65: data_offsets end at 3, before they start "
            "at 4");
}

TEST(SafetensorsFile, RefusesOtherSizes) {
  EXPECT_EQ(getTensorError("F32", {2, 3}, 0, 23, 23),
            "data_offsets have 23 bytes, but 2x3xF32 has 24");
  EXPECT_EQ(getTensorError("BF16", {}, 0, 4, 4),
            "data_offsets have 4 bytes, but BF16 has 2");
  EXPECT_EQ(getTensorError("BOOL", {0}, 0, 1, 1),
            "data_offsets have 1 bytes, but 0xBOOL has 0");
  EXPECT_EQ(getTensorError("U8", std::vector<uint64_t>(1000, 1), 0, 2, 2),
            "data_offsets have 2 bytes, but 1x1x1x1x1x1x1x1x...xU8 has 1");
}

TEST(SafetensorsFile, RefusesSizesThatOverflow) {
  EXPECT_EQ(getTensorError("U8", {kMax, 2}, 0, 4, 4),
            "the elements of 18446744073709551615x2xU8 overflow 64 bits");
  EXPECT_EQ(
      getTensorError("U8", {uint64_t(1) << 32, uint64_t(1) << 32, 0}, 0, 0, 0),
      "the elements of 4294967296x4294967296x0xU8 overflow 64 bits");
  EXPECT_EQ(getTensorError("F16", {uint64_t(1) << 60}, 0, 4, 4),
            "the bits of 1152921504606846976xF16 overflow 64 bits");
  EXPECT_EQ(getTensorError("U8", {0, kMax}, 0, 0, 0),
            "dimension 18446744073709551615 overflows int64");
  EXPECT_EQ(getTensorError("U8", {kMax >> 1, 0}, 0, 0, 0), "");
}

TEST(SafetensorsFile, RefusesPartsOfBytes) {
  EXPECT_EQ(getTensorError("F4", {3}, 0, 2, 2),
            "3xF4 does not fill whole bytes");
  EXPECT_EQ(getTensorError("F6_E2M3", {2}, 0, 2, 2),
            "2xF6_E2M3 does not fill whole bytes");
  EXPECT_EQ(getTensorError("F4", {2}, 0, 1, 1), "");
  EXPECT_EQ(getTensorError("F6_E3M2", {4}, 0, 3, 3), "");
}

TEST(SafetensorsFile, RefusesDataThatIsMissingOrLeft) {
  EXPECT_EQ(getTensorError("U8", {4}, 0, 4, 3),
            "header at offset 8: the tensors have 4 bytes, but the file has 3 "
            "after the header");
  EXPECT_EQ(getTensorError("U8", {4}, 0, 4, 5),
            "header at offset 8: the tensors have 4 bytes, but the file has 5 "
            "after the header");
  EXPECT_EQ(getError("{}", 1),
            "header at offset 8: the tensors have 0 bytes, but the file has 1 "
            "after the header");
}

TEST(SafetensorsFile, NeverReadsPastTheEnd) {
  std::string whole = makeFile("{\"__metadata__\":{\"a\":\"\\u00e9\"}," +
                                   makeTensor("a", "F16", {1, 2}, 0, 4) + "}",
                               4);
  for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
    // A copy of exactly these bytes, which a sanitizer watches.
    std::vector<char> cut(whole.begin(), whole.begin() + bytes);
    EXPECT_NE(getError(StringRef(cut.data(), bytes)), "") << bytes;
    if (bytes < 8)
      continue;
    support::endian::write64le(cut.data(), bytes - 8);
    EXPECT_NE(getError(StringRef(cut.data(), bytes)), "") << bytes;
  }
}

} // namespace

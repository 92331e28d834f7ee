//===- HeaderTest.cpp - Tests of the GGUF header reader -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/GGUF/Header.h"
#include "GGUFWriter.h"
#include "lane/Checkpoint/File.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <limits>

using namespace llvm;
using namespace lane;
using namespace lane::gguf;

namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Expected<Header> parse(StringRef bytes) {
  return Header::parse(MemoryBufferRef(bytes, "test.gguf"));
}

/// The header of `bytes`, which must be valid.
Header parseGood(StringRef bytes) {
  Expected<Header> header = parse(bytes);
  if (!header)
    report_fatal_error(header.takeError());
  return std::move(*header);
}

/// The error for `bytes`, or an empty string.
std::string parseError(StringRef bytes) {
  Expected<Header> header = parse(bytes);
  return header ? "" : toString(header.takeError());
}

template <typename T>
std::string getError(Expected<T> value) {
  return value ? "" : toString(value.takeError());
}

/// A header with a value of every type, and three tensors.
GGUFWriter makeGood(uint32_t version = 3) {
  GGUFWriter writer(version);
  writer.addScalar<uint8_t>("u8", ValueType::UInt8, 255);
  writer.addScalar<int8_t>("i8", ValueType::Int8, -128);
  writer.addScalar<uint16_t>("u16", ValueType::UInt16, 65535);
  writer.addScalar<int16_t>("i16", ValueType::Int16, -32768);
  writer.addScalar<uint32_t>("u32", ValueType::UInt32, 4294967295u);
  writer.addScalar<int32_t>("i32", ValueType::Int32, -2147483647);
  writer.addScalar<float>("f32", ValueType::Float32, 0.5f);
  writer.addScalar<uint8_t>("bool", ValueType::Bool, 1);
  writer.addString("str", "text");
  writer.addScalar<uint64_t>("u64", ValueType::UInt64, ~uint64_t(0));
  writer.addScalar<int64_t>("i64", ValueType::Int64, -kMax - 1);
  writer.addScalar<double>("f64", ValueType::Float64, 1e300);
  writer.addArray<uint16_t>("arr", ValueType::UInt16, {1, 2, 65535});
  writer.addArray<float>("floats", ValueType::Float32, {0.25f, -1.0f});
  writer.addArray<uint8_t>("bools", ValueType::Bool, {0, 1, 2});
  writer.addStringArray("strings", {"a", "", "longer one"});
  writer.addTensor("embd", {64, 3}, NumberFormat::Q8_0);
  writer.addTensor("norm", {5}, NumberFormat::F32);
  writer.addTensor("exps", {256, 2, 2, 2}, NumberFormat::Q4_K);
  return writer;
}

//===----------------------------------------------------------------------===//
// Metadata
//===----------------------------------------------------------------------===//

TEST(GGUFMetadata, IntegersOfEveryType) {
  std::string bytes = makeGood().write();
  Header header = parseGood(bytes);
  EXPECT_EQ(header.lookup("u8")->getInteger(), 255);
  EXPECT_EQ(header.lookup("i8")->getInteger(), -128);
  EXPECT_EQ(header.lookup("u16")->getInteger(), 65535);
  EXPECT_EQ(header.lookup("i16")->getInteger(), -32768);
  EXPECT_EQ(header.lookup("u32")->getInteger(), 4294967295);
  EXPECT_EQ(header.lookup("i32")->getInteger(), -2147483647);
  EXPECT_EQ(header.lookup("i64")->getInteger(), -kMax - 1);
  EXPECT_FALSE(header.lookup("u64")->getInteger());
  EXPECT_EQ(header.lookup("u64")->getUnsigned(), ~uint64_t(0));
  EXPECT_EQ(header.lookup("u8")->getUnsigned(), 255u);
  EXPECT_FALSE(header.lookup("i8")->getUnsigned());
  for (StringRef key : {"f32", "f64", "bool", "str", "arr", "strings"}) {
    EXPECT_FALSE(header.lookup(key)->getInteger()) << key.str();
    EXPECT_FALSE(header.lookup(key)->getUnsigned()) << key.str();
  }
}

TEST(GGUFMetadata, NumbersAreIntegersToo) {
  std::string bytes = makeGood().write();
  Header header = parseGood(bytes);
  EXPECT_EQ(header.lookup("f32")->getNumber(), 0.5);
  EXPECT_EQ(header.lookup("f64")->getNumber(), 1e300);
  EXPECT_EQ(header.lookup("i8")->getNumber(), -128.0);
  EXPECT_EQ(header.lookup("u64")->getNumber(), 18446744073709551616.0);
  for (StringRef key : {"bool", "str", "arr", "floats"})
    EXPECT_FALSE(header.lookup(key)->getNumber()) << key.str();
}

TEST(GGUFMetadata, BoolsAndStrings) {
  std::string bytes = makeGood().write();
  Header header = parseGood(bytes);
  EXPECT_EQ(header.lookup("bool")->getBool(), true);
  EXPECT_FALSE(header.lookup("u8")->getBool());
  EXPECT_FALSE(header.lookup("bools")->getBool());
  EXPECT_EQ(header.lookup("str")->getString(), StringRef("text"));
  EXPECT_FALSE(header.lookup("strings")->getString());
  EXPECT_FALSE(header.lookup("u8")->getString());
}

TEST(GGUFMetadata, ElementsOfArrays) {
  std::string bytes = makeGood().write();
  Header header = parseGood(bytes);
  const Value &numbers = *header.lookup("arr");
  EXPECT_EQ(numbers.getType(), ValueType::Array);
  EXPECT_EQ(numbers.getElementType(), ValueType::UInt16);
  EXPECT_EQ(numbers.size(), 3u);
  EXPECT_EQ(numbers.getInteger(0), 1);
  EXPECT_EQ(numbers.getInteger(2), 65535);
  EXPECT_FALSE(numbers.getInteger(3));
  EXPECT_FALSE(numbers.getInteger(~uint64_t(0)));
  EXPECT_EQ(header.lookup("floats")->getNumber(1), -1.0);
  EXPECT_FALSE(header.lookup("floats")->getInteger(1));
  EXPECT_EQ(header.lookup("bools")->getBool(0), false);
  EXPECT_EQ(header.lookup("bools")->getBool(2), true);
  EXPECT_FALSE(header.lookup("bools")->getBool(3));
  // A scalar is its own only element.
  EXPECT_EQ(header.lookup("u8")->size(), 1u);
  EXPECT_EQ(header.lookup("u8")->getInteger(0), 255);
  EXPECT_FALSE(header.lookup("u8")->getInteger(1));
}

TEST(GGUFMetadata, StringsOfArrays) {
  std::string bytes = makeGood().write();
  Header header = parseGood(bytes);
  SmallVector<StringRef> strings;
  auto collect = [&](StringRef text) { strings.push_back(text); };
  header.lookup("strings")->forEachString(collect);
  header.lookup("str")->forEachString(collect);
  header.lookup("arr")->forEachString(collect);
  EXPECT_EQ(strings, (SmallVector<StringRef>{"a", "", "longer one", "text"}));
  EXPECT_FALSE(header.lookup("strings")->getInteger(0));
  EXPECT_FALSE(header.lookup("strings")->getNumber(0));
  EXPECT_FALSE(header.lookup("strings")->getBool(0));
}

TEST(GGUFMetadata, KeepsTheOrderOfTheFile) {
  std::string bytes = makeGood().write();
  Header header = parseGood(bytes);
  ASSERT_EQ(header.getMetadata().size(), 16u);
  EXPECT_EQ(header.getMetadata().front().key, "u8");
  EXPECT_EQ(header.getMetadata().front().headerOffset, 24u);
  EXPECT_EQ(header.getMetadata().back().key, "strings");
  EXPECT_EQ(header.lookup("none"), nullptr);
  EXPECT_EQ(header.lookup(""), nullptr);
}

TEST(GGUFMetadata, TypedLookUps) {
  std::string bytes = makeGood().write();
  Header header = parseGood(bytes);
  EXPECT_EQ(cantFail(header.getInteger("u8")), 255);
  EXPECT_EQ(cantFail(header.getNumber("f32")), 0.5);
  EXPECT_EQ(cantFail(header.getBool("bool")), true);
  EXPECT_EQ(cantFail(header.getString("str")), "text");
  EXPECT_EQ(cantFail(header.getIntegerOr("none", 7)), 7);
  EXPECT_EQ(cantFail(header.getIntegerOr("u8", 7)), 255);
  EXPECT_EQ(cantFail(header.getNumberOr("none", 0.5)), 0.5);
  EXPECT_EQ(cantFail(header.getBoolOr("none", true)), true);

  EXPECT_EQ(getError(header.getInteger("none")),
            "test.gguf: key 'none': missing, expected an integer below 2^63");
  EXPECT_EQ(getError(header.getString("u8")),
            "test.gguf: key 'u8' at offset 24: expected a string, found u8");
  EXPECT_EQ(getError(header.getBool("u8")),
            "test.gguf: key 'u8' at offset 24: expected a bool, found u8");
  EXPECT_EQ(getError(header.getNumberOr("str", 1)),
            "test.gguf: key 'str' at offset 162: expected a number, found str");
  EXPECT_EQ(getError(header.getIntegerOr("u64", 1)),
            "test.gguf: key 'u64' at offset 189: expected an integer below "
            "2^63, found u64");
  EXPECT_EQ(getError(header.getInteger("arr")),
            "test.gguf: key 'arr' at offset 258: expected an integer below "
            "2^63, found arr of 3 u16");
}

TEST(GGUFMetadata, OneIntegerForAllLayersOrOneEach) {
  std::string bytes = makeGood().write();
  Header header = parseGood(bytes);
  EXPECT_EQ(cantFail(header.getIntegers("arr", 3)),
            (SmallVector<int64_t>{1, 2, 65535}));
  EXPECT_EQ(cantFail(header.getIntegers("u8", 2)),
            (SmallVector<int64_t>{255, 255}));
  EXPECT_EQ(getError(header.getIntegers("arr", 4)),
            "test.gguf: key 'arr' at offset 258: expected an integer below "
            "2^63 or an array of 4, found arr of 3 u16");
  EXPECT_EQ(getError(header.getIntegers("floats", 2)),
            "test.gguf: key 'floats' at offset 291: expected an integer below "
            "2^63 or an array of 2, found arr of 2 f32");
  EXPECT_FALSE(getError(header.getIntegers("none", 2)).empty());
}

TEST(GGUFMetadata, MessagesWithAnyKeyAreOneLine) {
  GGUFWriter writer;
  std::string key = "a\nb\x01" + std::string(300, 'k');
  writer.addString(key, "x");
  writer.addString(key, "y");
  EXPECT_EQ(parseError(writer.write()),
            "test.gguf: key 1 at offset 349: 'a\\0Ab\\01" +
                std::string(196, 'k') + "...' is already defined at offset 24");
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

TEST(GGUFTensors, PlacesAndSizes) {
  GGUFWriter writer = makeGood();
  std::string bytes = writer.write();
  Header header = parseGood(bytes);
  EXPECT_EQ(header.getVersion(), 3u);
  EXPECT_EQ(header.getAlignment(), 32u);
  EXPECT_EQ(header.getDataOffset(), int64_t(bytes.size()));
  EXPECT_EQ(header.getFileBytes(), bytes.size());
  ASSERT_EQ(header.getTensors().size(), 3u);

  const Tensor &embd = header.getTensors()[0];
  EXPECT_EQ(embd.name, "embd");
  EXPECT_EQ(embd.shape, (SmallVector<int64_t, 4>{64, 3}));
  EXPECT_EQ(embd.format, NumberFormat::Q8_0);
  EXPECT_EQ(embd.offset, header.getDataOffset());
  EXPECT_EQ(embd.sizeBytes, 3 * 68);

  const Tensor &norm = header.getTensors()[1];
  EXPECT_EQ(norm.offset, embd.offset + 224);
  EXPECT_EQ(norm.sizeBytes, 20);

  const Tensor &exps = header.getTensors()[2];
  EXPECT_EQ(exps.shape, (SmallVector<int64_t, 4>{256, 2, 2, 2}));
  EXPECT_EQ(exps.offset, norm.offset + 32);
  EXPECT_EQ(exps.sizeBytes, 8 * 144);
  EXPECT_EQ(header.lookupTensor("exps"), &exps);
  EXPECT_EQ(header.lookupTensor("none"), nullptr);
}

TEST(GGUFTensors, DataMayBeMissing) {
  std::string bytes = makeGood().write();
  EXPECT_FALSE(parseGood(bytes).hasTensorData());
  // The padding after the last tensor is not data.
  bytes.resize(bytes.size() + 224 + 32 + 8 * 144);
  EXPECT_TRUE(parseGood(bytes).hasTensorData());
  bytes.pop_back();
  EXPECT_FALSE(parseGood(bytes).hasTensorData());
  std::string noTensors = GGUFWriter().write();
  EXPECT_TRUE(parseGood(noTensors).hasTensorData());
}

TEST(GGUFTensors, Version2IsTheSame) {
  std::string bytes = makeGood(2).write();
  Header header = parseGood(bytes);
  EXPECT_EQ(header.getVersion(), 2u);
  EXPECT_EQ(header.getTensors().size(), 3u);
  EXPECT_EQ(header.getMetadata().size(), 16u);
  EXPECT_EQ(parseError(makeGood(1).write()),
            "test.gguf: version at offset 4: 1 is not supported (2 and 3 are)");
  EXPECT_EQ(parseError(makeGood(0x02000000).write()),
            "test.gguf: version at offset 4: 33554432 is 2 with its bytes "
            "swapped: big-endian files are not supported");
}

TEST(GGUFTensors, EveryAlignment) {
  for (uint32_t alignment = 1; alignment <= 4096; alignment *= 2) {
    GGUFWriter writer;
    writer.setAlignment(alignment);
    writer.addTensor("a", {3}, NumberFormat::I8);
    writer.addTensor("b", {5}, NumberFormat::F32);
    writer.addTensor("c", {}, NumberFormat::F32);
    std::string bytes = writer.write();
    Header header = parseGood(bytes);
    EXPECT_EQ(header.getAlignment(), alignment);
    EXPECT_EQ(header.getDataOffset() % alignment, 0);
    EXPECT_EQ(header.getDataOffset(), int64_t(bytes.size()));
    for (const Tensor &tensor : header.getTensors())
      EXPECT_EQ(tensor.offset % alignment, 0);
    EXPECT_EQ(header.lookupTensor("c")->sizeBytes, 4);
  }
  GGUFWriter odd;
  odd.setAlignment(33);
  EXPECT_EQ(parseError(odd.write()),
            "test.gguf: key 'general.alignment' at offset 24: 33 is not a "
            "power of two");
}

TEST(GGUFTensors, EveryFormat) {
  GGUFWriter writer;
  for (NumberFormat format : getAllNumberFormats())
    writer.addTensor(stringifyNumberFormat(format), {512, 3}, format);
  std::string bytes = writer.write();
  Header header = parseGood(bytes);
  for (NumberFormat format : getAllNumberFormats()) {
    const Tensor *tensor = header.lookupTensor(stringifyNumberFormat(format));
    ASSERT_TRUE(tensor);
    EXPECT_EQ(tensor->format, format);
    EXPECT_EQ(tensor->sizeBytes, 3 * *getRowBytes(format, 512));
  }
}

TEST(GGUFTensors, NamesAreAtMost63Bytes) {
  GGUFWriter fits, longer;
  fits.addTensor(std::string(63, 'n'), {1}, NumberFormat::F32);
  longer.addTensor(std::string(64, 'n'), {1}, NumberFormat::F32);
  EXPECT_EQ(parseError(fits.write()), "");
  EXPECT_EQ(parseError(longer.write()),
            "test.gguf: name of tensor 0 at offset 24: 64 bytes (at most 63)");
}

TEST(GGUFTensors, NoRowsOrColumnsIsNoBytes) {
  GGUFWriter writer;
  writer.addRawTensor("a", {0, kMax, kMax}, 12, 0);
  writer.addRawTensor("b", {256, kMax, kMax, 0}, 12, 0);
  writer.addRawTensor("c", {256}, 12, 0);
  std::string bytes = writer.write();
  Header header = parseGood(bytes);
  EXPECT_EQ(header.lookupTensor("a")->sizeBytes, 0);
  EXPECT_EQ(header.lookupTensor("b")->sizeBytes, 0);
  EXPECT_EQ(header.lookupTensor("c")->offset, header.getDataOffset());
}

TEST(GGUFTensors, RemovedTypesAreNamed) {
  for (auto [id, name] :
       {std::pair(5, "q4_3"), {33, "q4_0_8_8"}, {38, "iq4_nl_8_8"}}) {
    GGUFWriter writer;
    writer.addRawTensor("a", {256}, id, 0);
    EXPECT_EQ(parseError(writer.write()),
              ("test.gguf: type of tensor 'a' at offset 45: ggml has removed "
               "type " +
               Twine(id) + " (" + name + ")")
                  .str());
  }
}

//===----------------------------------------------------------------------===//
// Large numbers
//===----------------------------------------------------------------------===//

TEST(GGUFLimits, TensorsPast4GiB) {
  GGUFWriter writer;
  // 640 GiB, the size of the largest models.
  for (int i = 0; i < 64; ++i)
    writer.addTensor("t" + std::to_string(i), {1 << 16, 1 << 13, 10},
                     NumberFormat::F16);
  std::string bytes = writer.write();
  Header header = parseGood(bytes);
  EXPECT_EQ(header.getTensors().back().sizeBytes, int64_t(10) << 30);
  EXPECT_EQ(header.getTensors().back().offset,
            header.getDataOffset() + (int64_t(630) << 30));
}

TEST(GGUFLimits, TheLastByteIsAnInt64) {
  // Header bytes: 24, then 8 + 1 + 4 + 8 + 4 + 8 of the tensor, padded to 64.
  constexpr int64_t kMostBytes = kMax - 31 - 64;
  GGUFWriter fits, overflows;
  fits.addRawTensor("a", {kMostBytes}, 24, 0);
  std::string bytes = fits.write();
  Header header = parseGood(bytes);
  EXPECT_EQ(header.getDataOffset(), 64);
  EXPECT_EQ(header.getTensors().front().sizeBytes, kMostBytes);
  EXPECT_FALSE(header.hasTensorData());
  overflows.addRawTensor("a", {kMostBytes + 1}, 24, 0);
  EXPECT_EQ(parseError(overflows.write()),
            "test.gguf: tensor data at offset 64: the end of its "
            "9223372036854775744 bytes overflows int64");
}

TEST(GGUFLimits, PaddingDoesNotWrap) {
  GGUFWriter writer;
  writer.addRawTensor("a", {kMax - 5}, 24, 0);
  EXPECT_EQ(parseError(writer.write()),
            "test.gguf: offset of tensor 'a' at offset 49: the end of its "
            "data overflows int64 (0 + 9223372036854775802)");
}

TEST(GGUFLimits, BytesOfATensorDoNotWrap) {
  GGUFWriter writer;
  writer.addRawTensor("a", {int64_t(1) << 31, int64_t(1) << 31}, 28, 0);
  EXPECT_EQ(parseError(writer.write()),
            "test.gguf: type of tensor 'a' at offset 53: [2147483648 x "
            "2147483648] of f64: the byte size overflows int64");
}

TEST(GGUFLimits, ElementsDoNotWrapInAnyDimension) {
  for (SmallVector<int64_t> shape : {SmallVector<int64_t>{32, kMax},
                                     {32, 1, kMax},
                                     {32, 1, 1, kMax},
                                     {1 << 16, 1 << 16, 1 << 16, 1 << 16}}) {
    GGUFWriter writer;
    writer.addRawTensor("a", shape, 8, 0);
    EXPECT_TRUE(StringRef(parseError(writer.write()))
                    .ends_with("]: the element count overflows int64"));
  }
}

TEST(GGUFLimits, CountsAreCheckedAgainstTheFile) {
  // A count that fits is read; one more than can fit is refused at once.
  std::string bytes = makeGood().write();
  for (size_t field : {8, 16})
    for (uint64_t count : {uint64_t(bytes.size()), uint64_t(kMax),
                           uint64_t(1) << 63, ~uint64_t(0)}) {
      std::string bad = bytes;
      support::endian::write64le(bad.data() + field, count);
      std::string message = parseError(bad);
      EXPECT_TRUE(StringRef(message).contains(field == 8
                                                  ? "tensor count at offset 8: "
                                                  : "key count at offset 16: "))
          << message;
    }
}

//===----------------------------------------------------------------------===//
// Bad bytes
//===----------------------------------------------------------------------===//

TEST(GGUFBadBytes, TruncationIsRefusedEverywhere) {
  std::string bytes = makeGood().write();
  for (size_t size = 0; size < bytes.size(); ++size) {
    // A separate copy, so that a sanitizer detects a read past its end.
    std::unique_ptr<char[]> copy(new char[size]);
    std::copy_n(bytes.data(), size, copy.get());
    std::string message = parseError(StringRef(copy.get(), size));
    EXPECT_TRUE(StringRef(message).starts_with("test.gguf: ")) << size;
    EXPECT_TRUE(StringRef(message).contains(" at offset ")) << message;
    EXPECT_FALSE(StringRef(message).contains('\n')) << message;
  }
  EXPECT_EQ(parseError(bytes), "");
}

TEST(GGUFBadBytes, TruncationOfMetadataIsRefused) {
  GGUFWriter writer;
  writer.addArray<uint16_t>("arr", ValueType::UInt16, {1, 2, 3});
  writer.addStringArray("strings", {"a", "", "longer one"});
  std::string bytes = writer.write();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(parseError(StringRef(bytes).take_front(size)), "") << size;
  EXPECT_EQ(parseError(bytes), "");
}

TEST(GGUFBadBytes, NoByteMakesItCrash) {
  std::string bytes = makeGood().write();
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int value : {0, 1, 8, 9, 0x7f, 0x80, 0xff}) {
      std::string bad = bytes;
      bad[i] = static_cast<char>(value);
      Expected<Header> header = parse(bad);
      if (!header) {
        std::string message = toString(header.takeError());
        EXPECT_TRUE(StringRef(message).contains(" at offset ")) << message;
        continue;
      }
      // An accepted header can be read completely.
      for (const KeyValue &entry : header->getMetadata()) {
        for (uint64_t k = 0; k < entry.value.size(); ++k)
          (void)entry.value.getNumber(k);
        entry.value.forEachString([](StringRef) {});
      }
    }
}

TEST(GGUFBadBytes, StringsAndArraysThatAreTooLong) {
  GGUFWriter writer;
  writer.addStringArray("s", {"one", "two"});
  std::string bytes = writer.write();
  // 24 of the counts, 8 + 1 of the key, two types and the array's length.
  size_t array = 24 + 9 + 4 + 4;
  support::endian::write64le(bytes.data() + array, uint64_t(1) << 61);
  EXPECT_EQ(parseError(bytes),
            "test.gguf: length of key 's' at offset 41: 2305843009213693952 "
            "elements do not fit in the file (at least 8 bytes each, 22 left)");
  support::endian::write64le(bytes.data() + array, 2);
  support::endian::write64le(bytes.data() + array + 8 + 11, 4);
  EXPECT_EQ(parseError(bytes),
            "test.gguf: element 1 of key 's' at offset 60: a string of 4 bytes "
            "extends past the end of the file (3 left)");
}

TEST(GGUFBadBytes, OffsetsAreTheRunningSum) {
  for (uint64_t offset : {uint64_t(0), uint64_t(4), uint64_t(64),
                          uint64_t(1) << 63, ~uint64_t(0)}) {
    GGUFWriter writer;
    writer.addTensor("a", {8}, NumberFormat::F32);
    writer.addRawTensor("b", {8}, 0, offset);
    EXPECT_EQ(parseError(writer.write()),
              ("test.gguf: offset of tensor 'b' at offset 82: expected 32, "
               "where the tensors before it end, found " +
               Twine(offset))
                  .str());
  }
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

TEST(GGUFFiles, OpensAnEmptyFile) {
  SmallString<128> path;
  ASSERT_FALSE(sys::fs::createTemporaryFile("lane", "gguf", path));
  scope_exit remove([&] { sys::fs::remove(path); });
  auto buffer = cantFail(openFile(path));
  EXPECT_EQ(parseError(buffer->getBuffer()),
            "test.gguf: magic at offset 0: the file ends (4 bytes needed, 0 "
            "left)");
}

TEST(GGUFFiles, OpensASparseFileOf640GiB) {
  GGUFWriter writer;
  writer.addTensor("a", {1 << 16, 1 << 13, 640}, NumberFormat::F16);
  std::string bytes = writer.write();
  uint64_t fileBytes = bytes.size() + writer.getDataBytes();

  SmallString<128> path;
  int fd;
  ASSERT_FALSE(sys::fs::createTemporaryFile("lane", "gguf", fd, path));
  scope_exit remove([&] { sys::fs::remove(path); });
  {
    raw_fd_ostream os(fd, /*shouldClose=*/true);
    os << bytes;
    os.flush();
    if (sys::fs::resize_file_sparse(fd, fileBytes))
      GTEST_SKIP() << "the file system has no sparse files of that size";
  }
  auto buffer = cantFail(openFile(path));
  Header header = parseGood(buffer->getBuffer());
  EXPECT_EQ(header.getFileBytes(), fileBytes);
  EXPECT_TRUE(header.hasTensorData());
  EXPECT_EQ(header.getTensors().front().sizeBytes, int64_t(640) << 30);
}

} // namespace

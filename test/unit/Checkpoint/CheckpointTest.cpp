//===- CheckpointTest.cpp - Tests of the neutral checkpoint ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/Checkpoint.h"
#include "GGUFWriter.h"
#include "SafetensorsWriter.h"
#include "lane/Checkpoint/CheckpointFormat.h"
#include "lane/Checkpoint/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace lane;

namespace {

template <typename T>
std::string getError(Expected<T> value) {
  return value ? "" : toString(value.takeError());
}

/// A folder for the test's files, removed with all of them at its end.
class CheckpointTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("lane-checkpoint", folder));
  }
  void TearDown() override { sys::fs::remove_directories(folder); }

  /// Writes a file and returns its path.
  std::string write(StringRef name, StringRef bytes) {
    SmallString<128> path(folder);
    sys::path::append(path, name);
    std::error_code code;
    raw_fd_ostream(path, code) << bytes;
    EXPECT_FALSE(code) << code.message();
    return path.str().str();
  }

  /// Writes a shard with one tensor of four f32 and returns its path.
  std::string writeShard(StringRef name, uint16_t number, StringRef tensor) {
    gguf::GGUFWriter writer;
    writer.addScalar<uint16_t>("split.no", gguf::ValueType::UInt16, number);
    writer.addScalar<uint16_t>("split.count", gguf::ValueType::UInt16, 2);
    writer.addScalar<int32_t>("split.tensors.count", gguf::ValueType::Int32, 2);
    writer.addTensor(tensor, {4}, NumberFormat::F32);
    return write(name, writer.write());
  }

  /// Writes a safetensors file with tensors of four u8 and returns its path.
  std::string writeSafetensors(StringRef name, ArrayRef<StringRef> tensors) {
    std::string header;
    for (auto [index, tensor] : enumerate(tensors))
      header +=
          (index ? "," : "{") +
          safetensors::makeTensor(tensor, "U8", {4}, 4 * index, 4 * index + 4);
    return write(name, safetensors::makeFile(header + "}", 4 * tensors.size()));
  }

  SmallString<128> folder;
};

TEST_F(CheckpointTest, ListsTheTensorsOfOneFile) {
  gguf::GGUFWriter writer;
  writer.addTensor("scalar", {}, NumberFormat::F16);
  writer.addTensor("embd", {64, 3}, NumberFormat::Q8_0);
  writer.addTensor("exps", {256, 2, 5}, NumberFormat::Q4_K);
  std::string header = writer.write();
  std::string path =
      write("model.gguf", header + std::string(writer.getDataBytes(), '\0'));

  Checkpoint checkpoint = cantFail(Checkpoint::open(path));
  ASSERT_EQ(checkpoint.getFiles().size(), 1u);
  EXPECT_EQ(checkpoint.getFiles()[0].path, path);
  EXPECT_EQ(checkpoint.getFiles()[0].sizeBytes,
            header.size() + writer.getDataBytes());

  ASSERT_EQ(checkpoint.getTensors().size(), 3u);
  const CheckpointTensor &scalar = checkpoint.getTensors()[0];
  EXPECT_EQ(scalar.name, "scalar");
  EXPECT_TRUE(scalar.shape.empty());
  EXPECT_EQ(scalar.sizeBytes, 2);
  const CheckpointTensor &embd = checkpoint.getTensors()[1];
  EXPECT_EQ(embd.format, NumberFormat::Q8_0);
  EXPECT_EQ(embd.shape, (SmallVector<int64_t, 4>{3, 64}));
  EXPECT_EQ(embd.file, 0u);
  EXPECT_EQ(embd.offset, scalar.offset + 32);
  EXPECT_EQ(embd.sizeBytes, 3 * 2 * 34);
  const CheckpointTensor &exps = checkpoint.getTensors()[2];
  EXPECT_EQ(exps.shape, (SmallVector<int64_t, 4>{5, 2, 256}));
  EXPECT_EQ(exps.sizeBytes, 5 * 2 * 144);

  EXPECT_EQ(checkpoint.lookup("embd"), &embd);
  EXPECT_EQ(checkpoint.lookup("none"), nullptr);
}

TEST_F(CheckpointTest, ListsTheTensorsOfAllFilesFromAnyOfThem) {
  std::string first = writeShard("m-00001-of-00002.gguf", 0, "a");
  std::string second = writeShard("m-00002-of-00002.gguf", 1, "b");
  for (StringRef path : {first, second}) {
    Checkpoint checkpoint = cantFail(Checkpoint::open(path));
    ASSERT_EQ(checkpoint.getFiles().size(), 2u);
    EXPECT_EQ(checkpoint.getFiles()[0].path, first);
    EXPECT_EQ(checkpoint.getFiles()[1].path, second);
    ASSERT_EQ(checkpoint.getTensors().size(), 2u);
    EXPECT_EQ(checkpoint.lookup("a")->file, 0u);
    EXPECT_EQ(checkpoint.lookup("b")->file, 1u);
  }
}

TEST_F(CheckpointTest, RefusesTheSameNameInTwoFiles) {
  std::string first = writeShard("m-00001-of-00002.gguf", 0, "a\n");
  std::string second = writeShard("m-00002-of-00002.gguf", 1, "a\n");
  EXPECT_EQ(getError(Checkpoint::open(first)),
            second + ": tensor 'a\\0A' is also in '" + first + "'");
}

TEST_F(CheckpointTest, RefusesTheSameNameInOneFile) {
  CheckpointTensor tensor = {"a", NumberFormat::F32, "f32", {4}, 0, 0, 16};
  EXPECT_EQ(getError(Checkpoint::create({{"x", 16}}, {tensor, tensor})),
            "x: tensor 'a' is defined twice");
}

TEST_F(CheckpointTest, ListsTheTensorsOfAnIndex) {
  // 'c' is in a shard, but not in the index; 'a' is in both shards.
  std::string second = writeSafetensors("2.safetensors", {"c", "b", "a"});
  std::string first = writeSafetensors("1.safetensors", {"a"});
  std::string index = write(
      "model.safetensors.index.json",
      "{\"weight_map\":{\"b\":\"2.safetensors\",\"a\":\"1.safetensors\"}}");
  Checkpoint checkpoint = cantFail(Checkpoint::open(index));
  ASSERT_EQ(checkpoint.getFiles().size(), 2u);
  EXPECT_EQ(checkpoint.getFiles()[0].path, first);
  EXPECT_EQ(checkpoint.getFiles()[1].path, second);
  ASSERT_EQ(checkpoint.getTensors().size(), 2u);
  EXPECT_EQ(checkpoint.lookup("a")->file, 0u);
  EXPECT_EQ(checkpoint.lookup("b")->file, 1u);
  EXPECT_EQ(checkpoint.lookup("b")->offset,
            int64_t(checkpoint.getFiles()[1].sizeBytes) - 8);
}

TEST_F(CheckpointTest, RefusesAnIndexThatTheShardsContradict) {
  std::string index = write(
      "model.safetensors.index.json",
      "{\"weight_map\":{\"a\":\"1.safetensors\",\"b\":\"1.safetensors\"}}");
  std::string shard = (folder + "/1.safetensors").str();
  EXPECT_EQ(getError(Checkpoint::open(index)),
            index + ": shard '1.safetensors': " + shard +
                ": cannot be opened: no such file or directory");
  write("1.safetensors", "");
  EXPECT_EQ(getError(Checkpoint::open(index)),
            shard + ": header length at offset 0: the file ends (8 bytes "
                    "needed, 0 left)");
  writeSafetensors("1.safetensors", {"a"});
  EXPECT_EQ(getError(Checkpoint::open(index)),
            index + ": tensor 'b' is not in shard '1.safetensors'");
  writeSafetensors("1.safetensors", {"b", "a"});
  EXPECT_EQ(getError(Checkpoint::open(index)), "");
}

TEST_F(CheckpointTest, RefusesAFormatThatIsNotKnown) {
  for (StringRef bytes : {"", "GGU", "PK\x03\x04"}) {
    std::string path = write("model.bin", bytes);
    EXPECT_EQ(getError(Checkpoint::open(path)),
              path +
                  ": unknown checkpoint format; known are GGUF, safetensors");
  }
}

TEST_F(CheckpointTest, RecognizesFormatsByContentOrName) {
  std::string header = gguf::GGUFWriter().write();
  EXPECT_EQ(getError(Checkpoint::open(write("model", header))), "");
  // The reader for the extension reports the error.
  std::string path = write("model.gguf", "tjgg");
  EXPECT_EQ(getError(Checkpoint::open(path)),
            path + ": magic at offset 0: expected 'GGUF', found 'tjgg'");
  path = writeSafetensors("weights", {"a"});
  EXPECT_EQ(getError(Checkpoint::open(path)), "");
  path = write("model.safetensors", "{}");
  EXPECT_EQ(getError(Checkpoint::open(path)),
            path + ": header length at offset 0: the file ends (8 bytes "
                   "needed, 2 left)");
}

TEST_F(CheckpointTest, EachFormatIsFoundByItsName) {
  EXPECT_EQ(lookupCheckpointFormat("GGUF", "model")->name, "GGUF");
  EXPECT_EQ(lookupCheckpointFormat("", "model.gguf")->name, "GGUF");
  for (StringRef path : {"model.safetensors", "model.safetensors.index.json"})
    EXPECT_EQ(lookupCheckpointFormat("", path)->name, "safetensors");
  EXPECT_EQ(
      lookupCheckpointFormat(StringRef("\2\0\0\0\0\0\0\0{}", 10), "m")->name,
      "safetensors");
  EXPECT_EQ(lookupCheckpointFormat("module {}", "model.mlir"), nullptr);
  // The length is 0, past the end, or before something else.
  for (StringRef bytes : {StringRef("\0\0\0\0\0\0\0\0{}", 10),
                          StringRef("\3\0\0\0\0\0\0\0{}", 10),
                          StringRef("\2\0\0\0\0\0\0\0[]", 10)})
    EXPECT_EQ(lookupCheckpointFormat(bytes, "m"), nullptr);
}

TEST_F(CheckpointTest, OpensOnlyRegularFiles) {
  EXPECT_EQ(getError(openFile("/no/such/file")),
            "/no/such/file: cannot be opened: no such file or directory");
  EXPECT_EQ(getError(openFile("/")), "/: cannot be opened: not a regular file");
  EXPECT_EQ(getError(Checkpoint::open("/dev/zero")),
            "/dev/zero: cannot be opened: not a regular file");
}

} // namespace

//===- CheckpointTest.cpp - Tests of the neutral checkpoint ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/Checkpoint.h"
#include "GGUFWriter.h"
#include "lane/Checkpoint/CheckpointFormat.h"
#include "lane/Checkpoint/File.h"
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
  CheckpointTensor tensor = {"a", NumberFormat::F32, {4}, 0, 0, 16};
  EXPECT_EQ(getError(Checkpoint::create({{"x", 16}}, {tensor, tensor})),
            "x: tensor 'a' is defined twice");
}

TEST_F(CheckpointTest, RefusesAFormatThatIsNotKnown) {
  for (StringRef bytes : {"", "GGU", "PK\x03\x04"}) {
    std::string path = write("model.bin", bytes);
    EXPECT_EQ(getError(Checkpoint::open(path)),
              path + ": unknown checkpoint format; known are GGUF");
  }
}

TEST_F(CheckpointTest, RecognizesFormatsByContentOrName) {
  std::string header = gguf::GGUFWriter().write();
  EXPECT_EQ(getError(Checkpoint::open(write("model", header))), "");
  // The reader for the extension reports the error.
  std::string path = write("model.gguf", "tjgg");
  EXPECT_EQ(getError(Checkpoint::open(path)),
            path + ": magic at offset 0: expected 'GGUF', found 'tjgg'");
}

TEST_F(CheckpointTest, EachFormatIsFoundByItsName) {
  EXPECT_EQ(lookupCheckpointFormat("GGUF", "model")->name, "GGUF");
  EXPECT_EQ(lookupCheckpointFormat("", "model.gguf")->name, "GGUF");
  EXPECT_EQ(lookupCheckpointFormat("module {}", "model.mlir"), nullptr);
}

TEST_F(CheckpointTest, OpensOnlyRegularFiles) {
  EXPECT_EQ(getError(openFile("/no/such/file")),
            "/no/such/file: cannot be opened: no such file or directory");
  EXPECT_EQ(getError(openFile("/")), "/: cannot be opened: not a regular file");
  EXPECT_EQ(getError(Checkpoint::open("/dev/zero")),
            "/dev/zero: cannot be opened: not a regular file");
}

} // namespace

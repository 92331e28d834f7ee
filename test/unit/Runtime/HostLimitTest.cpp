//===- HostLimitTest.cpp - Tests of the limits of host memory -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Runtime/HostLimit.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

class HostLimitTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "host-limit-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(root); }

  void write(const std::string &path, const std::string &text) {
    std::filesystem::path file = root + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  int64_t get() { return lane::runtime::getAvailableHostBytes(root); }

  std::string root;
};

TEST_F(HostLimitTest, HasNoLimitWithoutTheSystemsFiles) {
  EXPECT_EQ(get(), INT64_MAX);
}

TEST_F(HostLimitTest, ReadsMemAvailable) {
  write("/proc/meminfo", "MemTotal:       1000 kB\nMemFree:    10 kB\n"
                         "MemAvailable:        500 kB\nBuffers: 1 kB\n");
  EXPECT_EQ(get(), 500 * 1024);
}

TEST_F(HostLimitTest, ReadsTheGroupAndTheGroupsAroundIt) {
  write("/proc/meminfo", "MemAvailable: 500 kB\n");
  write("/proc/self/cgroup", "1:cpu:/other\n0::/outer/inner\n");
  EXPECT_EQ(get(), 500 * 1024);
  write("/sys/fs/cgroup/outer/inner/memory.max", "max\n");
  write("/sys/fs/cgroup/outer/inner/memory.current", "1000\n");
  EXPECT_EQ(get(), 500 * 1024);
  write("/sys/fs/cgroup/outer/memory.max", "100000\n");
  write("/sys/fs/cgroup/outer/memory.current", "30000\n");
  EXPECT_EQ(get(), 70000);
  write("/sys/fs/cgroup/outer/inner/memory.max", "50000\n");
  EXPECT_EQ(get(), 49000);
  write("/sys/fs/cgroup/outer/inner/memory.current", "60000\n");
  EXPECT_EQ(get(), 0);
}

TEST_F(HostLimitTest, IgnoresTheRootGroup) {
  write("/proc/meminfo", "MemAvailable: 500 kB\n");
  write("/proc/self/cgroup", "0::/\n");
  write("/sys/fs/cgroup/memory.max", "1\n");
  EXPECT_EQ(get(), 500 * 1024);
}

} // namespace

//===- HostLimit.cpp - Host memory that can be taken ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLimit.h"
#include <algorithm>
#include <fstream>

namespace lane::runtime {

/// The number in a file, or `otherwise` where it has none (such as "max").
static int64_t readNumber(const std::string &path, int64_t otherwise) {
  int64_t number = 0;
  std::ifstream file(path);
  return file >> number ? number : otherwise;
}

static int64_t readMemAvailable(const std::string &root) {
  std::ifstream file(root + "/proc/meminfo");
  std::string key, unit;
  int64_t number = 0;
  while (file >> key >> number && std::getline(file, unit))
    if (key == "MemAvailable:")
      return number * 1024;
  return INT64_MAX;
}

/// The least bytes that the control group of the process, or a group around it,
/// leaves.
static int64_t readGroupLimit(const std::string &root) {
  std::ifstream file(root + "/proc/self/cgroup");
  std::string line, group;
  while (std::getline(file, line))
    if (line.rfind("0::/", 0) == 0)
      group = line.substr(3);
  int64_t leastBytes = INT64_MAX;
  while (group.size() > 1) {
    std::string folder = root + "/sys/fs/cgroup";
    folder += group;
    int64_t most = readNumber(folder + "/memory.max", INT64_MAX);
    int64_t used = readNumber(folder + "/memory.current", 0);
    if (most != INT64_MAX)
      leastBytes = std::min(leastBytes, std::max<int64_t>(0, most - used));
    group.resize(group.rfind('/'));
  }
  return leastBytes;
}

int64_t getAvailableHostBytes(const std::string &root) {
  return std::min(readMemAvailable(root), readGroupLimit(root));
}

} // namespace lane::runtime

//===- HostLimit.h - Host memory that can be taken --------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_HOSTLIMIT_H
#define LANE_LIB_RUNTIME_HOSTLIMIT_H

#include <cstdint>
#include <string>

namespace lane::runtime {

/// Returns the bytes of host memory that the process can take: MemAvailable of
/// /proc/meminfo, or less where a control group (version 2) limits it.
/// INT64_MAX where the system does not state them. `root` is where /proc and
/// /sys are.
int64_t getAvailableHostBytes(const std::string &root = "");

} // namespace lane::runtime

#endif // LANE_LIB_RUNTIME_HOSTLIMIT_H

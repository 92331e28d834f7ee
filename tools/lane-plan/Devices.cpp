//===- Devices.cpp - Memory of common cards -------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: the maker's data sheets. A card of "12 GB" has 12 GiB; for the few
// whose driver reports less than that, what it reports, in whole GiB.
//
//===----------------------------------------------------------------------===//

#include "Devices.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace lane;

namespace {
struct Device {
  StringLiteral name;
  int64_t bytes;
};
} // namespace

static constexpr int64_t kGiB = int64_t(1) << 30;

static constexpr Device kDevices[] = {
    {"rtx-3060", 12 * kGiB},  {"rtx-3070", 8 * kGiB},   {"rtx-3080", 10 * kGiB},
    {"rtx-3090", 24 * kGiB},  {"rtx-4060", 8 * kGiB},   {"rtx-4070", 12 * kGiB},
    {"rtx-4080", 16 * kGiB},  {"rtx-4090", 24 * kGiB},  {"rtx-5060", 8 * kGiB},
    {"rtx-5070", 12 * kGiB},  {"rtx-5080", 16 * kGiB},  {"rtx-5090", 32 * kGiB},
    {"l4", 24 * kGiB},        {"l40s", 48 * kGiB},      {"a10", 24 * kGiB},
    {"a100-40gb", 40 * kGiB}, {"a100-80gb", 80 * kGiB}, {"h100", 80 * kGiB},
    {"h200", 140 * kGiB},     {"b200", 179 * kGiB},
};

std::optional<int64_t> lane::getDeviceBytes(StringRef name) {
  for (const Device &device : kDevices)
    if (device.name == name)
      return device.bytes;
  return std::nullopt;
}

std::string lane::getDeviceNames() {
  return join(map_range(kDevices,
                        [](const Device &device) { return device.name.str(); }),
              ", ");
}

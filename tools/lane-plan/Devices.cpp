//===- Devices.cpp - Memory of common cards -------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: the maker's data sheets. A card of "12 GB" has 12 GiB; for the few
// whose driver reports less than that, what it reports, in whole GiB. Speeds
// are nominal: the memory's, and the link's in one direction (PCIe 4 or 5, of
// 16 lanes but for the 4060's and 5060's 8).
//
//===----------------------------------------------------------------------===//

#include "Devices.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace lane;

static constexpr int64_t kGiB = int64_t(1) << 30;
static constexpr int64_t kGB = 1000000000;

static constexpr Device kDevices[] = {
    {"rtx-3060", 12 * kGiB, {360 * kGB, 32 * kGB}},
    {"rtx-3070", 8 * kGiB, {448 * kGB, 32 * kGB}},
    {"rtx-3080", 10 * kGiB, {760 * kGB, 32 * kGB}},
    {"rtx-3090", 24 * kGiB, {936 * kGB, 32 * kGB}},
    {"rtx-4060", 8 * kGiB, {272 * kGB, 16 * kGB}},
    {"rtx-4070", 12 * kGiB, {504 * kGB, 32 * kGB}},
    {"rtx-4080", 16 * kGiB, {717 * kGB, 32 * kGB}},
    {"rtx-4090", 24 * kGiB, {1008 * kGB, 32 * kGB}},
    {"rtx-5060", 8 * kGiB, {448 * kGB, 32 * kGB}},
    {"rtx-5070", 12 * kGiB, {672 * kGB, 64 * kGB}},
    {"rtx-5080", 16 * kGiB, {960 * kGB, 64 * kGB}},
    {"rtx-5090", 32 * kGiB, {1792 * kGB, 64 * kGB}},
    {"l4", 24 * kGiB, {300 * kGB, 32 * kGB}},
    {"l40s", 48 * kGiB, {864 * kGB, 32 * kGB}},
    {"a10", 24 * kGiB, {600 * kGB, 32 * kGB}},
    {"a100-40gb", 40 * kGiB, {1555 * kGB, 32 * kGB}},
    {"a100-80gb", 80 * kGiB, {2039 * kGB, 32 * kGB}},
    {"h100", 80 * kGiB, {3350 * kGB, 64 * kGB}},
    {"h200", 140 * kGiB, {4800 * kGB, 64 * kGB}},
    {"b200", 179 * kGiB, {8000 * kGB, 64 * kGB}},
};

const Device *lane::lookupDevice(StringRef name) {
  for (const Device &device : kDevices)
    if (device.name == name)
      return &device;
  return nullptr;
}

std::string lane::getDeviceNames() {
  return join(map_range(kDevices,
                        [](const Device &device) { return device.name.str(); }),
              ", ");
}

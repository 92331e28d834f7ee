//===- MemorySpace.h - Where bytes live -------------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A memory space is the memory of a device, by its number, or of the host.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_MEMORYSPACE_H
#define LANE_SUPPORT_MEMORYSPACE_H

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>

namespace lane {

enum class MemoryKind : uint8_t {
  Device,
  /// Page-locked memory of the host, which the device maps.
  Host
};

struct MemorySpace {
  MemoryKind kind = MemoryKind::Device;
  /// The number of the device; 0 for the host.
  int64_t number = 0;

  static MemorySpace getDevice(int64_t number = 0) {
    return {MemoryKind::Device, number};
  }
  static MemorySpace getHost() { return {MemoryKind::Host, 0}; }

  bool operator==(const MemorySpace &other) const {
    return kind == other.kind && number == other.number;
  }
  bool operator!=(const MemorySpace &other) const { return !(*this == other); }
};

inline llvm::hash_code hash_value(const MemorySpace &space) {
  return llvm::hash_combine(space.kind, space.number);
}

/// Prints `device 0` or `host`.
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const MemorySpace &space) {
  if (space.kind == MemoryKind::Host)
    return os << "host";
  return os << "device " << space.number;
}

} // namespace lane

#endif // LANE_SUPPORT_MEMORYSPACE_H

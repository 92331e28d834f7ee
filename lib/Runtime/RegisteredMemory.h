//===- RegisteredMemory.h - Host memory pinned in chunks --------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host memory in one address range, which is pinned chunk by chunk.
//
// The driver pins memory in one thread, and zeros it first. Memory whose pages
// are there already is pinned many times faster; so here the threads that read
// the checkpoint touch the pages, and a chunk is pinned when it is filled. And
// drivers refuse to pin 512 GiB or more in one call.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_REGISTEREDMEMORY_H
#define LANE_LIB_RUNTIME_REGISTEREDMEMORY_H

#include <algorithm>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lane::runtime {

class RegisteredMemory {
public:
  RegisteredMemory() = default;
  RegisteredMemory(const RegisteredMemory &) = delete;
  RegisteredMemory &operator=(const RegisteredMemory &) = delete;
  ~RegisteredMemory();

  /// Reserves the address range; called once. Pages are preferably on a NUMA
  /// node of the host (-1: any). Returns whether there is such a range.
  bool reserve(int64_t size, int64_t chunkSize, int numaNode);
  /// Pins the next chunk, whose pages are touched first if nobody did.
  cudaError_t pinNextChunk();

  char *get() const { return start; }
  int64_t getBytes() const { return bytes; }
  /// Bytes of every chunk but the last: a multiple of kHugePageBytes.
  int64_t getChunkBytes() const { return chunkBytes; }
  /// The chunks are pinned in order.
  int64_t getPinnedBytes() const { return pinnedBytes; }
  bool isPinned() const { return pinnedBytes == bytes; }

private:
  static constexpr int64_t kHugePageBytes = int64_t(2) << 20;

  static int64_t roundUp(int64_t size) {
    return (size + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  }

  void *mapping = nullptr;
  size_t mappedBytes = 0;
  /// In the mapping, at a multiple of kHugePageBytes.
  char *start = nullptr;
  int64_t bytes = 0;
  int64_t chunkBytes = 0;
  int64_t pinnedBytes = 0;
};

inline RegisteredMemory::~RegisteredMemory() {
  for (int64_t offset = 0; offset < pinnedBytes; offset += chunkBytes)
    cudaHostUnregister(start + offset);
  if (mapping)
    munmap(mapping, mappedBytes);
}

inline bool RegisteredMemory::reserve(int64_t size, int64_t chunkSize,
                                      int numaNode) {
  mappedBytes = static_cast<size_t>(roundUp(size) + kHugePageBytes);
  void *address = mmap(nullptr, mappedBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED)
    return false;
  mapping = address;
  auto first = static_cast<int64_t>(reinterpret_cast<uintptr_t>(address));
  start = static_cast<char *>(address) + (roundUp(first) - first);
  bytes = size;
  chunkBytes = roundUp(chunkSize);
  // Both only make it faster.
  madvise(mapping, mappedBytes, MADV_HUGEPAGE);
  constexpr int kPreferred = 1, kMostNodes = 1024, kNodesOfWord = 64;
  if (numaNode >= 0 && numaNode < kMostNodes) {
    uint64_t nodes[kMostNodes / kNodesOfWord] = {};
    nodes[numaNode / kNodesOfWord] = uint64_t(1) << numaNode % kNodesOfWord;
    syscall(SYS_mbind, mapping, mappedBytes, kPreferred, nodes, kMostNodes, 0);
  }
  return true;
}

inline cudaError_t RegisteredMemory::pinNextChunk() {
  int64_t size = std::min(chunkBytes, bytes - pinnedBytes);
  cudaError_t status = cudaHostRegister(
      start + pinnedBytes, static_cast<size_t>(size), cudaHostRegisterMapped);
  if (status == cudaSuccess)
    pinnedBytes += size;
  return status;
}

} // namespace lane::runtime

#endif // LANE_LIB_RUNTIME_REGISTEREDMEMORY_H

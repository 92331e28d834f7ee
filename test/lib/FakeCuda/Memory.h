//===- Memory.h - Memory with two addresses ---------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_FAKECUDA_MEMORY_H
#define LANE_TEST_FAKECUDA_MEMORY_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace lane::test {

/// Memory with two addresses: at one it can be accessed, at the other an access
/// faults. Pages after both are guards. Both addresses are multiples of 256
/// bytes and of no larger power of two, as CUDA promises no more.
class Memory {
public:
  explicit Memory(int64_t bytes) : bytes(bytes) {
    size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_t used = static_cast<size_t>(bytes) + kAlignment;
    mappedBytes = (used + page - 1) / page * page + page;
    int file = memfd_create("fake-cuda", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, static_cast<off_t>(mappedBytes)) != 0)
      std::abort();
    // Unwritten memory must not be zero by chance. Large memory is not touched.
    bool isFilled = bytes <= kMostFilled;
    behind = map(file, PROT_READ | PROT_WRITE, isFilled ? MAP_POPULATE : 0);
    guarded = map(file, PROT_NONE);
    close(file);
    if (mprotect(behind - kAlignment + mappedBytes - page, page, PROT_NONE))
      std::abort();
    if (isFilled)
      std::memset(behind, 0xA5, static_cast<size_t>(bytes));
  }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() {
    munmap(behind - kAlignment, mappedBytes);
    munmap(guarded - kAlignment, mappedBytes);
  }

  /// Makes the second address accessible, while kernels run, or guards it.
  void setOpen(bool isOpen) {
    mprotect(guarded - kAlignment, mappedBytes,
             isOpen ? PROT_READ | PROT_WRITE : PROT_NONE);
  }

  const int64_t bytes;
  /// The address that can be accessed, and the one that cannot.
  char *behind;
  char *guarded;

private:
  static constexpr int64_t kMostFilled = int64_t(4) << 20;
  static constexpr size_t kAlignment = 256;

  char *map(int file, int protection, int flags = 0) {
    void *address = mmap(nullptr, mappedBytes, protection,
                         MAP_SHARED | MAP_NORESERVE | flags, file, 0);
    if (address == MAP_FAILED)
      std::abort();
    return static_cast<char *>(address) + kAlignment;
  }

  size_t mappedBytes;
};

} // namespace lane::test

#endif // LANE_TEST_FAKECUDA_MEMORY_H

//===- CheckpointFileFuzzer.cpp - Any bytes as a checkpoint ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the runtime's reader of checkpoint headers on arbitrary files.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Runtime/CheckpointFile.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
  if (descriptor < 0 ||
      write(descriptor, data, size) != static_cast<ssize_t>(size))
    std::abort();
  lane_error error = {};
  {
    lane::runtime::CheckpointFile file("/proc/self/fd/" +
                                       std::to_string(descriptor));
    if (file.open(LANE_FILE_READS_CACHED, /*dropsPages=*/false, &error) ==
        LANE_OK) {
      // Rows at up to 512 offsets, of a few types and widths.
      auto end = static_cast<int64_t>(size);
      int64_t step = std::max<int64_t>(end / 512 / 8, 1) * 8;
      for (int64_t type : {0, 8, 12})
        for (int64_t columns : {1, 32, 256})
          for (int64_t offset = 0; offset <= end; offset += step) {
            lane_segment segment = {0, offset, columns, type, columns,
                                    1, 0,      0,       0,    0};
            char byte = 0;
            if (file.check(segment, "t", nullptr, &error) == LANE_OK &&
                file.read(&byte, 1, offset, "t", &error) != LANE_OK)
              std::abort();
          }
    }
  }
  // A message must have a terminator.
  if (std::memchr(error.message, 0, sizeof(error.message)) == nullptr)
    std::abort();
  close(descriptor);
  return 0;
}

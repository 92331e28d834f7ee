//===- KernelObject.h - Steps as gpu-to-llvm writes them --------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_RUNTIME_KERNELOBJECT_H
#define LANE_TEST_RUNTIME_KERNELOBJECT_H

#include "FakeCuda.h"
#include "GpuLaunch.h"
#include "lane/Runtime/Runtime.h"

namespace lane::test {

/// Adds its second argument to the 64 floats of its first.
inline void addTo(void **arguments) {
  auto *values = *static_cast<float **>(arguments[0]);
  for (int i = 0; i < 64; ++i)
    values[i] += *static_cast<float *>(arguments[1]);
}

inline constexpr FakeKernel kKernels[] = {{"add_to", addTo, 2}};
inline constexpr FakeBinary kBinary = {FakeBinary::kMagic, 1, kKernels};

/// An object of one module: its constructor and destructor, and its steps. A
/// program has an arena of 512 bytes.
class KernelObject {
public:
  explicit KernelObject(const void *binary = &kBinary)
      : module(mgpuModuleLoad(const_cast<void *>(binary), sizeof(kBinary))) {}
  KernelObject(const KernelObject &) = delete;
  KernelObject &operator=(const KernelObject &) = delete;
  ~KernelObject() { mgpuModuleUnload(module); }

  /// Sets the first half of the arena to 2.5 and copies it to the second.
  int32_t step(lane_program *program, void *stream,
               const char *name = "add_to") {
    running = module;
    kernel = name;
    return laneRunStep(program, stream, set);
  }

  /// Adds 2.5 to the first half and copies it to the second.
  int32_t accumulate(lane_program *program, void *stream) {
    running = module;
    kernel = "add_to";
    return laneRunStep(program, stream, add);
  }

private:
  static void set(lane_program *program, void *stream) {
    mgpuMemset32(program->arena, 0, 128, stream);
    add(program, stream);
  }

  static void add(lane_program *program, void *stream) {
    char *arena = static_cast<char *>(program->arena);
    void *function = mgpuModuleGetFunction(running, kernel);
    void *values = arena;
    // The fake copies 8 bytes of each argument.
    struct {
      float by = 2.5f;
      float rest = 0;
    } by;
    void *arguments[] = {&values, &by};
    mgpuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 49153, stream, arguments,
                     nullptr, 2);
    mgpuMemcpy(arena + 256, arena, 256, stream);
  }

  /// Of the step that runs, whose functions are those of an object.
  static inline void *running = nullptr;
  static inline const char *kernel = nullptr;

  void *module;
};

} // namespace lane::test

#endif // LANE_TEST_RUNTIME_KERNELOBJECT_H

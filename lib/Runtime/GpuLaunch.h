//===- GpuLaunch.h - Upstream's functions for GPUs --------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that upstream's `gpu-to-llvm` and the translation of
// `gpu.binary` call, with the names and types that these have given them. They
// return no errors: the first failure becomes that of the thread's step, and
// launches after it do nothing. None throws, prints or waits, except those that
// synchronize.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_GPULAUNCH_H
#define LANE_LIB_RUNTIME_GPULAUNCH_H

#include <cstddef>
#include <cstdint>

extern "C" {

/// Returns a module of a binary, or of PTX, or null where the host has no
/// memory. `data` must live as long as the module. The constructors of an
/// object call these, where a program cannot react and may run without a GPU:
/// the module is loaded at its first use.
void *mgpuModuleLoad(void *data, size_t sizeBytes);
void *mgpuModuleLoadJIT(void *data, int optLevel);
void mgpuModuleUnload(void *module);

/// Returns a kernel, or null where it fails.
void *mgpuModuleGetFunction(void *module, const char *name);

/// Launches a kernel with the addresses of its arguments.
void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **arguments, void **extra, size_t numArguments);

/// Streams do not wait for the default stream.
void *mgpuStreamCreate();
void mgpuStreamDestroy(void *stream);
void mgpuStreamSynchronize(void *stream);
void mgpuStreamWaitEvent(void *stream, void *event);

void *mgpuEventCreate();
void mgpuEventDestroy(void *event);
void mgpuEventSynchronize(void *event);
void mgpuEventRecord(void *event, void *stream);

void mgpuMemcpy(void *target, void *source, size_t bytes, void *stream);
/// Fail where the bytes of `value` differ: the CUDA runtime fills with bytes.
void mgpuMemset32(void *target, unsigned value, size_t count, void *stream);
void mgpuMemset16(void *target, unsigned short value, size_t count,
                  void *stream);

/// A planned program has all of its memory before a step: these fail.
void *mgpuMemAlloc(uint64_t bytes, void *stream, bool isHostShared);
void mgpuMemFree(void *pointer, void *stream);
void mgpuMemHostRegister(void *pointer, uint64_t bytes);
void mgpuMemHostUnregister(void *pointer);
void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                               int64_t elementBytes);
void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                 int64_t elementBytes);

} // extern "C"

#endif // LANE_LIB_RUNTIME_GPULAUNCH_H

//===- Runtime.h - Functions that generated programs call -------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime of generated programs. A program's `open` calls the functions
// below in this order:
//
//   laneBegin             copies the options
//   laneTakeBudget        makes the CUDA context and computes the budget
//   lanePlaceLastRead     decides which uploads live on the host
//     or lanePlaceLeastTraffic
//   laneAllocateArena     allocates the arena on the device
//   laneAllocatePool      allocates the device pool
//   laneMapHostPool       allocates and maps the host pool, if anything moved
//   laneBindPointers      computes the program's pointers
//   laneUpload            fills the pools from the checkpoint
//   laneFinish            returns the program, or frees all that it took
//
// After a step fails, the following ones do nothing, and laneFinish returns the
// first failure. No function throws. The runtime needs the CUDA runtime, POSIX
// and the C++17 standard library. Objects made through LLVM link it as a
// library; generated C++ carries its source.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_RUNTIME_RUNTIME_H
#define LANE_RUNTIME_RUNTIME_H

#include "lane/Runtime/Description.h"
#include "lane/Runtime/Program.h"

/// Generated C++ defines it as static, so that two programs do not clash.
#ifndef LANE_RUNTIME_LINKAGE
#define LANE_RUNTIME_LINKAGE extern "C"
#endif

/// Returns a program that has nothing yet, or null where the host has no memory
/// for it. `options` (null: all defaults) is copied; what it points to, and
/// `error` (may be null), must live until laneFinish.
LANE_RUNTIME_LINKAGE lane_program *
laneBegin(const lane_description *description, const lane_options *options,
          lane_error *error);

/// Sets `budget_bytes`: the device memory given or free, less the spare.
LANE_RUNTIME_LINKAGE void laneTakeBudget(lane_program *program);

/// Places by the policy last-read: uploads leave in the plan's order until the
/// rest fits. Fails with LANE_DOES_NOT_FIT, naming both values, where arena and
/// fixed part exceed the budget.
LANE_RUNTIME_LINKAGE void lanePlaceLastRead(lane_program *program);

/// Places by the policy least-traffic: those uploads leave that cost a decode
/// step the fewest bytes. Fails as lanePlaceLastRead.
LANE_RUNTIME_LINKAGE void lanePlaceLeastTraffic(lane_program *program);

LANE_RUNTIME_LINKAGE void laneAllocateArena(lane_program *program);

/// Where the device no longer has the bytes that it reported, places again on
/// less, until the pool fits or the program is refused.
LANE_RUNTIME_LINKAGE void laneAllocatePool(lane_program *program);

LANE_RUNTIME_LINKAGE void laneMapHostPool(lane_program *program);

LANE_RUNTIME_LINKAGE void laneBindPointers(lane_program *program);

/// Fails with LANE_BAD_CHECKPOINT, naming file and tensor, where a file is not
/// the one compiled.
LANE_RUNTIME_LINKAGE void laneUpload(lane_program *program);

/// Sets `*result` to the program and returns LANE_OK; or frees all that it
/// took, sets `*result` to null, and returns the code of the step that failed.
LANE_RUNTIME_LINKAGE int32_t laneFinish(lane_program *program,
                                        lane_program **result);

/// Runs a step on a cudaStream_t, with the program's device current. `launch`
/// makes the step's launches on the stream that it gets. Returns LANE_OK, or
/// the failure of the first launch that failed, which is in `step_error` too.
LANE_RUNTIME_LINKAGE int32_t laneRunStep(lane_program *program, void *stream,
                                         void (*launch)(lane_program *program,
                                                        void *stream));

/// The same for a step that is one kernel of a CUDA runtime over host memory.
/// `run` gets the address of `program`. Fails with LANE_CUDA_FAILED, which is
/// what the runtime of a card returns.
LANE_RUNTIME_LINKAGE int32_t laneRunOnHost(lane_program *program, void *stream,
                                           void (*run)(void **arguments));

/// Frees all that the program has; null is ignored.
LANE_RUNTIME_LINKAGE void laneClose(lane_program *program);

#endif // LANE_RUNTIME_RUNTIME_H

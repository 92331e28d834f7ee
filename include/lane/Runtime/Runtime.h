//===- Runtime.h - What generated programs call -----------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of a generated program that is the same for all and is written in
// C++: messages, and the upload of checkpoint files. Objects that come of LLVM
// IR link it as a library; generated C++ carries its source. It needs the CUDA
// runtime, POSIX and the standard library.
//
// Every function that can fail returns a code of Program.h and says why in
// `error`, which may be null.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_RUNTIME_RUNTIME_H
#define LANE_RUNTIME_RUNTIME_H

#include "lane/Runtime/Program.h"

/// Generated C++ defines it as static, so that the functions are its own.
#ifndef LANE_RUNTIME_LINKAGE
#define LANE_RUNTIME_LINKAGE extern "C"
#endif

/// Writes `text`, in which each `{}` is replaced by the next figure, to `error`
/// and returns `code`.
LANE_RUNTIME_LINKAGE int32_t laneFail(lane_error *error, int32_t code,
                                      const char *text, int64_t first,
                                      int64_t second);

/// Fails where `status`, which the CUDA function `name` returned for `bytes`,
/// is an error. No later call meets an error that was reported so.
LANE_RUNTIME_LINKAGE int32_t laneCheckCuda(lane_error *error, const char *name,
                                           int32_t status, int64_t bytes);

/// The same for `bytes` of pinned memory, of which the host may not give
/// enough: says how much it has.
LANE_RUNTIME_LINKAGE int32_t laneCheckPinned(lane_error *error, int32_t status,
                                             int64_t bytes);

/// Calls the log function of `options`, where there is one, with `text`, in
/// which `{}` is replaced by `figure`.
LANE_RUNTIME_LINKAGE void laneLog(const lane_options *options, const char *text,
                                  int64_t figure);

/// `options`, or where they are null the defaults.
LANE_RUNTIME_LINKAGE const lane_options *
laneOptionsOrDefaults(const lane_options *options);

/// A program without allocations, with room for that many pointers and uploads;
/// null, with `error` set, where the host has no memory.
LANE_RUNTIME_LINKAGE lane_program *
laneNewProgram(lane_error *error, int64_t numPointers, int64_t numUploads);

/// Frees what laneNewProgram made.
LANE_RUNTIME_LINKAGE void laneDeleteProgram(lane_program *program);

/// Places by the policy least-traffic: sets which uploads live on the host, how
/// many, and the bytes on each side. Returns whether the rest fits the budget;
/// where it does not, nothing is moved.
LANE_RUNTIME_LINKAGE int32_t lanePlaceLeastTraffic(
    lane_program *program, const int64_t *uploadBytes, const int64_t *stepBytes,
    int64_t numUploads, int64_t wholeBytes, int64_t budgetBytes);

/// Fills the pools of `program`. `segments` has 10 figures for each of
/// `numSegments`: see LaneSegment in lib/Runtime/Segment.h. `fileNames` and
/// `names` hold strings, one after the other, each with its zero byte.
LANE_RUNTIME_LINKAGE int32_t laneUpload(
    lane_program *program, const lane_options *options, lane_error *error,
    const char *fileNames, int64_t numFiles, const int64_t *segments,
    int64_t numSegments, const char *names, const float *values);

#endif // LANE_RUNTIME_RUNTIME_H

/*===- Program.h - What generated programs share ------------------*- C -*-===*\
|*                                                                            *|
|* Part of Lane, under the Apache License v2.0 with LLVM Exceptions.          *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The C types of every generated program: what it is opened with, what it   *|
|* holds, and how it fails. Generated headers carry them.                     *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LANE_RUNTIME_PROGRAM_H
#define LANE_RUNTIME_PROGRAM_H

#include <stdint.h>

/* What a function returns, and `code` of a lane_error. */
enum {
  LANE_OK = 0,
  /* What must be on the device exceeds the budget. */
  LANE_DOES_NOT_FIT = 1,
  /* The host has no memory left. */
  LANE_NO_HOST_MEMORY = 2,
  /* A function of the CUDA runtime failed. */
  LANE_CUDA_FAILED = 3,
  /* The device cannot map host memory, which the budget asks for. */
  LANE_CANNOT_MAP = 4,
  /* A checkpoint file is missing, cut short, or another than was compiled. */
  LANE_BAD_CHECKPOINT = 5,
  /* An option is none that can be kept. */
  LANE_BAD_OPTION = 6
};

/* Why a function failed: one line of text. */
typedef struct lane_error {
  int32_t code;
  char message[508];
} lane_error;

/* How a program is opened. All zero is right for most: the device that is
   current, all memory that is free on it, files by the names that were compiled
   in, the default stream, and no calls back. */
typedef struct lane_options {
  /* Device memory that the program may take, in bytes; 0 asks the device for
     what is free. Its budget is that less what is kept spare. */
  int64_t device_bytes;
  /* Paths of the checkpoint's files, in order, or NULL. */
  const char *const *files;
  int64_t num_files;
  /* The cudaStream_t on which the matrices are copied, or NULL. */
  void *stream;
  /* Called with a line of text where something is worth knowing, or NULL. */
  void (*log)(void *user, const char *line);
  /* Called as the upload goes on with bytes done and bytes in all, or NULL. */
  void (*progress)(void *user, int64_t done_bytes, int64_t total_bytes);
  /* What both are called with. */
  void *user;
  /* Not 0: decide where everything lives and stop there. Nothing is allocated
     on the device, no file is read, and every pointer is NULL. */
  int32_t place_only;
} lane_options;

/* A program as it was opened. */
typedef struct lane_program {
  /* Device memory that it might take, what it took, and what it took of the
     host's, mapped and pinned, all in bytes. */
  int64_t budget_bytes;
  int64_t device_bytes;
  int64_t host_bytes;
  /* Uploads that live on the host. */
  int64_t moved;
  /* Whether the device's memory is the host's, and whether the device can map
     the host's. */
  int32_t is_integrated;
  int32_t can_map_host;
  /* The three allocations, or NULL; the host's as the host and as the device
     sees it. */
  void *arena;
  void *pool;
  void *host_pool;
  void *mapped_pool;
  /* For each pointer of the program's enumeration, where the device finds it.
     One that lies in the arena is valid between the launches that use it. */
  void **pointers;
  /* For each upload in the plan's order, whether it lives on the host, and its
     bytes from the start of its pool. */
  int8_t *on_host;
  int64_t *upload_offsets;
} lane_program;

#endif /* LANE_RUNTIME_PROGRAM_H */

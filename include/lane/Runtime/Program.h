/*===- Program.h - C types of generated programs ------------------*- C -*-===*\
|*                                                                            *|
|* Part of Lane, under the Apache License v2.0 with LLVM Exceptions.          *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The C types of every generated program: the options that open it, the      *|
|* memory that it takes, and its errors. Generated headers carry this text.   *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LANE_RUNTIME_PROGRAM_H
#define LANE_RUNTIME_PROGRAM_H

#include <stdint.h>
#include <string.h>

/* What a function returns, and `code` of a lane_error. */
enum {
  LANE_OK = 0,
  /* The bytes that must be on the device exceed the budget. */
  LANE_DOES_NOT_FIT = 1,
  /* The host has too little memory, or does not let it be pinned. */
  LANE_NO_HOST_MEMORY = 2,
  /* A function of the CUDA runtime failed. */
  LANE_CUDA_FAILED = 3,
  /* The device cannot map host memory, which the placement needs. */
  LANE_CANNOT_MAP = 4,
  /* A checkpoint file is missing, cut short, or not the one compiled. */
  LANE_BAD_CHECKPOINT = 5,
  /* An option has a value that is not supported. */
  LANE_BAD_OPTION = 6,
  /* The progress callback asked to stop. */
  LANE_CANCELLED = 7
};

/* Why a function failed: one line of text. */
typedef struct lane_error {
  int32_t code;
  char message[508];
} lane_error;

/* Kinds of pinned host memory. LANE_HOST_MEMORY_AUTO is write-combined on
   x86-64, and cached on other processors and on a device with a coherent link,
   where reads of write-combined memory are slow. The driver pins
   write-combined memory in one call and in one thread; more than 64 GiB are
   cached too, which is pinned in chunks. */
enum {
  LANE_HOST_MEMORY_AUTO = 0,
  LANE_HOST_MEMORY_WRITE_COMBINED = 1,
  LANE_HOST_MEMORY_CACHED = 2
};

/* How checkpoint files are read. LANE_FILE_READS_AUTO reads a file that is in
   the page cache through it, and any other past it (O_DIRECT) where the file
   system allows that. */
enum {
  LANE_FILE_READS_AUTO = 0,
  LANE_FILE_READS_CACHED = 1,
  LANE_FILE_READS_DIRECT = 2
};

/* A `reserve_bytes` of no bytes. */
enum { LANE_RESERVE_NOTHING = -1 };

/* How a program is opened. lane_default_options() sets the size, and all other
   fields to zero: the current device, all memory that is free on it less a
   reserve, the file names that were compiled in, a stream of the program's own,
   and no callbacks. */
typedef struct lane_options {
  /* sizeof(lane_options): a program refuses options of another version. */
  int64_t size_bytes;
  /* Device memory that the program may take, in bytes; 0 asks the device what
     is free. The budget is that less the reserve and the spare. */
  int64_t device_bytes;
  /* Device memory to leave to others, in bytes: to kernels that are loaded
     later and their local memory, and to libraries such as cuBLAS. 0 is 512 MiB
     if device_bytes is 0, else nothing; LANE_RESERVE_NOTHING is nothing. */
  int64_t reserve_bytes;
  /* The most host memory to pin, in bytes; 0 asks the system what is available
     (MemAvailable, and the limit of the control group). */
  int64_t host_bytes;
  /* The most bytes that are pinned in one call where cached memory is pinned in
     chunks; 0 is 4 GiB. Drivers refuse to pin 512 GiB at once. */
  int64_t host_chunk_bytes;
  /* One of LANE_HOST_MEMORY_. */
  int32_t host_memory;
  /* One of LANE_FILE_READS_. */
  int32_t file_reads;
  /* Threads that read the files. 0 is one for each processor and at most 8, and
     one where there is little to read. With 1 the caller's thread reads. */
  int32_t num_threads;
  /* Not 0: stop after the placement. Nothing is allocated on the device, no
     file is read, and every pointer is NULL. */
  int32_t place_only;
  /* Paths of the checkpoint's files, in order, or NULL. */
  const char *const *files;
  int64_t num_files;
  /* The cudaStream_t that matrices are copied on; NULL makes one. */
  void *stream;
  /* Called with a line of text about anything unusual, or NULL. */
  void (*log)(void *user, const char *line);
  /* Called in the caller's thread with the bytes done and in total, or NULL:
     bytes read, and bytes pinned in chunks. If it returns another value than
     0, open fails with LANE_CANCELLED. */
  int32_t (*progress)(void *user, int64_t done_bytes, int64_t total_bytes);
  /* Passed to both callbacks. */
  void *user;
  /* Not 0: steps run as CUDA graphs. The first call of a step runs its
     launches, which loads its kernels. The second captures them on a stream of
     the program's own; that call and later ones launch the graph on the stream
     that they get, which may be NULL, but not a stream under capture. */
  int32_t graph;
} lane_options;

static inline lane_options lane_default_options(void) {
  lane_options options;
  memset(&options, 0, sizeof(options));
  options.size_bytes = sizeof(options);
  return options;
}

/* Kinds of memory spaces. */
enum { LANE_SPACE_DEVICE = 0, LANE_SPACE_HOST = 1 };

/* A memory space: a device by its CUDA number, or the host (number 0). */
typedef struct lane_space {
  int32_t kind;
  int32_t number;
} lane_space;

/* A range of an upload's bytes that lives in one memory space. */
typedef struct lane_extent {
  /* Rank of the upload in the plan's order. */
  int64_t upload;
  lane_space space;
  /* Where the range starts in the upload, and its size. */
  int64_t offset_bytes;
  int64_t bytes;
  /* Where the range starts in the pool of its space. */
  int64_t pool_offset_bytes;
} lane_extent;

/* An open program. */
typedef struct lane_program {
  /* sizeof(lane_program) of the version that opened it. */
  int64_t size_bytes;
  /* The budget, the device memory taken, and the host memory taken (pinned and
     mapped), in bytes. */
  int64_t budget_bytes;
  int64_t device_bytes;
  int64_t host_bytes;
  /* Device memory that the driver takes for page tables of the host memory. It
     is part of the budget where the device was asked what is free. */
  int64_t page_table_bytes;
  /* Number of uploads that live on the host. */
  int64_t moved;
  /* Whether the device shares the host's memory, and whether it can map host
     memory. */
  int32_t is_integrated;
  int32_t can_map_host;
  /* The three allocations, or NULL. The host pool has two addresses: the
     host's, and the device's. */
  void *arena;
  void *pool;
  void *host_pool;
  void *mapped_pool;
  /* The device address of each pointer of the program's enumeration. A pointer
     into the arena is valid between the launches that use its buffer. */
  void **pointers;
  /* Where each upload lives: extents sorted by upload and offset. Today an
     upload has one extent, so extents[rank] is the upload of that rank. */
  const lane_extent *extents;
  int64_t num_extents;
  /* Why the last step failed. */
  lane_error step_error;
} lane_program;

/* A kernel that a CUDA runtime over host memory runs: what cudaLaunchKernel
   gets there as the function, with the addresses of so many arguments. */
typedef struct lane_host_kernel {
  void (*run)(void **arguments);
  int64_t num_arguments;
} lane_host_kernel;

#endif /* LANE_RUNTIME_PROGRAM_H */

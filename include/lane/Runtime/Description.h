/*===- Description.h - Constants of a generated program -----------*- C -*-===*\
|*                                                                            *|
|* Part of Lane, under the Apache License v2.0 with LLVM Exceptions.          *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The constant tables that differ between generated programs. The compiler   *|
|* writes them, and the runtime reads them; both include this file, so both   *|
|* have one layout. Rows of tables have int64_t fields only.                  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LANE_RUNTIME_DESCRIPTION_H
#define LANE_RUNTIME_DESCRIPTION_H

#include <stddef.h>
#include <stdint.h>

/* What a pointer or a segment is relative to: the arena, the fixed part at the
   start of the device pool, or an upload by its rank (0 or more). */
enum { LANE_BASE_ARENA = -2, LANE_BASE_FIXED = -1 };

/* Sources of a segment that are not a file: zeros, or the table of values. */
enum { LANE_SOURCE_ZEROS = -2, LANE_SOURCE_VALUES = -1 };

/* An upload, in the plan's order. */
typedef struct lane_upload {
  int64_t bytes;
  /* Bytes that a decode step reads of it; 0 where the policy is last-read. */
  int64_t step_bytes;
} lane_upload;

/* A pointer of the program's enumeration. */
typedef struct lane_pointer {
  int64_t base;
  int64_t offset_bytes;
} lane_pointer;

/* Bytes that are filled at the start. Segments are sorted by source and offset:
   zeros and values come first, then each file from its start to its end. */
typedef struct lane_segment {
  /* Number of the checkpoint file, or LANE_SOURCE_ZEROS or _VALUES. */
  int64_t source;
  /* Bytes from the file's start, or index of the first value. */
  int64_t offset;
  int64_t bytes;
  /* Rows of a file: id of the ggml type, elements of a row, bytes of a row. */
  int64_t type;
  int64_t columns;
  int64_t row_bytes;
  /* Where the bytes go: a base, and bytes from its start. */
  int64_t base;
  int64_t destination_bytes;
  /* q8_0 uploads hold quants and fp16 scales as two arrays: where the scales
     go, in bytes from the base. 0 where the blocks are copied as they are. */
  int64_t scales_destination_bytes;
  /* Where the name of the matrix or values starts in `tensor_names`. */
  int64_t name_offset;
  /* The same for the name that the tensor has in the file; -1 if unknown. */
  int64_t tensor_offset;
} lane_segment;

/* All that differs from one program to another. Names are NUL-terminated and
   follow each other. */
typedef struct lane_description {
  int64_t arena_bytes;
  int64_t fixed_bytes;
  int64_t spare_bytes;
  int64_t num_uploads;
  int64_t num_pointers;
  int64_t num_files;
  int64_t num_segments;
  const lane_upload *uploads;
  const lane_pointer *pointers;
  const char *file_names;
  const lane_segment *segments;
  const char *tensor_names;
  const float *values;
} lane_description;

#ifdef __cplusplus
static_assert(offsetof(lane_upload, step_bytes) == 1 * sizeof(int64_t) &&
                  sizeof(lane_upload) == 2 * sizeof(int64_t),
              "a row of uploads has two int64_t");
static_assert(offsetof(lane_pointer, offset_bytes) == 1 * sizeof(int64_t) &&
                  sizeof(lane_pointer) == 2 * sizeof(int64_t),
              "a row of pointers has two int64_t");
static_assert(offsetof(lane_segment, tensor_offset) == 10 * sizeof(int64_t) &&
                  sizeof(lane_segment) == 11 * sizeof(int64_t),
              "a row of segments has eleven int64_t");
static_assert(offsetof(lane_description, uploads) == 7 * sizeof(int64_t) &&
                  offsetof(lane_description, values) ==
                      7 * sizeof(int64_t) + 5 * sizeof(void *),
              "a description has seven int64_t and six pointers");
#endif

#endif /* LANE_RUNTIME_DESCRIPTION_H */

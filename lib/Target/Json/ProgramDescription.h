//===- ProgramDescription.h - A program as its JSON says it --- -*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's JSON with its names resolved: what a launch reads, or an alias
// views, is the index of a buffer of the form. Strings are those of the JSON.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_JSON_PROGRAMDESCRIPTION_H
#define LANE_LIB_TARGET_JSON_PROGRAMDESCRIPTION_H

#include "JsonCursor.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "llvm/ADT/StringMap.h"

namespace lane::json {

/// The index of each buffer of a form, by name.
using BufferNames = llvm::StringMap<unsigned>;

enum class FillKind { Rows, Values, Alias, Param, Zero, Computed };

/// A storage of a buffer, or a scratch: whether launches touch it, and whether
/// it has a slot in the form's arena.
struct StorageDescription {
  bool isTouched = false;
  bool hasSlot = false;

  bool isInArena() const { return isTouched && hasSlot; }
};

struct RunDescription {
  int64_t file = 0;
  int64_t offset = 0;
  int64_t rows = 0;

  bool operator==(const RunDescription &other) const {
    return file == other.file && offset == other.offset && rows == other.rows;
  }
};

struct BufferDescription {
  llvm::StringRef name;
  FillKind fill = FillKind::Computed;
  int64_t length = 0;
  int64_t elementBytes = 0;
  StorageDescription plain;
  StorageDescription quantized;
  /// Of a param: whether the generation loop keeps it.
  bool isPosition = false;
  /// Of rows.
  NumberFormat format = NumberFormat::F32;
  int64_t rows = 0;
  int64_t columns = 0;
  llvm::SmallVector<RunDescription, 1> runs;
  /// Of an alias: what it views, from which element on. `baseName` is resolved
  /// once all buffers of the form are known.
  llvm::StringRef baseName;
  unsigned base = 0;
  int64_t offset = 0;
  /// The buffer in whose storage it lies: through aliases the last base.
  unsigned root = 0;

  bool isConstant() const {
    return fill == FillKind::Rows || fill == FillKind::Values;
  }
};

struct ScratchDescription {
  int64_t tag = 0;
  int64_t bytes = 0;
  bool isCounter = false;
  bool hasSlot = false;
};

struct ReadDescription {
  unsigned buffer;
  AccessKind kind;
};

struct LaunchDescription {
  llvm::StringRef op;
  llvm::SmallVector<ReadDescription, 4> reads;
  llvm::SmallVector<unsigned, 2> writes;
  /// Of stacks of experts, where the launch says so.
  int64_t chosen = 0;
  int64_t experts = 0;
  llvm::SmallVector<ScratchDescription, 1> scratch;
  /// Not empty where the launch is fused.
  std::vector<LaunchDescription> parts;
};

struct FormDescription {
  FormKind kind = FormKind::Decode;
  int64_t rows = 0;
  int64_t arenaBytes = 0;
  std::vector<BufferDescription> buffers;
  /// The buffers in the order of the JSON, but a base before what views it.
  llvm::SmallVector<unsigned> order;
  std::vector<LaunchDescription> launches;
};

struct ProgramDescription {
  int64_t contextLength = 0;
  Numerics numerics = Numerics::OnePass;
  std::vector<FormDescription> forms;
};

/// Where two forms differ on a buffer that they share: the figure and what it
/// is here and there, such as "has 2 rows here and 1"; empty where they agree.
std::string describeDifference(const BufferDescription &here,
                               const BufferDescription &there);

/// Reads a program from the whole of a JSON text. Fails, after an error that
/// names the place, where something is missing, is of another type or out of
/// range, or names a buffer that its form does not have.
llvm::FailureOr<ProgramDescription> readProgram(const JsonCursor &json);

/// Reads a form's launches into `form`, whose buffers are known.
llvm::LogicalResult readLaunches(const JsonCursor &json,
                                 const BufferNames &names,
                                 FormDescription &form);

/// The index of the buffer that the string at `name` names, or an error there.
llvm::FailureOr<unsigned> readBufferName(const JsonCursor &name,
                                         const BufferNames &names);

} // namespace lane::json

#endif // LANE_LIB_TARGET_JSON_PROGRAMDESCRIPTION_H

//===- ProgramDescription.h - The JSON of a program -------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON of a program with names resolved: operands of launches and bases of
// aliases are indices of buffers of the form. Strings refer to the JSON text.
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

/// A storage of a buffer, or a scratch: whether launches use it, and whether it
/// has a slot in the form's arena.
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
  /// For a param: whether the generation loop keeps it.
  bool isPosition = false;
  /// For rows.
  NumberFormat format = NumberFormat::F32;
  int64_t rows = 0;
  int64_t columns = 0;
  llvm::SmallVector<RunDescription, 1> runs;
  /// For an alias: its base and the first element. `baseName` is resolved after
  /// all buffers of the form are known.
  llvm::StringRef baseName;
  unsigned base = 0;
  int64_t offset = 0;
  /// The buffer that has the storage: for an alias, the base of all its bases.
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
  /// For stacks of experts, if known.
  int64_t active = 0;
  int64_t experts = 0;
  llvm::SmallVector<ScratchDescription, 1> scratch;
  /// Not empty if the launch is fused.
  std::vector<LaunchDescription> parts;
};

struct FormDescription {
  FormKind kind = FormKind::Decode;
  int64_t rows = 0;
  int64_t arenaBytes = 0;
  std::vector<BufferDescription> buffers;
  /// The buffers in JSON order, except that bases come before their aliases.
  llvm::SmallVector<unsigned> order;
  std::vector<LaunchDescription> launches;
};

struct ProgramDescription {
  int64_t contextLength = 0;
  Numerics numerics = Numerics::OnePass;
  std::vector<FormDescription> forms;
};

/// Describes how two forms differ on a buffer that they share, with both
/// values, such as "has 2 rows here and 1". Empty if they agree.
std::string describeDifference(const BufferDescription &here,
                               const BufferDescription &there);

/// Reads a program from the root of a JSON text. Emits an error with the path
/// and fails if a member is missing, has the wrong type or is out of range, or
/// names a buffer that its form does not have.
llvm::FailureOr<ProgramDescription> readProgram(const JsonCursor &json);

/// Reads launches into `form`, whose buffers are already read.
llvm::LogicalResult readLaunches(const JsonCursor &json,
                                 const BufferNames &names,
                                 FormDescription &form);

/// The index of the buffer that `name` names, or an error at `name`.
llvm::FailureOr<unsigned> readBufferName(const JsonCursor &name,
                                         const BufferNames &names);

} // namespace lane::json

#endif // LANE_LIB_TARGET_JSON_PROGRAMDESCRIPTION_H

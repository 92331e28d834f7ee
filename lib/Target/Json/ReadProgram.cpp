//===- ReadProgram.cpp - A program from JSON ------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramDescription.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace lane;
using namespace lane::json;

/// Limit of aliases of aliases. Walking from a view to its base may recurse.
static constexpr size_t kMaxAliasDepth = 64;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static LogicalResult readRuns(const JsonCursor &fill,
                              BufferDescription &buffer) {
  std::optional<int64_t> rowBytes = getRowBytes(buffer.format, buffer.columns);
  if (!rowBytes)
    return fill.emitError() << "rows of " << buffer.columns
                            << " elements are not a multiple of the "
                            << stringifyNumberFormat(buffer.format)
                            << " block of " << getBlockElements(buffer.format);
  int64_t covered = 0;
  auto readRun = [&](const JsonCursor &json) -> LogicalResult {
    RunDescription run;
    if (failed(json.read("offset", run.offset)) ||
        failed(json.read("rows", run.rows, 1)))
      return failure();
    if (json.lookupMember("file") && failed(json.read("file", run.file)))
      return failure();
    std::optional<int64_t> bytes = checkedMulBytes(run.rows, *rowBytes);
    std::optional<int64_t> sum = checkedAddBytes(covered, run.rows);
    if (!bytes || !checkedAddBytes(run.offset, *bytes) || !sum)
      return json.emitError()
             << run.rows << " rows of " << *rowBytes << " bytes at offset "
             << run.offset << " overflow int64";
    covered = *sum;
    buffer.runs.push_back(run);
    return success();
  };
  if (failed(fill.readElements("runs", readRun)))
    return failure();
  if (covered != buffer.rows)
    return fill.emitError() << "runs of " << quote(buffer.name) << " cover "
                            << covered << " of " << buffer.rows << " rows";
  return success();
}

static LogicalResult readRows(const JsonCursor &fill,
                              BufferDescription &buffer) {
  FailureOr<JsonCursor> format = fill.getMember("format");
  if (failed(format))
    return failure();
  FailureOr<StringRef> name = format->getString();
  if (failed(name))
    return failure();
  std::optional<NumberFormat> number = symbolizeNumberFormat(*name);
  if (!number)
    return format->emitError() << quote(*name) << " is not a number format";
  buffer.format = *number;
  if (failed(fill.read("rows", buffer.rows, 1)) ||
      failed(fill.read("cols", buffer.columns, 1)) ||
      failed(readRuns(fill, buffer)))
    return failure();
  std::optional<int64_t> length = checkedMulBytes(buffer.rows, buffer.columns);
  if (!length || *length != buffer.length)
    return fill.emitError() << buffer.rows << " rows of " << buffer.columns
                            << " elements are not the " << buffer.length
                            << " of " << quote(buffer.name);
  return success();
}

static LogicalResult readFill(const JsonCursor &fill,
                              BufferDescription &buffer) {
  FailureOr<JsonCursor> kind = fill.getMember("kind");
  if (failed(kind))
    return failure();
  FailureOr<StringRef> name = kind->getString();
  if (failed(name))
    return failure();
  auto symbol = llvm::StringSwitch<std::optional<FillKind>>(*name)
                    .Case("rows", FillKind::Rows)
                    .Case("values", FillKind::Values)
                    .Case("alias", FillKind::Alias)
                    .Case("param", FillKind::Param)
                    .Case("zero", FillKind::Zero)
                    .Case("computed", FillKind::Computed)
                    .Default(std::nullopt);
  if (!symbol)
    return kind->emitError()
           << quote(*name)
           << " is not one of rows, values, alias, param, zero, computed";
  buffer.fill = *symbol;
  if (buffer.fill == FillKind::Rows)
    return readRows(fill, buffer);
  if (buffer.fill == FillKind::Values && buffer.elementBytes != 4)
    return fill.emitError()
           << "values must be f32, but elements of " << quote(buffer.name)
           << " have " << buffer.elementBytes << " bytes";
  if (buffer.fill != FillKind::Alias)
    return success();
  return success(succeeded(fill.read("of", buffer.baseName)) &&
                 succeeded(fill.read("offset", buffer.offset)));
}

static LogicalResult readBuffer(const JsonCursor &json,
                                BufferDescription &buffer) {
  if (failed(json.read("name", buffer.name)) ||
      failed(json.read("length", buffer.length)) ||
      failed(json.read("dtype_bytes", buffer.elementBytes)) ||
      failed(json.read("plain", buffer.plain.isTouched)) ||
      failed(json.read("quantized", buffer.quantized.isTouched)))
    return failure();
  if (buffer.name.empty())
    return json.emitError() << "the name is empty";
  if (!llvm::is_contained({1, 2, 4, 8}, buffer.elementBytes))
    return json.emitError()
           << "dtype_bytes of " << quote(buffer.name) << " is "
           << buffer.elementBytes << ", which is not one of 1, 2, 4, 8";
  FailureOr<JsonCursor> fill = json.getMember("fill");
  return failed(fill) ? failure() : readFill(*fill, buffer);
}

/// Resolves the base of each alias, then orders buffers so that bases come
/// before their aliases. `json` is the form.
static LogicalResult orderBuffers(const JsonCursor &json,
                                  const BufferNames &names,
                                  FormDescription &form) {
  std::vector<BufferDescription> &buffers = form.buffers;
  auto emitError = [&](unsigned index) {
    return mlir::emitError(json.getLoc())
           << json.getPath() << ".buffers[" << index << "]: alias "
           << quote(buffers[index].name) << " ";
  };
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    buffer.root = index;
    if (buffer.fill != FillKind::Alias)
      continue;
    auto it = names.find(buffer.baseName);
    if (it == names.end())
      return emitError(index) << "views " << quote(buffer.baseName)
                              << ", which the form does not have";
    buffer.base = it->second;
  }

  // Alias depth of each ordered buffer.
  SmallVector<std::optional<size_t>> depths(buffers.size());
  SmallVector<unsigned> chain;
  for (unsigned index = 0; index < buffers.size(); ++index) {
    chain.clear();
    for (unsigned at = index; !depths[at]; at = buffers[at].base) {
      if (llvm::is_contained(chain, at))
        return emitError(index) << "views itself";
      chain.push_back(at);
      if (buffers[at].fill != FillKind::Alias)
        break;
      if (chain.size() > kMaxAliasDepth)
        return emitError(index)
               << "is more than " << kMaxAliasDepth << " aliases deep";
    }
    for (unsigned at : llvm::reverse(chain)) {
      BufferDescription &buffer = buffers[at];
      bool isAlias = buffer.fill == FillKind::Alias;
      depths[at] = isAlias ? *depths[buffer.base] + 1 : 0;
      if (*depths[at] > kMaxAliasDepth)
        return emitError(at)
               << "is more than " << kMaxAliasDepth << " aliases deep";
      if (isAlias)
        buffer.root = buffers[buffer.base].root;
      form.order.push_back(at);
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// A form
//===----------------------------------------------------------------------===//

static LogicalResult readPositions(const JsonCursor &json,
                                   const BufferNames &names,
                                   FormDescription &form) {
  return json.readElements(
      "positions", [&](const JsonCursor &name) -> LogicalResult {
        FailureOr<unsigned> index = readBufferName(name, names);
        if (failed(index))
          return failure();
        BufferDescription &buffer = form.buffers[*index];
        if (buffer.fill != FillKind::Param)
          return name.emitError() << quote(buffer.name) << " is not a param";
        buffer.isPosition = true;
        return success();
      });
}

/// Index of a launch and tag of a scratch.
using ScratchKey = std::pair<int64_t, int64_t>;
using ScratchMap = llvm::DenseMap<ScratchKey, ScratchDescription *>;

/// Assigns a slot to the scratch identified by `pair`, [launch index, tag].
static LogicalResult readScratchSlot(const JsonCursor &pair,
                                     const ScratchMap &scratch,
                                     int64_t numLaunches) {
  SmallVector<int64_t, 2> values;
  if (failed(pair.forEachElement([&](const JsonCursor &json) {
        FailureOr<int64_t> value =
            json.getInteger(std::numeric_limits<int64_t>::min());
        values.push_back(value.value_or(0));
        return LogicalResult(value);
      })))
    return failure();
  if (values.size() != 2)
    return pair.emitError() << "expected a launch index and a tag, got "
                            << values.size() << " values";
  // Check the range first: a map cannot have every key.
  if (values[0] < 0 || values[0] >= numLaunches)
    return pair.emitError() << "the form has no launch " << values[0];
  ScratchDescription *entry = scratch.lookup({values[0], values[1]});
  if (!entry)
    return pair.emitError()
           << "launch " << values[0] << " has no scratch of tag " << values[1];
  entry->hasSlot = true;
  return success();
}

/// Reads which buffers and scratch have a slot in the arena.
static LogicalResult readArena(const JsonCursor &json, const BufferNames &names,
                               FormDescription &form) {
  auto readSlots = [&](StringRef key,
                       StorageDescription BufferDescription::*storage) {
    return json.readElements(key, [&](const JsonCursor &name) -> LogicalResult {
      FailureOr<unsigned> index = readBufferName(name, names);
      if (failed(index))
        return failure();
      (form.buffers[*index].*storage).hasSlot = true;
      return success();
    });
  };
  if (failed(json.read("bytes", form.arenaBytes)) ||
      failed(readSlots("plain", &BufferDescription::plain)) ||
      failed(readSlots("quantized", &BufferDescription::quantized)))
    return failure();
  ScratchMap scratch;
  for (auto [index, launch] : llvm::enumerate(form.launches))
    for (ScratchDescription &entry : launch.scratch)
      scratch[{index, entry.tag}] = &entry;
  return json.readElements("scratch", [&](const JsonCursor &pair) {
    return readScratchSlot(pair, scratch, form.launches.size());
  });
}

static LogicalResult readFormKind(const JsonCursor &json,
                                  FormDescription &form) {
  FailureOr<JsonCursor> kind = json.getMember("kind");
  if (failed(kind))
    return failure();
  FailureOr<StringRef> name = kind->getString();
  if (failed(name))
    return failure();
  std::optional<FormKind> symbol = symbolizeFormKind(*name);
  if (!symbol)
    return kind->emitError()
           << quote(*name) << " is not one of decode, prefill, batch";
  form.kind = *symbol;
  if (failed(json.read("rows", form.rows, 1)))
    return failure();
  if (form.kind == FormKind::Decode && form.rows != 1)
    return json.emitError()
           << "a decode form must have one row, got " << form.rows;
  return success();
}

static LogicalResult readForm(const JsonCursor &json, FormDescription &form) {
  BufferNames names;
  auto readNamedBuffer = [&](const JsonCursor &element) -> LogicalResult {
    BufferDescription &buffer = form.buffers.emplace_back();
    if (failed(readBuffer(element, buffer)))
      return failure();
    if (!names.try_emplace(buffer.name, form.buffers.size() - 1).second)
      return element.emitError()
             << "the form already has a buffer " << quote(buffer.name);
    return success();
  };
  if (failed(readFormKind(json, form)) ||
      failed(json.readElements("buffers", readNamedBuffer)) ||
      failed(orderBuffers(json, names, form)) ||
      failed(readPositions(json, names, form)) ||
      failed(readLaunches(json, names, form)))
    return failure();
  FailureOr<JsonCursor> arena = json.getMember("arena");
  return failed(arena) ? failure() : readArena(*arena, names, form);
}

FailureOr<ProgramDescription> lane::json::readProgram(const JsonCursor &json) {
  ProgramDescription program;
  FailureOr<JsonCursor> numerics = json.getMember("numerics");
  if (failed(numerics))
    return failure();
  FailureOr<StringRef> name = numerics->getString();
  if (failed(name))
    return failure();
  std::optional<Numerics> symbol = symbolizeNumerics(*name);
  if (!symbol)
    return numerics->emitError()
           << quote(*name) << " is neither one_pass nor two_pass";
  program.numerics = *symbol;
  if (failed(json.read("context", program.contextLength, 1)) ||
      failed(json.readElements("forms", [&](const JsonCursor &form) {
        return readForm(form, program.forms.emplace_back());
      })))
    return failure();
  return program;
}

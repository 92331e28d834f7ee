//===- ReadLaunches.cpp - Launches of a form from JSON --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramDescription.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace lane;
using namespace lane::json;

FailureOr<unsigned> lane::json::readBufferName(const JsonCursor &name,
                                               const BufferNames &names) {
  FailureOr<StringRef> string = name.getString();
  if (failed(string))
    return failure();
  auto it = names.find(*string);
  if (it == names.end())
    return name.emitError() << "the form has no buffer " << quote(*string);
  return it->second;
}

static LogicalResult readScratch(const JsonCursor &json,
                                 LaunchDescription &launch) {
  llvm::SmallSet<int64_t, 4> tags;
  return json.forEachElement([&](const JsonCursor &element) -> LogicalResult {
    ScratchDescription scratch;
    // A tag is only compared, so it may be negative.
    if (failed(element.read("tag", scratch.tag,
                            std::numeric_limits<int64_t>::min())) ||
        failed(element.read("bytes", scratch.bytes)) ||
        failed(element.read("counter", scratch.isCounter)))
      return failure();
    if (!tags.insert(scratch.tag).second)
      return element.emitError()
             << "scratch tag " << scratch.tag << " is used twice";
    launch.scratch.push_back(scratch);
    return success();
  });
}

/// Reads `chosen` and `experts`; a launch has both or neither.
static LogicalResult readExpertCounts(const JsonCursor &json,
                                      LaunchDescription &launch) {
  if (!json.lookupMember("chosen") && !json.lookupMember("experts"))
    return success();
  if (failed(json.read("chosen", launch.active, 1)) ||
      failed(json.read("experts", launch.experts, 1)))
    return failure();
  if (launch.active > launch.experts)
    return json.emitError() << "has " << launch.active << " active experts of "
                            << launch.experts;
  return success();
}

/// Reads the inputs and outputs of a launch, or of a part of a fused launch.
static LogicalResult readOperands(const JsonCursor &json,
                                  const BufferNames &names,
                                  const FormDescription &form,
                                  LaunchDescription &launch) {
  bool isGather = launch.op == "gather";
  bool isMoe = launch.op == "moe";
  auto addRead = [&](const JsonCursor &name, AccessKind kind) -> LogicalResult {
    FailureOr<unsigned> buffer = readBufferName(name, names);
    if (failed(buffer))
      return failure();
    // A gather reads matrices by rows and other operands densely.
    unsigned root = form.buffers[*buffer].root;
    if (isGather && form.buffers[root].fill == FillKind::Rows)
      kind = AccessKind::Gather;
    launch.reads.push_back({*buffer, kind});
    return success();
  };
  if (failed(json.readElements("reads", [&](const JsonCursor &name) {
        return addRead(name, AccessKind::Dense);
      })))
    return failure();

  /// Adds the buffer that member `key` names, if present.
  auto addMember = [&](StringRef key, AccessKind kind,
                       bool isRequired) -> LogicalResult {
    if (!isRequired && !json.lookupMember(key))
      return success();
    FailureOr<JsonCursor> member = json.getMember(key);
    return failed(member) ? failure() : addRead(*member, kind);
  };
  // The up matrix of an expert may contain its gate.
  if (failed(addMember("table", AccessKind::Gather, isGather)) ||
      failed(addMember("wg", AccessKind::Expert, false)) ||
      failed(addMember("wu", AccessKind::Expert, isMoe)) ||
      failed(addMember("wd", AccessKind::Expert, isMoe)) ||
      failed(readExpertCounts(json, launch)))
    return failure();

  std::optional<JsonCursor> writes = json.lookupMember("writes");
  if (!writes)
    return success();
  return writes->forEachElement([&](const JsonCursor &name) -> LogicalResult {
    FailureOr<unsigned> buffer = readBufferName(name, names);
    if (failed(buffer))
      return failure();
    const BufferDescription &root = form.buffers[form.buffers[*buffer].root];
    if (root.isConstant())
      return name.emitError() << "a launch writes " << quote(root.name)
                              << ", which is a constant";
    launch.writes.push_back(*buffer);
    return success();
  });
}

/// Reads a part of a fused launch. A part has no scratch.
static LogicalResult readPart(const JsonCursor &json, const BufferNames &names,
                              const FormDescription &form,
                              LaunchDescription &part) {
  if (failed(json.read("op", part.op)))
    return failure();
  if (part.op == "fused")
    return json.emitError() << "a fused launch is part of a fused launch";
  if (std::optional<JsonCursor> scratch = json.lookupMember("scratch")) {
    if (failed(readScratch(*scratch, part)))
      return failure();
    if (!part.scratch.empty())
      return scratch->emitError()
             << "a part has scratch, which belongs to the fused launch";
  }
  return readOperands(json, names, form, part);
}

static LogicalResult readLaunch(const JsonCursor &json,
                                const BufferNames &names,
                                const FormDescription &form,
                                LaunchDescription &launch) {
  if (failed(json.read("op", launch.op)))
    return failure();
  FailureOr<JsonCursor> scratch = json.getMember("scratch");
  if (failed(scratch) || failed(readScratch(*scratch, launch)))
    return failure();
  if (launch.op != "fused")
    return readOperands(json, names, form, launch);

  FailureOr<JsonCursor> parts = json.getMember("parts");
  if (failed(parts) ||
      failed(parts->forEachElement([&](const JsonCursor &part) {
        return readPart(part, names, form, launch.parts.emplace_back());
      })))
    return failure();
  if (launch.parts.empty())
    return parts->emitError() << "a fused launch has no parts";
  return success();
}

LogicalResult lane::json::readLaunches(const JsonCursor &json,
                                       const BufferNames &names,
                                       FormDescription &form) {
  return json.readElements("launches", [&](const JsonCursor &launch) {
    return readLaunch(launch, names, form, form.launches.emplace_back());
  });
}

//===- HostDescription.cpp - Parts of a generated program -----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostDescription.h"
#include "lane/Analysis/Traffic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <tuple>

using namespace mlir;
using namespace lane;

lane_description HostDescription::getNumbers() const {
  lane_description numbers = {};
  numbers.arena_bytes = arenaBytes;
  numbers.fixed_bytes = fixedBytes;
  numbers.spare_bytes = spareBytes;
  numbers.num_uploads = uploads.size();
  numbers.num_pointers = pointers.size();
  numbers.num_files = numFiles;
  numbers.num_segments = segments.size();
  return numbers;
}

SmallVector<StringRef> HostDescription::getSteps() const {
  return {"laneTakeBudget",
          policy == PlacementPolicy::LeastTraffic ? "lanePlaceLeastTraffic"
                                                  : "lanePlaceLastRead",
          "laneAllocateArena",
          "laneAllocatePool",
          "laneMapHostPool",
          "laneBindPointers",
          "laneUpload"};
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string HostDescription::getIdentifier(StringRef name) {
  std::string identifier;
  for (char c : name)
    identifier += llvm::isAlnum(c) ? c : '_';
  return identifier;
}

/// The comment of a pointer in the header.
static std::string describe(const LaidOutArray &array) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // A name may contain any bytes, but must not end the C comment.
  std::string name = array.name;
  for (char &c : name)
    if (!llvm::isPrint(c) || c == '*' || c == '\\' || c == '?')
      c = '_';
  os << name << ": ";
  if (auto matrix = dyn_cast_if_present<MatrixOp>(array.op))
    os << stringifyNumberFormat(matrix.getType().getFormat()) << ", ";
  os << array.bytes << " bytes ";
  switch (array.place) {
  case LaidOutArray::Place::Arena:
    os << "in the arena";
    break;
  case LaidOutArray::Place::Fixed:
    os << "in the device pool";
    break;
  case LaidOutArray::Place::Upload:
    os << "of upload " << array.rank;
    break;
  }
  return text;
}

static int64_t getBase(const LaidOutArray &array) {
  switch (array.place) {
  case LaidOutArray::Place::Arena:
    return LANE_BASE_ARENA;
  case LaidOutArray::Place::Fixed:
    return LANE_BASE_FIXED;
  case LaidOutArray::Place::Upload:
    return array.rank;
  }
  llvm_unreachable("unknown place");
}

static void addPointers(const PoolLayout &layout, HostDescription &host) {
  std::string upper = StringRef(host.prefix).upper() + "_";
  llvm::StringSet<> taken;
  for (const LaidOutArray &array : layout.arrays) {
    std::string stem =
        upper + StringRef(HostDescription::getIdentifier(array.name)).upper();
    std::string identifier = stem;
    for (int64_t copy = 2; !taken.insert(identifier).second; ++copy)
      identifier = stem + "_" + std::to_string(copy);
    host.identifiers.push_back(std::move(identifier));
    host.comments.push_back(describe(array));
    host.pointers.push_back({getBase(array), array.offset});
  }
}

static LogicalResult addFileNames(ProgramOp program, HostDescription &host) {
  if (ArrayAttr files = program.getFilesAttr()) {
    host.numFiles = files.size();
    for (StringRef name : files.getAsValueRange<StringAttr>()) {
      if (name.contains('\0'))
        return emitBriefOpError(program)
               << "has a file name that contains a NUL byte";
      host.fileNames += name.str() + '\0';
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

namespace {
/// Collects segments, and the name of each tensor once.
class SegmentBuilder {
public:
  explicit SegmentBuilder(HostDescription &host) : host(host) {}

  void addZeros(int64_t base, int64_t destinationBytes, int64_t bytes);
  void addUpload(MatrixOp matrix, int64_t rank);
  void addValues(ValuesOp values, int64_t destinationBytes);
  /// Sorts the segments by source and offset.
  void finish();

private:
  int64_t addName(StringRef name);
  void addRows(RowsAttr run, NumberFormat format, int64_t columns,
               int64_t rowBytes, lane_segment segment);

  HostDescription &host;
  llvm::StringMap<int64_t> nameOffsets;
};
} // namespace

int64_t SegmentBuilder::addName(StringRef name) {
  auto [it, isNew] = nameOffsets.try_emplace(name, host.tensorNames.size());
  if (!isNew)
    return it->second;
  for (char c : name)
    host.tensorNames += c ? c : '?';
  host.tensorNames += '\0';
  return it->second;
}

void SegmentBuilder::addZeros(int64_t base, int64_t destinationBytes,
                              int64_t bytes) {
  if (bytes == 0)
    return;
  lane_segment segment{};
  segment.source = LANE_SOURCE_ZEROS;
  segment.bytes = bytes;
  segment.base = base;
  segment.destination_bytes = destinationBytes;
  host.segments.push_back(segment);
}

/// Adds one run of rows. `segment` already has the name and the destination.
void SegmentBuilder::addRows(RowsAttr run, NumberFormat format, int64_t columns,
                             int64_t rowBytes, lane_segment segment) {
  segment.source = run.getFile();
  segment.offset = run.getOffset();
  segment.bytes = run.getCount() * rowBytes;
  segment.type = static_cast<int64_t>(format);
  segment.columns = columns;
  segment.row_bytes = rowBytes;
  segment.tensor_offset = run.getTensor() ? addName(run.getTensor()) : -1;
  host.numFiles = std::max(host.numFiles, segment.source + 1);
  if (segment.bytes > 0)
    host.segments.push_back(segment);
}

/// Adds the runs of a matrix in sequence, and zeros for the rest of its arrays,
/// which a staged read may access.
void SegmentBuilder::addUpload(MatrixOp matrix, int64_t rank) {
  MatrixType type = matrix.getType();
  bool isSplit = type.getFormat() == NumberFormat::Q8_0;
  int64_t columns = type.getNumColumns();
  int64_t rowScaleBytes = columns / getBlockElements(type.getFormat()) * 2;
  int64_t row = 0;
  lane_segment segment{};
  segment.name_offset = addName(matrix.getSymName());
  segment.base = rank;
  for (auto run : matrix.getRows().getAsRange<RowsAttr>()) {
    segment.destination_bytes = row * (isSplit ? columns : type.getRowBytes());
    if (isSplit)
      segment.scales_destination_bytes =
          getScalesOffset(type) + row * rowScaleBytes;
    addRows(run, type.getFormat(), columns, type.getRowBytes(), segment);
    row += run.getCount();
  }
  if (!isSplit)
    return addZeros(rank, type.getCheckpointBytes(),
                    type.getUploadBytes() - type.getCheckpointBytes());
  int64_t scalesEnd = getScalesOffset(type) + row * rowScaleBytes;
  addZeros(rank, type.getLength(), getScalesOffset(type) - type.getLength());
  addZeros(rank, scalesEnd, type.getUploadBytes() - scalesEnd);
}

/// Adds values from the checkpoint or from the program. Other values are zero,
/// since the whole fixed part is set to zero first.
void SegmentBuilder::addValues(ValuesOp values, int64_t destinationBytes) {
  constexpr int64_t kValueBytes = 4;
  lane_segment segment{};
  segment.base = LANE_BASE_FIXED;
  segment.destination_bytes = destinationBytes;
  if (std::optional<ArrayAttr> rows = values.getRows()) {
    int64_t columns = values.getType().getShape().back();
    segment.name_offset = addName(values.getSymName());
    for (auto run : rows->getAsRange<RowsAttr>()) {
      addRows(run, NumberFormat::F32, columns, columns * kValueBytes, segment);
      segment.destination_bytes += run.getCount() * columns * kValueBytes;
    }
    return;
  }
  auto data = dyn_cast_if_present<DenseElementsAttr>(values.getDataAttr());
  if (!data || data.empty())
    return;
  segment.source = LANE_SOURCE_VALUES;
  segment.offset = host.values.size();
  segment.bytes = data.getNumElements() * kValueBytes;
  llvm::append_range(host.values, data.getValues<float>());
  host.segments.push_back(segment);
}

void SegmentBuilder::finish() {
  llvm::stable_sort(host.segments, [](const lane_segment &lhs,
                                      const lane_segment &rhs) {
    return std::tie(lhs.source, lhs.offset) < std::tie(rhs.source, rhs.offset);
  });
}

static void addSegments(const ResidencePlan &plan, const PoolLayout &layout,
                        HostDescription &host) {
  SegmentBuilder segments(host);
  segments.addZeros(LANE_BASE_ARENA, 0, plan.arenaBytes);
  segments.addZeros(LANE_BASE_FIXED, 0, layout.fixedBytes);
  for (auto [rank, upload] : llvm::enumerate(plan.order))
    segments.addUpload(upload.matrix, rank);
  Operation *last = nullptr;
  for (const LaidOutArray &array : layout.arrays) {
    // The first array of values is the plain one.
    auto values = dyn_cast_if_present<ValuesOp>(array.op);
    if (values && values != last)
      segments.addValues(values, array.offset);
    last = array.op;
  }
  segments.finish();
}

FailureOr<HostDescription> lane::describeHost(ProgramOp program,
                                              const ResidencePlan &plan,
                                              const PoolLayout &layout,
                                              PlacementPolicy policy) {
  HostDescription host;
  host.prefix = "lane_" + HostDescription::getIdentifier(program.getSymName());
  host.arenaBytes = plan.arenaBytes;
  host.fixedBytes = layout.fixedBytes;
  host.spareBytes = plan.spareBytes;
  host.policy = policy;
  addPointers(layout, host);
  if (failed(addFileNames(program, host)))
    return failure();
  int64_t numNamed = host.numFiles;

  // Only least-traffic needs the step bytes, whose computation may overflow.
  SmallVector<int64_t> stepBytes(plan.order.size());
  if (policy == PlacementPolicy::LeastTraffic) {
    FailureOr<SmallVector<int64_t>> traffic = computeTraffic(program, plan);
    if (failed(traffic))
      return failure();
    stepBytes = std::move(*traffic);
  }
  for (auto [upload, bytes] : llvm::zip_equal(plan.order, stepBytes))
    host.uploads.push_back({upload.bytes, bytes});
  addSegments(plan, layout, host);
  // The caller of `open` must give the path of a file without a name.
  host.fileNames.append(host.numFiles - numNamed, '\0');
  return std::move(host);
}

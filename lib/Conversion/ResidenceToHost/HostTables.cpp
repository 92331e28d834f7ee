//===- HostTables.cpp - The tables of a generated program -----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTables.h"
#include "../../Runtime/Segment.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <tuple>

using namespace mlir;
using namespace lane;

int64_t HostTables::getNumSegments() const {
  return segments.size() / LaneSegment::kNumFigures;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// `name` with all that C does not allow in an identifier replaced. It is made
/// to follow a prefix, so it may start with a digit or be a keyword.
static std::string makeIdentifier(StringRef name) {
  std::string identifier;
  for (char c : name)
    identifier += llvm::isAlnum(c) ? c : '_';
  return identifier;
}

/// What an array is, for the header's reader.
static std::string describe(const LaidOutArray &array) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Of any bytes, and inside a comment of C.
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

static void addPointers(const PoolLayout &layout, HostTables &tables) {
  std::string upper = StringRef(tables.prefix).upper() + "_";
  llvm::StringSet<> taken;
  for (const LaidOutArray &array : layout.arrays) {
    std::string stem = upper + StringRef(makeIdentifier(array.name)).upper();
    std::string identifier = stem;
    for (int64_t copy = 2; !taken.insert(identifier).second; ++copy)
      identifier = stem + "_" + std::to_string(copy);
    tables.identifiers.push_back(std::move(identifier));
    tables.comments.push_back(describe(array));
    tables.bases.push_back(
        array.place == LaidOutArray::Place::Arena   ? LaneSegment::kArena
        : array.place == LaidOutArray::Place::Fixed ? LaneSegment::kFixed
                                                    : array.rank);
    tables.offsets.push_back(array.offset);
  }
}

static LogicalResult addFileNames(ProgramOp program, HostTables &tables) {
  if (ArrayAttr files = program.getFilesAttr()) {
    tables.numFiles = files.size();
    for (StringRef name : files.getAsValueRange<StringAttr>()) {
      if (name.contains('\0'))
        return program.emitOpError() << "has a file name with a zero byte";
      tables.fileNames += name.str() + '\0';
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

namespace {
/// Gathers segments, and the names of their tensors once each.
class SegmentBuilder {
public:
  explicit SegmentBuilder(HostTables &tables) : tables(tables) {}

  void addZeros(int64_t upload, int64_t destination, int64_t bytes);
  void addUpload(MatrixOp matrix, int64_t rank);
  void addValues(ValuesOp values, int64_t destination);
  void finish();

private:
  int64_t addName(StringRef name);

  HostTables &tables;
  std::vector<LaneSegment> segments;
};
} // namespace

int64_t SegmentBuilder::addName(StringRef name) {
  int64_t offset = tables.segmentNames.size();
  for (char c : name)
    tables.segmentNames += c ? c : '?';
  tables.segmentNames += '\0';
  return offset;
}

void SegmentBuilder::addZeros(int64_t upload, int64_t destination,
                              int64_t bytes) {
  if (bytes == 0)
    return;
  LaneSegment segment{};
  segment.file = LaneSegment::kZeros;
  segment.bytes = bytes;
  segment.upload = upload;
  segment.destination = destination;
  segments.push_back(segment);
}

/// The runs of a matrix, one after the other; and zeros in what is left of its
/// arrays, which a staged read may run into.
void SegmentBuilder::addUpload(MatrixOp matrix, int64_t rank) {
  MatrixType type = matrix.getType();
  bool isSplit = type.getFormat() == NumberFormat::Q8_0;
  int64_t rowBlocks = type.getNumColumns() / getBlockElements(type.getFormat());
  int64_t row = 0;
  int64_t name = addName(matrix.getSymName());
  for (auto run : matrix.getRows().getAsRange<RowsAttr>()) {
    LaneSegment segment{};
    segment.file = run.getFile();
    segment.offset = run.getOffset();
    segment.bytes = run.getCount() * type.getRowBytes();
    segment.type = static_cast<int64_t>(type.getFormat());
    segment.columns = type.getNumColumns();
    segment.rowBytes = type.getRowBytes();
    segment.upload = rank;
    segment.destination =
        row * (isSplit ? type.getNumColumns() : type.getRowBytes());
    if (isSplit)
      segment.scalesDestination = getScalesOffset(type) + row * rowBlocks * 2;
    segment.name = name;
    row += run.getCount();
    if (segment.bytes > 0)
      segments.push_back(segment);
  }
  if (!isSplit)
    return addZeros(rank, type.getCheckpointBytes(),
                    type.getUploadBytes() - type.getCheckpointBytes());
  int64_t scalesEnd = getScalesOffset(type) + row * rowBlocks * 2;
  addZeros(rank, type.getLength(), getScalesOffset(type) - type.getLength());
  addZeros(rank, scalesEnd, type.getUploadBytes() - scalesEnd);
}

/// Values are of the checkpoint, of the program, or zeros, as all that is fixed
/// is at first.
void SegmentBuilder::addValues(ValuesOp values, int64_t destination) {
  constexpr int64_t kValueBytes = 4;
  int64_t columns = values.getType().getShape().back();
  if (std::optional<ArrayAttr> rows = values.getRows()) {
    int64_t name = addName(values.getSymName());
    for (auto run : rows->getAsRange<RowsAttr>()) {
      LaneSegment segment{};
      segment.file = run.getFile();
      segment.offset = run.getOffset();
      segment.bytes = run.getCount() * columns * kValueBytes;
      segment.type = static_cast<int64_t>(NumberFormat::F32);
      segment.columns = columns;
      segment.rowBytes = columns * kValueBytes;
      segment.upload = LaneSegment::kFixed;
      segment.destination = destination;
      segment.name = name;
      destination += segment.bytes;
      if (segment.bytes > 0)
        segments.push_back(segment);
    }
    return;
  }
  auto data = dyn_cast_if_present<DenseElementsAttr>(values.getDataAttr());
  if (!data || data.empty())
    return;
  LaneSegment segment{};
  segment.file = LaneSegment::kValues;
  segment.offset = tables.values.size();
  segment.bytes = data.getNumElements() * kValueBytes;
  segment.upload = LaneSegment::kFixed;
  segment.destination = destination;
  llvm::append_range(tables.values, data.getValues<float>());
  segments.push_back(segment);
}

/// In the order in which they are carried out: zeros, values, then the files
/// from their start to their end.
void SegmentBuilder::finish() {
  llvm::stable_sort(
      segments, [](const LaneSegment &lhs, const LaneSegment &rhs) {
        return std::tie(lhs.file, lhs.offset) < std::tie(rhs.file, rhs.offset);
      });
  for (const LaneSegment &segment : segments) {
    int64_t figures[] = {
        segment.file,   segment.offset,      segment.bytes,
        segment.type,   segment.columns,     segment.rowBytes,
        segment.upload, segment.destination, segment.scalesDestination,
        segment.name};
    static_assert(std::size(figures) == LaneSegment::kNumFigures);
    llvm::append_range(tables.segments, figures);
    tables.numFiles = std::max(tables.numFiles, segment.file + 1);
  }
}

FailureOr<HostTables> lane::makeHostTables(ProgramOp program,
                                           const ResidencePlan &plan,
                                           const PoolLayout &layout) {
  HostTables tables;
  tables.prefix = "lane_" + makeIdentifier(program.getSymName());
  addPointers(layout, tables);
  if (failed(addFileNames(program, tables)))
    return failure();
  int64_t numNamed = tables.numFiles;

  SegmentBuilder segments(tables);
  segments.addZeros(LaneSegment::kArena, 0, plan.arenaBytes);
  segments.addZeros(LaneSegment::kFixed, 0, layout.fixedBytes);
  for (auto [rank, upload] : llvm::enumerate(plan.order)) {
    tables.uploadBytes.push_back(upload.bytes);
    segments.addUpload(upload.matrix, rank);
  }
  Operation *last = nullptr;
  for (const LaidOutArray &array : layout.arrays) {
    // The first array of values is the plain one.
    auto values = dyn_cast_if_present<ValuesOp>(array.op);
    if (values && values != last)
      segments.addValues(values, array.offset);
    last = array.op;
  }
  segments.finish();
  // Files that are read and have no name have to be given when it is opened.
  tables.fileNames.append(tables.numFiles - numNamed, '\0');
  return std::move(tables);
}

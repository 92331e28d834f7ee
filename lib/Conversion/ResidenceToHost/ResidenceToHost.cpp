//===- ResidenceToHost.cpp - The pass residence-to-host -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program does at its start is the same for all programs, so it is
// written once, as IR, in Host.mlir. The pass parses it with the program's
// figures in their places and puts the program's tables beside it.
//
//===----------------------------------------------------------------------===//

#include "HostTables.h"
#include "lane/Analysis/Traffic.h"
#include "lane/Conversion/Passes.h"
#include "lane/Host/Host.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

namespace lane {
#define GEN_PASS_DEF_RESIDENCETOHOSTPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

#include "HostText.inc"

using namespace mlir;
using namespace lane;

/// `text` with the value of NAME in place of every ${NAME}.
static std::string
substitute(StringRef text,
           ArrayRef<std::pair<StringRef, std::string>> replacements) {
  std::string result = text.str();
  for (const auto &[name, value] : replacements) {
    std::string place = ("${" + name + "}").str();
    for (size_t at = 0; (at = result.find(place, at)) != std::string::npos;
         at += value.size())
      result.replace(at, place.size(), value);
  }
  return result;
}

namespace {
/// Builds the tables of a program.
class TableBuilder {
public:
  TableBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// A table has one element at least: C has no arrays without any.
  template <typename T>
  void add(StringRef name, ArrayRef<T> values) {
    SmallVector<T> padded(values);
    if (padded.empty())
      padded.push_back(T());
    Type type = std::is_same_v<T, float> ? Type(builder.getF32Type())
                                         : builder.getI64Type();
    addValue(name, DenseElementsAttr::get(
                       RankedTensorType::get({int64_t(padded.size())}, type),
                       ArrayRef<T>(padded)));
  }
  void add(StringRef name, const std::string &text) {
    addValue(name, builder.getStringAttr(text));
  }

private:
  void addValue(StringRef name, Attribute value) {
    host::TableOp::create(builder, loc, name, value);
  }

  OpBuilder &builder;
  Location loc;
};
} // namespace

static LogicalResult lowerProgram(ModuleOp module, ProgramOp program,
                                  PlacementPolicy policy) {
  FailureOr<ResidencePlan> plan = computeResidencePlan(program);
  if (failed(plan) || failed(verifyPlanIsCurrent(program, *plan)))
    return failure();
  FailureOr<PoolLayout> layout = computePoolLayout(program, *plan);
  if (failed(layout))
    return failure();
  FailureOr<HostTables> tables = makeHostTables(program, *plan, *layout);
  if (failed(tables))
    return failure();

  bool isLeastTraffic = policy == PlacementPolicy::LeastTraffic;
  SmallVector<int64_t> stepBytes;
  if (isLeastTraffic) {
    FailureOr<SmallVector<int64_t>> traffic = computeTraffic(program, *plan);
    if (failed(traffic))
      return failure();
    stepBytes = std::move(*traffic);
  }

  PlacementProblem problem = plan->getPlacementProblem();
  std::string text = substitute(
      kHostText,
      {// First, since it has places of its own.
       {"PLACE",
        (isLeastTraffic ? kPlaceLeastTrafficText : kPlaceLastReadText).str()},
       {"NAME", tables->prefix},
       {"WHOLE_BYTES", std::to_string(problem.getWholeBytes())},
       {"PINNED_BYTES", std::to_string(problem.getResidentBytes())},
       {"ARENA_BYTES", std::to_string(plan->arenaBytes)},
       {"FIXED_BYTES", std::to_string(layout->fixedBytes)},
       {"SPARE_BYTES", std::to_string(plan->spareBytes)},
       {"NUM_UPLOADS", std::to_string(plan->order.size())},
       {"NUM_POINTERS", std::to_string(tables->identifiers.size())},
       {"NUM_FILES", std::to_string(tables->numFiles)},
       {"NUM_SEGMENTS", std::to_string(tables->getNumSegments())}});

  OpBuilder builder(program);
  Location loc = program.getLoc();
  SmallVector<StringRef> identifiers(tables->identifiers.begin(),
                                     tables->identifiers.end());
  SmallVector<StringRef> comments(tables->comments.begin(),
                                  tables->comments.end());
  host::InterfaceOp::create(builder, loc, tables->prefix,
                            builder.getStrArrayAttr(identifiers),
                            builder.getStrArrayAttr(comments));
  TableBuilder tableBuilder(builder, loc);
  tableBuilder.add("upload_bytes", ArrayRef<int64_t>(tables->uploadBytes));
  if (isLeastTraffic)
    tableBuilder.add("upload_step_bytes", ArrayRef<int64_t>(stepBytes));
  tableBuilder.add("pointer_bases", ArrayRef<int64_t>(tables->bases));
  tableBuilder.add("pointer_offsets", ArrayRef<int64_t>(tables->offsets));
  tableBuilder.add("file_names", tables->fileNames);
  tableBuilder.add("segments", ArrayRef<int64_t>(tables->segments));
  tableBuilder.add("segment_names", tables->segmentNames);
  tableBuilder.add("values", ArrayRef<float>(tables->values));

  // The pass manager verifies it along with the tables it refers to.
  Block functions;
  ParserConfig config(module.getContext(), /*verifyAfterParse=*/false);
  if (failed(parseSourceString(text, &functions, config, "Host.mlir")))
    return failure();
  program->getBlock()->getOperations().splice(program->getIterator(),
                                              functions.getOperations());
  program.erase();
  return success();
}

namespace {
struct ResidenceToHostPass
    : public lane::impl::ResidenceToHostPassBase<ResidenceToHostPass> {
  using ResidenceToHostPassBase::ResidenceToHostPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto programs = llvm::to_vector(module.getOps<ProgramOp>());
    if (programs.size() != 1) {
      emitError(programs.empty() ? module.getLoc() : programs[1].getLoc())
          << "expected a module with one lane.program, found "
          << programs.size();
      return signalPassFailure();
    }
    if (failed(lowerProgram(module, programs.front(), policy)))
      signalPassFailure();
  }
};
} // namespace

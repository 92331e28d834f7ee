//===- LaneDialect.cpp - The lane dialect ---------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace lane;

#include "lane/Dialect/Lane/IR/LaneDialect.cpp.inc"
#include "lane/Dialect/Lane/IR/LaneEnums.cpp.inc"

void LaneDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "lane/Dialect/Lane/IR/LaneOps.cpp.inc"
      >();
}

/// Launches of other dialects store their scratch in `lane.scratch`.
static LogicalResult verifyScratchAttribute(Operation *op, Attribute attr) {
  auto scratch = dyn_cast<ArrayAttr>(attr);
  if (!scratch || !llvm::all_of(scratch, llvm::IsaPred<ScratchAttr>))
    return op->emitOpError()
           << "'lane.scratch' must be an array of #lane.scratch";
  auto launch = dyn_cast<LaunchOpInterface>(op);
  if (!launch)
    return op->emitOpError() << "has 'lane.scratch' but is not a launch";
  if (launch.getScratchAttr() != scratch)
    return op->emitOpError()
           << "has 'lane.scratch', but stores its scratch elsewhere";
  return success();
}

/// A tensor of a checkpoint has a name, which ends at a NUL byte in generated
/// programs.
static bool isTensorName(Attribute attr) {
  auto name = dyn_cast<StringAttr>(attr);
  return name && !name.empty() && !name.getValue().contains('\0');
}

/// Returns a description of the values that attribute `name` accepts; empty if
/// `attr` is such a value. None if constants do not have attribute `name`.
static std::optional<StringRef> checkConstantAttribute(StringRef name,
                                                       Attribute attr) {
  if (name == "lane.type") {
    auto type = dyn_cast<TypeAttr>(attr);
    return type && isa<MatrixType>(type.getValue()) ? "" : "a matrix type";
  }
  if (name == "lane.rows") {
    auto rows = dyn_cast<ArrayAttr>(attr);
    return rows && llvm::all_of(rows, llvm::IsaPred<RowsAttr>)
               ? ""
               : "an array of #lane.rows";
  }
  if (name == "lane.weight")
    return isTensorName(attr) ? "" : "a name without NUL bytes";
  return std::nullopt;
}

static LogicalResult emitWrong(Operation *op, StringRef name,
                               std::optional<StringRef> expected) {
  if (!expected)
    return op->emitOpError()
           << "has an unknown attribute '" << name << "' of the lane dialect";
  return op->emitOpError() << "'" << name << "' must be " << *expected;
}

LogicalResult LaneDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == "lane.scratch")
    return verifyScratchAttribute(op, attr.getValue());
  std::optional<StringRef> expected =
      checkConstantAttribute(name, attr.getValue());
  if (name == "lane.files") {
    auto files = dyn_cast<ArrayAttr>(attr.getValue());
    expected = files && llvm::all_of(files, llvm::IsaPred<StringAttr>)
                   ? ""
                   : "an array of names";
  } else if (name == "lane.prefill_rows" || name == "lane.batch_rows") {
    auto rows = dyn_cast<IntegerAttr>(attr.getValue());
    expected = rows && rows.getType().isSignlessInteger(64) && rows.getInt() > 0
                   ? ""
                   : "a positive i64";
  } else if (name == "lane.step") {
    auto form = dyn_cast<SymbolRefAttr>(attr.getValue());
    bool isNested = form && form.getNestedReferences().size() == 1;
    expected = isNested && isa<FunctionOpInterface>(op)
                   ? ""
                   : "the symbol of a form of a program, on a function";
  }
  if (expected && expected->empty())
    return success();
  return emitWrong(op, name, expected);
}

LogicalResult LaneDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned,
                                                    NamedAttribute attr) {
  StringRef name = attr.getName();
  std::optional<StringRef> expected =
      checkConstantAttribute(name, attr.getValue());
  if (name == "lane.state")
    expected = isa<StringAttr>(attr.getValue()) ? "" : "a name";
  else if (name == "lane.position")
    expected = isa<UnitAttr>(attr.getValue()) ? "" : "a unit attribute";
  else if (name == "lane.access")
    expected = isa<AccessAttr>(attr.getValue()) ? "" : "a #lane.access";
  if (expected && expected->empty())
    return success();
  return emitWrong(op, name, expected);
}

//===- LaneAttrs.cpp - Attributes of the lane dialect ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Support/Bytes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lane;

/// space ::= `device` integer | `host`
template <>
struct mlir::FieldParser<lane::MemorySpace> {
  static FailureOr<lane::MemorySpace> parse(AsmParser &parser) {
    if (succeeded(parser.parseOptionalKeyword("host")))
      return lane::MemorySpace::getHost();
    int64_t number;
    if (failed(parser.parseOptionalKeyword("device")))
      return parser.emitError(parser.getCurrentLocation())
             << "expected 'device' or 'host'";
    if (parser.parseInteger(number))
      return failure();
    return lane::MemorySpace::getDevice(number);
  }
};

#define GET_ATTRDEF_CLASSES
#include "lane/Dialect/Lane/IR/LaneAttrs.cpp.inc"

void LaneDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lane/Dialect/Lane/IR/LaneAttrs.cpp.inc"
      >();
}

LogicalResult RowsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t file, int64_t offset, int64_t count,
                               StringAttr tensor) {
  if (file < 0)
    return emitError() << "file number " << file << " is negative";
  if (offset < 0)
    return emitError() << "offset " << offset << " is negative";
  if (count <= 0)
    return emitError() << "count of rows " << count << " is not positive";
  if (tensor && (tensor.empty() || tensor.getValue().contains('\0')))
    return emitError() << "tensor name " << tensor
                       << " is empty or contains a NUL byte";
  return success();
}

//===----------------------------------------------------------------------===//
// StorageAttr
//===----------------------------------------------------------------------===//

/// storage ::= `pool` | `arena` (`[` integer `]`)?
static StorageAttr parseStorage(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return {};
  if (keyword != "pool" && keyword != "arena") {
    parser.emitError(loc) << "expected 'pool' or 'arena', got '" << keyword
                          << "'";
    return {};
  }
  std::optional<int64_t> offset;
  if (keyword == "arena" && succeeded(parser.parseOptionalLSquare())) {
    int64_t value;
    if (parser.parseInteger(value) || parser.parseRSquare())
      return {};
    offset = value;
  }
  return parser.getChecked<StorageAttr>(loc, parser.getContext(),
                                        keyword == "arena", offset);
}

static void printStorage(AsmPrinter &printer, StorageAttr storage) {
  printer << (storage.getInArena() ? "arena" : "pool");
  if (storage.getOffset())
    printer << '[' << *storage.getOffset() << ']';
}

Attribute StorageAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  StorageAttr storage = parseStorage(parser);
  if (!storage || parser.parseGreater())
    return {};
  return storage;
}

void StorageAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printStorage(printer, *this);
  printer << '>';
}

LogicalResult StorageAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  bool inArena, std::optional<int64_t> offset) {
  if (!offset)
    return success();
  if (!inArena)
    return emitError() << "a storage in the pool must not have an offset";
  if (*offset < 0 || *offset % kPoolAlignmentBytes != 0)
    return emitError() << "arena offset " << *offset << " is not a multiple of "
                       << kPoolAlignmentBytes;
  return success();
}

//===----------------------------------------------------------------------===//
// ScratchAttr
//===----------------------------------------------------------------------===//

/// scratch ::= `<` `tag` `=` integer `,` `bytes` `=` integer `,`
///             (`counter` `,`)? storage `>`
Attribute ScratchAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t tag, bytes;
  if (parser.parseLess() || parser.parseKeyword("tag") || parser.parseEqual() ||
      parser.parseInteger(tag) || parser.parseComma() ||
      parser.parseKeyword("bytes") || parser.parseEqual() ||
      parser.parseInteger(bytes) || parser.parseComma())
    return {};
  bool counter = succeeded(parser.parseOptionalKeyword("counter"));
  if (counter && parser.parseComma())
    return {};
  StorageAttr storage = parseStorage(parser);
  if (!storage || parser.parseGreater())
    return {};
  return parser.getChecked<ScratchAttr>(loc, parser.getContext(), tag, bytes,
                                        counter, storage);
}

void ScratchAttr::print(AsmPrinter &printer) const {
  printer << "<tag = " << getTag() << ", bytes = " << getBytes() << ", ";
  if (getCounter())
    printer << "counter, ";
  printStorage(printer, getStorage());
  printer << '>';
}

LogicalResult ScratchAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t tag, int64_t bytes, bool counter,
                                  StorageAttr storage) {
  if (bytes < 0 || !alignToPool(bytes))
    return emitError() << bytes << " bytes of scratch are out of range";
  return success();
}

//===----------------------------------------------------------------------===//
// AccessAttr
//===----------------------------------------------------------------------===//

/// access ::= `<` (`dense` | `gather` | `expert` (integer `of` integer)?) `>`
Attribute AccessAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseLess() || parser.parseKeyword(&keyword))
    return {};
  std::optional<AccessKind> kind = symbolizeAccessKind(keyword);
  if (!kind) {
    parser.emitError(loc) << "'" << keyword << "' is not an access kind";
    return {};
  }
  int64_t active = 0, experts = 0;
  if (kind == AccessKind::Expert) {
    OptionalParseResult counted = parser.parseOptionalInteger(active);
    if (counted.has_value() && (failed(*counted) || parser.parseKeyword("of") ||
                                parser.parseInteger(experts)))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<AccessAttr>(loc, parser.getContext(), *kind, active,
                                       experts);
}

void AccessAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyAccessKind(getKind());
  if (getExperts() != 0)
    printer << ' ' << getActive() << " of " << getExperts();
  printer << '>';
}

LogicalResult AccessAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 AccessKind kind, int64_t active,
                                 int64_t experts) {
  bool counted = active != 0 || experts != 0;
  if (counted && kind != AccessKind::Expert)
    return emitError() << "only 'expert' has counts";
  if (counted && (active < 1 || active > experts))
    return emitError() << "has " << active << " active experts of " << experts;
  return success();
}

//===----------------------------------------------------------------------===//
// ResidenceAttr
//===----------------------------------------------------------------------===//

/// residence ::= `<` `class` `=` class `,` `last_read` `=` integer `,`
///               `rank` `=` integer `,` `bytes` `=` integer `>`
ParseResult lane::parseResidence(AsmParser &parser, Residence &residence) {
  auto parseField = [&](StringRef name, int64_t &value) {
    return failure(parser.parseComma() || parser.parseKeyword(name) ||
                   parser.parseEqual() || parser.parseInteger(value));
  };
  StringRef keyword;
  if (parser.parseLess() || parser.parseKeyword("class") || parser.parseEqual())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<MatrixClass> matrixClass = symbolizeMatrixClass(keyword);
  if (!matrixClass)
    return parser.emitError(loc)
           << "'" << keyword << "' is not a class of uploads";
  residence.matrixClass = *matrixClass;
  return failure(failed(parseField("last_read", residence.lastRead)) ||
                 failed(parseField("rank", residence.rank)) ||
                 failed(parseField("bytes", residence.bytes)) ||
                 parser.parseGreater());
}

void lane::printResidence(AsmPrinter &printer, const Residence &residence) {
  printer << "<class = " << stringifyMatrixClass(residence.matrixClass)
          << ", last_read = " << residence.lastRead
          << ", rank = " << residence.rank << ", bytes = " << residence.bytes
          << '>';
}

Attribute ResidenceAttr::parse(AsmParser &parser, Type) {
  Residence residence;
  if (parseResidence(parser, residence))
    return {};
  return get(parser.getContext(), residence);
}

void ResidenceAttr::print(AsmPrinter &printer) const {
  printResidence(printer, getValue());
}

//===----------------------------------------------------------------------===//
// SpaceAttr, ExtentAttr, PlanAttr
//===----------------------------------------------------------------------===//

LogicalResult SpaceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                MemorySpace space) {
  if (space.number < 0)
    return emitError() << "device number " << space.number << " is negative";
  return success();
}

LogicalResult ExtentAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 MemorySpace space, int64_t offset,
                                 int64_t bytes) {
  if (failed(SpaceAttr::verify(emitError, space)))
    return failure();
  if (offset < 0)
    return emitError() << "offset " << offset << " is negative";
  if (bytes <= 0)
    return emitError() << bytes << " bytes of an extent are not positive";
  if (!checkedAddBytes(offset, bytes))
    return emitError() << bytes << " bytes at offset " << offset
                       << " overflow int64";
  return success();
}

LogicalResult PlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t arena, int64_t fixed, int64_t spare,
                               ArrayAttr order) {
  if (arena < 0 || fixed < 0 || spare < 0)
    return emitError() << "arena, fixed and spare must not be negative, got "
                       << arena << ", " << fixed << " and " << spare;
  if (!llvm::all_of(order, llvm::IsaPred<FlatSymbolRefAttr>))
    return emitError() << "the order of a plan must be an array of symbols";
  return success();
}

//===- Host.cpp - The host dialect ----------------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Host/Host.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lane;
using namespace lane::host;

#include "lane/Host/HostEnums.cpp.inc"

#include "lane/Host/HostDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "lane/Host/HostAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "lane/Host/HostTypes.cpp.inc"

#define GET_OP_CLASSES
#include "lane/Host/HostOps.cpp.inc"

void HostDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "lane/Host/HostTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lane/Host/HostAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lane/Host/HostOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// PointerType
//===----------------------------------------------------------------------===//

Type PointerType::parse(AsmParser &parser) {
  std::string pointee = "void";
  if (succeeded(parser.parseOptionalLess()) &&
      (parser.parseString(&pointee) || parser.parseGreater()))
    return {};
  return get(parser.getContext(), pointee);
}

void PointerType::print(AsmPrinter &printer) const {
  if (getPointee() == "void")
    return;
  printer << '<';
  printer.printString(getPointee());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

LogicalResult InterfaceOp::verify() {
  if (getPointers().size() != getComments().size())
    return emitOpError() << "has " << getPointers().size() << " pointers and "
                         << getComments().size() << " comments";
  return success();
}

LogicalResult TableOp::verify() {
  if (isa<StringAttr>(getValue()))
    return success();
  auto elements = dyn_cast<DenseElementsAttr>(getValue());
  if (!elements || elements.getType().getRank() != 1 ||
      !elements.getElementType().isIntOrFloat())
    return emitOpError() << "expected a string or numbers of one dimension";
  if (elements.empty())
    return emitOpError() << "has no element";
  return success();
}

LogicalResult StructOp::verify() {
  if (getFields().size() != getTypes().size())
    return emitOpError() << "has " << getFields().size() << " fields and "
                         << getTypes().size() << " types";
  return success();
}

std::optional<unsigned> StructOp::lookup(StringRef field) {
  for (auto [index, name] :
       llvm::enumerate(getFields().getAsValueRange<StringAttr>()))
    if (name == field)
      return index;
  return std::nullopt;
}

static FailureOr<TableOp> lookupTable(Operation *op,
                                      SymbolTableCollection &symbolTable,
                                      FlatSymbolRefAttr name) {
  auto table = symbolTable.lookupNearestSymbolFrom<TableOp>(op, name);
  if (!table)
    return op->emitOpError() << name << " is no table";
  return table;
}

LogicalResult
TableAddressOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return lookupTable(*this, symbolTable, getTableAttr());
}

LogicalResult
TableLoadOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  FailureOr<TableOp> table = lookupTable(*this, symbolTable, getTableAttr());
  if (failed(table))
    return failure();
  auto elements = dyn_cast<DenseElementsAttr>(table->getValue());
  if (!elements || elements.getElementType() != getType())
    return emitOpError() << getTableAttr() << " has no elements of "
                         << getType();
  return success();
}

static LogicalResult verifyField(Operation *op,
                                 SymbolTableCollection &symbolTable,
                                 FlatSymbolRefAttr record, StringRef field,
                                 Type type) {
  auto structure = symbolTable.lookupNearestSymbolFrom<StructOp>(op, record);
  if (!structure)
    return op->emitOpError() << record << " is no structure";
  std::optional<unsigned> index = structure.lookup(field);
  if (!index)
    return op->emitOpError() << record << " has no field '" << field << "'";
  Type expected = cast<TypeAttr>(structure.getTypes()[*index]).getValue();
  if (type != expected)
    return op->emitOpError() << "field '" << field << "' of " << record
                             << " is " << expected << ", got " << type;
  return success();
}

LogicalResult GetFieldOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyField(*this, symbolTable, getRecordAttr(), getField(),
                     getType());
}

LogicalResult SetFieldOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyField(*this, symbolTable, getRecordAttr(), getField(),
                     getValue().getType());
}

//===----------------------------------------------------------------------===//
// CudaOp
//===----------------------------------------------------------------------===//

CudaSignature host::getCudaSignature(CudaFunction function) {
  using V = CudaValue;
  static constexpr V kPointer[] = {V::Pointer};
  static constexpr V kBytes[] = {V::Bytes};
  static constexpr V kBytesFlags[] = {V::Bytes, V::Number};
  static constexpr V kPointerFlags[] = {V::Pointer, V::Number};
  static constexpr V kTwoBytes[] = {V::Bytes, V::Bytes};
  static constexpr V kNumber[] = {V::Number};
  static constexpr V kTwoNumbers[] = {V::Number, V::Number};
  switch (function) {
  case CudaFunction::cudaFree:
  case CudaFunction::cudaFreeHost:
    return {kPointer, {}};
  case CudaFunction::cudaMalloc:
    return {kBytes, kPointer};
  case CudaFunction::cudaHostAlloc:
    return {kBytesFlags, kPointer};
  case CudaFunction::cudaHostGetDevicePointer:
    return {kPointerFlags, kPointer};
  case CudaFunction::cudaMemGetInfo:
    return {{}, kTwoBytes};
  case CudaFunction::cudaGetDevice:
    return {{}, kNumber};
  case CudaFunction::cudaDeviceGetAttribute:
    return {kTwoNumbers, kNumber};
  case CudaFunction::cudaGetLastError:
    return {{}, {}};
  }
  llvm_unreachable("unknown CUDA function");
}

static bool matches(Type type, CudaValue value) {
  switch (value) {
  case CudaValue::Pointer:
    return isa<PointerType>(type);
  case CudaValue::Bytes:
    return type.isSignlessInteger(64);
  case CudaValue::Number:
    return type.isSignlessInteger(32);
  }
  llvm_unreachable("unknown CUDA value");
}

static bool matches(TypeRange types, ArrayRef<CudaValue> values) {
  return types.size() == values.size() &&
         llvm::all_of(llvm::zip(types, values), [](auto pair) {
           return matches(std::get<0>(pair), std::get<1>(pair));
         });
}

LogicalResult CudaOp::verify() {
  CudaSignature signature = getCudaSignature(getFunction());
  TypeRange outputs = getOutputs().getTypes();
  if (outputs.empty() || !outputs.front().isSignlessInteger(32))
    return emitOpError() << "expected a status of i32 as the first result";
  if (!matches(getOperands().getTypes(), signature.inputs) ||
      !matches(outputs.drop_front(), signature.outputs))
    return emitOpError() << "operands or results are not those of "
                         << stringifyCudaFunction(getFunction());
  return success();
}

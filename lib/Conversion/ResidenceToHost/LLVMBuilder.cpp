//===- LLVMBuilder.cpp - A generated program in the LLVM dialect ----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescriptionFields.h"
#include "HostDescription.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace lane;

namespace {
class LLVMBuilder {
public:
  LLVMBuilder(ModuleOp module, ProgramOp program, const HostDescription &host)
      : module(module), host(host), builder(program), loc(program.getLoc()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  void run();

private:
  LLVM::GlobalOp addGlobal(const Twine &name, Type type, Attribute value);
  LLVM::GlobalOp addText(const Twine &name, const std::string &text);
  LLVM::GlobalOp addValues();
  template <typename RowT>
  LLVM::GlobalOp addTable(const Twine &name, ArrayRef<RowT> rows);
  LLVM::GlobalOp addDescription();
  LLVM::LLVMFuncOp addFunction(const Twine &name, ArrayRef<Type> inputs,
                               Type result);
  LLVM::CallOp call(StringRef callee, ValueRange operands, Type result);
  void addOpen(LLVM::GlobalOp description);
  void addClose();

  Type getVoid() { return LLVM::LLVMVoidType::get(module.getContext()); }

  ModuleOp module;
  const HostDescription &host;
  OpBuilder builder;
  Location loc;
  Type pointer;
};
} // namespace

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

LLVM::GlobalOp LLVMBuilder::addGlobal(const Twine &name, Type type,
                                      Attribute value) {
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Internal,
                                (host.prefix + name).str(), value);
}

/// Adds the text and a NUL byte.
LLVM::GlobalOp LLVMBuilder::addText(const Twine &name,
                                    const std::string &text) {
  std::string bytes = text + '\0';
  return addGlobal(name,
                   LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
                   builder.getStringAttr(bytes));
}

LLVM::GlobalOp LLVMBuilder::addValues() {
  // Append a value, so that the array is never empty.
  std::vector<float> values = host.values;
  values.push_back(0);
  auto type = RankedTensorType::get(values.size(), builder.getF32Type());
  return addGlobal(
      "_values", LLVM::LLVMArrayType::get(builder.getF32Type(), values.size()),
      DenseElementsAttr::get(type, ArrayRef(values)));
}

/// Adds an array of rows of int64_t, which has the layout of the runtime's
/// array of structures.
template <typename RowT>
LLVM::GlobalOp LLVMBuilder::addTable(const Twine &name, ArrayRef<RowT> rows) {
  std::vector<RowT> padded = rows.vec();
  if (padded.empty())
    padded.push_back({});
  SmallVector<int64_t> fields;
  for (const RowT &row : padded)
    llvm::append_range(fields, getFields(row));
  int64_t width = getFields(padded.front()).size();
  auto type = RankedTensorType::get({int64_t(padded.size()), width},
                                    builder.getI64Type());
  return addGlobal(
      name,
      LLVM::LLVMArrayType::get(
          LLVM::LLVMArrayType::get(builder.getI64Type(), width), padded.size()),
      DenseElementsAttr::get(type, ArrayRef<int64_t>(fields)));
}

/// Adds the structure lane_description field by field.
LLVM::GlobalOp LLVMBuilder::addDescription() {
  LLVM::GlobalOp tables[] = {addTable("_uploads", ArrayRef(host.uploads)),
                             addTable("_pointers", ArrayRef(host.pointers)),
                             addText("_file_names", host.fileNames),
                             addTable("_segments", ArrayRef(host.segments)),
                             addText("_tensor_names", host.tensorNames),
                             addValues()};
  lane_description numbers = host.getNumbers();
  ArrayRef<int64_t> counts = getNumberFields(numbers);

  SmallVector<Type> types(counts.size(), builder.getI64Type());
  types.append(std::size(tables), pointer);
  auto type = LLVM::LLVMStructType::getLiteral(module.getContext(), types);
  LLVM::GlobalOp description = addGlobal("_description", type, Attribute());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&description.getInitializerRegion());
  Value value = LLVM::UndefOp::create(builder, loc, type);
  int64_t field = 0;
  auto insert = [&](Value element) {
    value =
        LLVM::InsertValueOp::create(builder, loc, value, element, {field++});
  };
  for (int64_t count : counts)
    insert(LLVM::ConstantOp::create(builder, loc,
                                    builder.getI64IntegerAttr(count)));
  for (LLVM::GlobalOp table : tables)
    insert(LLVM::AddressOfOp::create(builder, loc, table));
  LLVM::ReturnOp::create(builder, loc, value);
  return description;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A function of the program, with the builder at its start.
LLVM::LLVMFuncOp LLVMBuilder::addFunction(const Twine &name,
                                          ArrayRef<Type> inputs, Type result) {
  auto function =
      LLVM::LLVMFuncOp::create(builder, loc, (host.prefix + name).str(),
                               LLVM::LLVMFunctionType::get(result, inputs));
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  return function;
}

LLVM::CallOp LLVMBuilder::call(StringRef callee, ValueRange operands,
                               Type result) {
  auto function = LLVM::lookupOrCreateFn(
      builder, module, callee, llvm::to_vector(operands.getTypes()), result);
  assert(succeeded(function) && "the module has no functions of the runtime");
  return LLVM::CallOp::create(builder, loc, *function, operands);
}

void LLVMBuilder::addOpen(LLVM::GlobalOp description) {
  OpBuilder::InsertionGuard guard(builder);
  LLVM::LLVMFuncOp function =
      addFunction("_open", {pointer, pointer, pointer}, builder.getI32Type());
  Value options = function.getArgument(0), result = function.getArgument(1),
        error = function.getArgument(2);
  Value constants = LLVM::AddressOfOp::create(builder, loc, description);
  Value program =
      call("laneBegin", {constants, options, error}, pointer).getResult();
  for (StringRef step : host.getSteps())
    call(step, program, getVoid());
  LLVM::CallOp code =
      call("laneFinish", {program, result}, builder.getI32Type());
  LLVM::ReturnOp::create(builder, loc, code.getResult());
}

void LLVMBuilder::addClose() {
  OpBuilder::InsertionGuard guard(builder);
  LLVM::LLVMFuncOp function = addFunction("_close", pointer, getVoid());
  call("laneClose", function.getArgument(0), getVoid());
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

void LLVMBuilder::run() {
  LLVM::GlobalOp description = addDescription();
  addOpen(description);
  addClose();
}

void lane::buildLLVM(ModuleOp module, ProgramOp program,
                     const HostDescription &description) {
  LLVMBuilder(module, program, description).run();
}

//===- TensorTable.cpp - A checkpoint's tensors as symbols ----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace lane;
using namespace lane::importer;

/// A tensor's shape as the dialect has it: rows first, and at least one
/// dimension.
static SmallVector<int64_t> getShape(const gguf::Tensor &tensor) {
  SmallVector<int64_t> shape(llvm::reverse(tensor.shape));
  if (shape.empty())
    shape.push_back(1);
  return shape;
}

std::string lane::importer::quote(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << '\'';
  llvm::printEscapedString(text, os);
  os << '\'';
  return result;
}

static std::string printShape(ArrayRef<int64_t> shape) {
  return llvm::join(
      llvm::map_range(shape, [](int64_t dim) { return std::to_string(dim); }),
      "x");
}

LogicalResult TensorTable::declare(const gguf::Header &header,
                                   OpBuilder &builder, Location loc) {
  MLIRContext *ctx = builder.getContext();
  for (const gguf::Tensor &tensor : header.getTensors()) {
    auto emitTensorError = [&] {
      return emitError(loc) << "tensor " << quote(tensor.name) << ": ";
    };
    // A symbol has a name, though a file's tensor need not.
    if (tensor.name.empty())
      return emitTensorError() << "has an empty name";
    SmallVector<int64_t> shape = getShape(tensor);
    Operation *symbol;
    if (shape.size() == 1 && tensor.format == NumberFormat::F32) {
      auto type = BufferType::getChecked(emitTensorError, ctx, ArrayRef(shape),
                                         Type(builder.getF32Type()));
      if (!type || type.getLength() == 0) {
        if (type)
          emitTensorError() << "has no elements";
        return failure();
      }
      auto values = ValuesOp::create(builder, loc, tensor.name, type);
      values.setRowsAttr(builder.getArrayAttr(
          RowsAttr::get(ctx, /*file=*/0, tensor.offset, /*count=*/1)));
      symbol = values;
    } else {
      if (shape.size() == 1)
        shape.insert(shape.begin(), 1);
      auto type = MatrixType::getChecked(emitTensorError, ctx, ArrayRef(shape),
                                         tensor.format);
      if (!type)
        return failure();
      symbol = MatrixOp::create(
          builder, loc, tensor.name, type,
          RowsAttr::get(ctx, /*file=*/0, tensor.offset, type.getNumRows()));
    }
    order.push_back(tensor.name);
    symbols[tensor.name] = {symbol, false};
  }
  return success();
}

void TensorTable::declareTied(StringRef name, StringRef other,
                              OpBuilder &builder, Location loc) {
  auto matrix = cast<MatrixOp>(symbols.lookup(other).op);
  symbols[name] = {MatrixOp::create(builder, loc, name, matrix.getType(),
                                    matrix.getRows().getValue()),
                   false};
}

Type lane::importer::getBufferType(Operation *symbol) {
  if (auto matrix = dyn_cast<MatrixOp>(symbol))
    return matrix.getType();
  if (auto values = dyn_cast<ValuesOp>(symbol))
    return values.getType();
  return cast<StateOp>(symbol).getType();
}

int64_t TensorTable::getNumRows(StringRef name) const {
  auto it = symbols.find(name);
  auto matrix =
      it == symbols.end() ? MatrixOp() : dyn_cast<MatrixOp>(it->second.op);
  return matrix ? matrix.getType().getShape().front() : 1;
}

Operation *TensorTable::get(StringRef name, ArrayRef<int64_t> shape,
                            Location loc) {
  auto it = symbols.find(name);
  if (it == symbols.end()) {
    emitError(loc) << "tensor '" << name << "' is missing";
    return nullptr;
  }
  Symbol &symbol = it->second;
  symbol.isRead = true;
  Type type = getBufferType(symbol.op);
  auto matrix = dyn_cast<MatrixType>(type);
  ArrayRef<int64_t> actual =
      matrix ? matrix.getShape() : cast<BufferType>(type).getShape();
  // A vector in a format other than f32 is a matrix of one row.
  if (matrix && shape.size() == 1 && actual.size() == 2 && actual[0] == 1)
    actual = actual.drop_front();
  if (actual == shape)
    return symbol.op;
  emitError(loc) << "tensor '" << name << "' is " << printShape(actual)
                 << ", expected " << printShape(shape);
  return nullptr;
}

SmallVector<StringRef> TensorTable::getUnread() const {
  SmallVector<StringRef> unread;
  for (StringRef name : order)
    if (!symbols.lookup(name).isRead)
      unread.push_back(name);
  return unread;
}

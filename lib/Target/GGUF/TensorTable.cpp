//===- TensorTable.cpp - A checkpoint's tensors as symbols ----------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorTable.h"
#include "lane/Support/Quote.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace lane;
using namespace lane::importer;

/// A tensor's shape in the dialect, where a scalar has one dimension.
static SmallVector<int64_t> getShape(const CheckpointTensor &tensor) {
  SmallVector<int64_t> shape(ArrayRef(tensor.shape));
  if (shape.empty())
    shape.push_back(1);
  return shape;
}

static std::string printShape(ArrayRef<int64_t> shape) {
  return llvm::join(
      llvm::map_range(shape, [](int64_t dim) { return std::to_string(dim); }),
      "x");
}

/// If a tensor is one expert, its number and the name of its stack:
/// `blk.0.ffn_up.3.weight` is number 3 of `blk.0.ffn_up_exps.weight`.
static std::optional<std::pair<std::string, int64_t>>
getExpertOfStack(StringRef name) {
  StringRef rest = name;
  int64_t layer, expert;
  if (!rest.consume_front("blk.") || rest.consumeInteger(10, layer) ||
      !rest.consume_front(".ffn_"))
    return std::nullopt;
  StringRef projection = rest.take_until([](char c) { return c == '.'; });
  if (projection != "up" && projection != "gate" && projection != "down")
    return std::nullopt;
  rest = rest.drop_front(projection.size());
  if (!rest.consume_front(".") || rest.consumeInteger(10, expert) ||
      rest != ".weight")
    return std::nullopt;
  return std::pair(
      ("blk." + Twine(layer) + ".ffn_" + projection + "_exps.weight").str(),
      expert);
}

/// The rows of a tensor, with its name.
static RowsAttr getRows(MLIRContext *ctx, const CheckpointTensor &tensor,
                        int64_t count) {
  return RowsAttr::get(ctx, tensor.file, tensor.offset, count,
                       StringAttr::get(ctx, tensor.name));
}

LogicalResult TensorTable::declareTensor(const CheckpointTensor &tensor,
                                         OpBuilder &builder, Location loc) {
  MLIRContext *ctx = builder.getContext();
  auto emitTensorError = [&] {
    return emitError(loc) << "tensor " << quote(tensor.name) << ": ";
  };
  // A tensor's name may be empty, but a symbol's may not.
  if (tensor.name.empty())
    return emitTensorError() << "has an empty name";
  if (StringRef(tensor.name).contains('\0'))
    return emitTensorError() << "has a name that contains a NUL byte";
  SmallVector<int64_t> shape = getShape(tensor);
  Operation *symbol;
  if (shape.size() == 1 && tensor.format == NumberFormat::F32) {
    auto type = BufferType::getChecked(emitTensorError, ctx, ArrayRef(shape),
                                       Type(builder.getF32Type()));
    if (!type)
      return failure();
    auto values = ValuesOp::create(builder, loc, tensor.name, type);
    values.setRowsAttr(builder.getArrayAttr(getRows(ctx, tensor, /*count=*/1)));
    symbol = values;
  } else {
    if (shape.size() == 1)
      shape.insert(shape.begin(), 1);
    // The reader of GGUF refuses formats that Lane does not have.
    auto type = MatrixType::getChecked(emitTensorError, ctx, ArrayRef(shape),
                                       *tensor.format);
    if (!type)
      return failure();
    symbol = MatrixOp::create(builder, loc, tensor.name, type,
                              getRows(ctx, tensor, type.getNumRows()));
  }
  order.push_back(tensor.name);
  symbols[tensor.name] = {symbol, /*isRead=*/false,
                          static_cast<uint64_t>(tensor.sizeBytes)};
  return success();
}

/// Declares one matrix over the rows of every expert, in order.
LogicalResult TensorTable::declareStack(StringRef name,
                                        const ExpertStack &stack,
                                        OpBuilder &builder, Location loc) {
  MLIRContext *ctx = builder.getContext();
  if (symbols.contains(name))
    return emitError(loc) << "tensor " << quote(name)
                          << " is in the file, and so is each of its experts";
  const CheckpointTensor &first = *stack.begin()->second;
  SmallVector<Attribute> runs;
  uint64_t sizeBytes = 0;
  for (auto [expert, tensor] : stack) {
    // A stack has no gaps, so the key is the position.
    if (expert != static_cast<int64_t>(runs.size()))
      return emitError(loc) << "tensor " << quote(name) << ": expert "
                            << runs.size() << " is missing";
    if (tensor->shape != first.shape || tensor->format != first.format ||
        tensor->shape.size() != 2)
      return emitError(loc)
             << "tensor " << quote(tensor->name) << " is "
             << printShape(getShape(*tensor)) << " in " << tensor->formatName
             << ", expected " << printShape(getShape(first)) << " in "
             << first.formatName << " as " << quote(first.name);
    runs.push_back(getRows(ctx, *tensor, tensor->shape[0]));
    sizeBytes = llvm::SaturatingAdd<uint64_t>(sizeBytes, tensor->sizeBytes);
  }
  SmallVector<int64_t> shape = getShape(first);
  shape.insert(shape.begin(), stack.size());
  auto type = MatrixType::getChecked(
      [&] { return emitError(loc) << "tensor " << quote(name) << ": "; }, ctx,
      ArrayRef(shape), *first.format);
  if (!type)
    return failure();
  order.push_back(name.str());
  symbols[name] = {MatrixOp::create(builder, loc, name, type, runs),
                   /*isRead=*/false, sizeBytes};
  return success();
}

LogicalResult TensorTable::declare(const Checkpoint &checkpoint,
                                   OpBuilder &builder, Location loc) {
  std::map<std::string, ExpertStack> stacks;
  for (const CheckpointTensor &tensor : checkpoint.getTensors()) {
    if (llvm::is_contained(tensor.shape, 0)) {
      emptyTensors.insert(tensor.name);
      continue;
    }
    auto expert = getExpertOfStack(tensor.name);
    if (!expert) {
      if (failed(declareTensor(tensor, builder, loc)))
        return failure();
      continue;
    }
    auto [it, isNew] =
        stacks[expert->first].try_emplace(expert->second, &tensor);
    if (!isNew)
      return emitError(loc)
             << "tensor " << quote(tensor.name) << " is the same expert as "
             << quote(it->second->name);
  }
  for (auto &[name, stack] : stacks)
    if (failed(declareStack(name, stack, builder, loc)))
      return failure();
  return success();
}

void TensorTable::declareTied(StringRef name, StringRef other,
                              OpBuilder &builder, Location loc) {
  auto matrix = dyn_cast_if_present<MatrixOp>(symbols.lookup(other).op);
  if (!matrix)
    return;
  symbols[name] = {MatrixOp::create(builder, loc, name, matrix.getType(),
                                    matrix.getRows().getValue())};
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

Operation *TensorTable::get(StringRef name) {
  auto it = symbols.find(name);
  if (it == symbols.end())
    return nullptr;
  it->second.isRead = true;
  return it->second.op;
}

Operation *TensorTable::get(StringRef name, ArrayRef<int64_t> shape,
                            Location loc) {
  auto it = symbols.find(name);
  if (it == symbols.end()) {
    emitError(loc) << "tensor '" << name << "' "
                   << (emptyTensors.contains(name) ? "has no elements"
                                                   : "is missing");
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

SmallVector<std::string> TensorTable::eraseUnread(uint64_t &sizeBytes) {
  sizeBytes = 0;
  SmallVector<std::string> unread;
  for (StringRef name : order) {
    const Symbol &symbol = symbols.find(name)->second;
    if (symbol.isRead)
      continue;
    sizeBytes = llvm::SaturatingAdd(sizeBytes, symbol.sizeBytes);
    unread.push_back(name.str());
  }
  // A tied head is a symbol too, but not a tensor.
  SmallVector<StringRef> erased;
  for (auto &entry : symbols)
    if (!entry.second.isRead)
      erased.push_back(entry.first());
  for (StringRef name : erased) {
    symbols.find(name)->second.op->erase();
    symbols.erase(name);
  }
  llvm::erase_if(order,
                 [&](StringRef name) { return !symbols.contains(name); });
  return unread;
}

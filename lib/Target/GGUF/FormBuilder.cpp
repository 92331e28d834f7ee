//===- FormBuilder.cpp - Builds a form launch by launch -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormBuilder.h"
#include "lane/Support/Bytes.h"

using namespace mlir;
using namespace lane;
using namespace lane::importer;

bool FormBuilder::anyNull(ValueRange values) {
  failed |= llvm::any_of(values, [](Value value) { return !value; });
  return failed;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// The length of the last dimension.
static int64_t getColumns(Value buffer) {
  if (auto matrix = dyn_cast<MatrixType>(buffer.getType()))
    return matrix.getNumColumns();
  return cast<BufferType>(buffer.getType()).getShape().back();
}

/// An input in the pool with one element per sequence or token.
Value FormBuilder::param(StringRef name, int64_t length, bool isPosition) {
  if (failed)
    return {};
  auto type =
      BufferType::get(builder.getContext(), {length}, builder.getI32Type());
  auto pool = StorageAttr::get(builder.getContext());
  return ParamOp::create(builder, loc, type, builder.getStringAttr(name),
                         isPosition, pool, StorageAttr());
}

Value FormBuilder::alloc(const Twine &name, int64_t rows, int64_t columns,
                         bool isInteger) {
  if (failed)
    return {};
  Type element = isInteger ? Type(builder.getI32Type()) : builder.getF32Type();
  // The shape of a tensor may require a larger buffer than a type can have.
  int64_t shape[] = {rows, columns};
  auto type = BufferType::getChecked(
      [&] { return emitError(loc) << "'" << name << "': "; },
      builder.getContext(), ArrayRef<int64_t>(shape), element);
  if (!type) {
    failed = true;
    return {};
  }
  return AllocOp::create(builder, loc, type, builder.getStringAttr(name),
                         /*carried=*/false, StorageAttr(), StorageAttr());
}

SmallVector<Value>
FormBuilder::allocAll(ArrayRef<std::pair<std::string, int64_t>> outputs) {
  SmallVector<Value> values;
  for (auto &[name, columns] : outputs)
    values.push_back(alloc(name, getRows(), columns));
  anyNull(values);
  return values;
}

Value FormBuilder::allocLike(const Twine &name, Value like) {
  auto type = cast<BufferType>(like.getType());
  return alloc(name, type.getLength() / type.getShape().back(),
               type.getShape().back());
}

Value FormBuilder::viewRows(const Twine &name, Value base, int64_t first,
                            int64_t count, int64_t columns) {
  if (anyNull(base))
    return {};
  auto type =
      BufferType::get(builder.getContext(), {count, columns},
                      cast<BufferType>(base.getType()).getElementType());
  return ViewOp::create(builder, loc, type, builder.getStringAttr(name), base,
                        builder.getI64IntegerAttr(first * columns),
                        IntegerAttr(), StorageAttr(), StorageAttr());
}

Value FormBuilder::tensor(const Twine &name, ArrayRef<int64_t> shape) {
  if (failed)
    return {};
  std::string key = name.str();
  Operation *symbol = tensors.get(key, shape, loc);
  if (!symbol) {
    failed = true;
    return {};
  }
  return refer(key, symbol);
}

Value FormBuilder::refer(StringRef name, Operation *symbol) {
  Value &ref = refs[name];
  if (!ref)
    ref = RefOp::create(
        builder, loc, getBufferType(symbol), FlatSymbolRefAttr::get(symbol),
        isa<ValuesOp>(symbol) ? StorageAttr::get(builder.getContext())
                              : StorageAttr(),
        StorageAttr());
  return ref;
}

Value FormBuilder::state(StateOp op) {
  if (failed)
    return {};
  Value &ref = refs[op.getSymName()];
  if (!ref)
    ref = RefOp::create(builder, loc, op.getType(), FlatSymbolRefAttr::get(op),
                        StorageAttr::get(builder.getContext()), StorageAttr());
  return ref;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

FloatAttr FormBuilder::getOptional(std::optional<double> number) {
  return number ? builder.getF64FloatAttr(*number) : FloatAttr();
}

FloatAttr FormBuilder::getUnless(double usual, double number) {
  return number == usual ? FloatAttr() : builder.getF64FloatAttr(number);
}

Value FormBuilder::gather(const Twine &name, Value ids, Value table) {
  if (anyNull({ids, table}))
    return {};
  int64_t rows = cast<BufferType>(ids.getType()).getLength();
  Value output = alloc(name, rows, getColumns(table));
  if (!output)
    return {};
  GatherOp::create(builder, loc, ids, table, output, ArrayAttr());
  return output;
}

Value FormBuilder::norm(const Twine &name, NormKind kind, Value input,
                        Value weight, Value bias, double epsilon,
                        int64_t length) {
  if (anyNull(input))
    return {};
  SmallVector<Value, 3> inputs = {input};
  for (Value operand : {weight, bias})
    if (operand)
      inputs.push_back(operand);
  Value output = allocLike(name, input);
  if (!output)
    return {};
  NormOp::create(builder, loc, kind, inputs, output, llvm::APFloat(epsilon),
                 length ? builder.getI64IntegerAttr(length) : IntegerAttr(),
                 ArrayAttr());
  return output;
}

Value FormBuilder::matmul(const Twine &name, Value input, Value weight,
                          Value bias) {
  if (anyNull({input, weight}))
    return {};
  int64_t columns = getColumns(weight);
  int64_t rows = 1;
  // A vector is a weight with one row.
  if (auto matrix = dyn_cast<MatrixType>(weight.getType()))
    rows = matrix.getShape().front();
  Value output = alloc(
      name, cast<BufferType>(input.getType()).getLength() / columns, rows);
  if (!output)
    return {};
  MatmulOp::create(builder, loc, input, weight, bias, output, ArrayAttr());
  return output;
}

Value FormBuilder::projectInto(const Twine &name, const Twine &stem,
                               Value input, int64_t columns, int64_t rows,
                               Presence bias) {
  std::string prefix = stem.str();
  Value weight = tensor(prefix + ".weight", {rows, columns});
  Value biasValue;
  if (bias == Presence::Always ||
      (bias == Presence::WhereGiven && hasTensor(prefix + ".bias")))
    biasValue = tensor(prefix + ".bias", {rows});
  if (!hasTensor(prefix + ".scale"))
    return matmul(name, input, weight, biasValue);
  // The scale applies to the weight, so the bias is added after it.
  Value output = elementwise(
      name + ".scaled", ElementwiseKind::Mul,
      {matmul(name, input, weight), tensor(prefix + ".scale", {1})});
  if (!biasValue)
    return output;
  return elementwise(name + ".biased", ElementwiseKind::Add,
                     {output, biasValue});
}

Value FormBuilder::project(const Twine &stem, Value input, int64_t columns,
                           int64_t rows, Presence bias) {
  return projectInto(stem, stem, input, columns, rows, bias);
}

Value FormBuilder::batchMatmul(const Twine &name, Value input, Value weight) {
  if (anyNull({input, weight}))
    return {};
  auto shape = cast<MatrixType>(weight.getType()).getShape();
  int64_t rows = cast<BufferType>(input.getType()).getLength() / shape[2];
  Value output = alloc(name, rows, shape[1]);
  if (!output)
    return {};
  BatchMatmulOp::create(builder, loc, input, weight, output, ArrayAttr());
  return output;
}

Value FormBuilder::rope(const Twine &name, RopeKind kind, Value input,
                        Value positions, Value factors, int64_t dimensions,
                        double base, const RopeOptions &options) {
  if (anyNull({input, positions}))
    return {};
  Value output = allocLike(name, input);
  if (!output)
    return {};
  bool hasTail = options.headLength != 0 && options.headLength != dimensions;
  DenseF64ArrayAttr ramp;
  if (options.ramp)
    ramp = builder.getDenseF64ArrayAttr(
        {options.ramp->first, options.ramp->second});
  RopeOp::create(
      builder, loc, RopeKindAttr::get(builder.getContext(), kind), input,
      positions, factors, output, builder.getI64IntegerAttr(dimensions),
      builder.getF64FloatAttr(base),
      hasTail ? builder.getI64IntegerAttr(options.headLength) : IntegerAttr(),
      getUnless(1, options.positionScale), ramp,
      getUnless(1, options.magnitude), ArrayAttr());
  return output;
}

void FormBuilder::appendToCache(Value input, Value cache, Value positions) {
  if (anyNull({input, cache, positions}))
    return;
  CopyOp::create(builder, loc, input, cache, positions, ArrayAttr());
}

Value FormBuilder::attention(const Twine &name, ValueRange inputs,
                             int64_t columns, const AttentionOptions &options) {
  if (anyNull(inputs))
    return {};
  Value output = alloc(name, getRows(), columns);
  if (!output)
    return {};
  AttentionOp::create(
      builder, loc, inputs, output, builder.getI64IntegerAttr(options.heads),
      builder.getI64IntegerAttr(options.kvHeads),
      options.window ? builder.getI64IntegerAttr(options.window)
                     : IntegerAttr(),
      options.isChunked ? builder.getUnitAttr() : UnitAttr(),
      getOptional(options.scale), getOptional(options.softcap), ArrayAttr());
  return output;
}

Value FormBuilder::elementwise(const Twine &name, ElementwiseKind kind,
                               ValueRange inputs,
                               std::optional<double> factor) {
  if (anyNull(inputs))
    return {};
  Value output = allocLike(name, inputs.front());
  if (!output)
    return {};
  ElementwiseOp::create(builder, loc,
                        ElementwiseKindAttr::get(builder.getContext(), kind),
                        inputs, output, getOptional(factor), ArrayAttr());
  return output;
}

Value FormBuilder::moe(const Twine &name, Value input, Value router, Value up,
                       Value gate, Value down, const ExpertTensors &tensors,
                       const MoeOptions &options) {
  if (anyNull({input, router, up, down}) || anyNull(tensors.biases) ||
      anyNull(tensors.scales))
    return {};
  Value output = allocLike(name, input);
  if (!output)
    return {};
  MLIRContext *ctx = builder.getContext();
  MoeOp::create(builder, loc, input, router, up, gate, down,
                tensors.selectionBias, tensors.biases, tensors.scales, output,
                builder.getI64IntegerAttr(options.active),
                MoeGatingAttr::get(ctx, options.gating),
                options.isNormalized ? builder.getUnitAttr() : UnitAttr(),
                getUnless(1, options.scale),
                ElementwiseKindAttr::get(ctx, options.activation), ArrayAttr());
  return output;
}

Value FormBuilder::recurrent(const Twine &name, RecurrentKind kind,
                             ValueRange inputs, ValueRange state,
                             int64_t columns) {
  if (anyNull(inputs) || anyNull(state))
    return {};
  Value output = alloc(name, getRows(), columns);
  if (!output)
    return {};
  RecurrentOp::create(builder, loc, kind, inputs, state, output, ArrayAttr());
  return output;
}

Value FormBuilder::launch(StringRef kernel, const Twine &name,
                          ValueRange inputs, int64_t rows, int64_t columns) {
  if (anyNull(inputs))
    return {};
  Value output = alloc(name, rows, columns);
  if (!output)
    return {};
  KernelLaunchOp::create(builder, loc, builder.getStringAttr(kernel), inputs,
                         output, ArrayAttr(), ArrayAttr());
  return output;
}

Value FormBuilder::read(StringRef name, Value input,
                        function_ref<ReadAccess(Operation *)> getAccess) {
  Operation *symbol = tensors.get(name);
  if (!symbol || anyNull(input))
    return {};
  Value weight = refer(name, symbol);
  ReadAccess access = getAccess(symbol);
  StringRef kernel = "mul";
  int64_t columns = 0;
  auto matrix = dyn_cast<MatrixType>(weight.getType());
  if (!matrix) {
    columns = cast<BufferType>(weight.getType()).getLength();
  } else if (access.kind == AccessKind::Gather) {
    kernel = "get_rows";
    columns = matrix.getNumColumns();
  } else if (access.kind == AccessKind::Expert) {
    kernel = "mul_mat_id";
    int64_t experts = matrix.getShape().front();
    columns = matrix.getNumRows() / experts;
    // An access has both counts or none.
    access.active = std::min(access.active, experts);
    access.experts = access.active == 0 ? 0 : experts;
  } else {
    kernel = "mul_mat";
    columns = matrix.getNumRows();
  }
  MLIRContext *ctx = builder.getContext();
  Attribute accesses[] = {
      AccessAttr::get(ctx, access.kind, access.active, access.experts),
      AccessAttr::get(ctx, AccessKind::Dense, 0, 0)};
  Value output = alloc(name + ".out", getRows(), columns);
  if (!output)
    return {};
  KernelLaunchOp::create(builder, loc, builder.getStringAttr(kernel),
                         ValueRange{weight, input}, output,
                         builder.getArrayAttr(accesses), ArrayAttr());
  return output;
}

SmallVector<Value>
FormBuilder::split(Value input,
                   ArrayRef<std::pair<std::string, int64_t>> outputs,
                   int64_t groups) {
  if (anyNull(input))
    return SmallVector<Value>(outputs.size());
  SmallVector<Value> values = allocAll(outputs);
  if (!failed)
    SplitOp::create(builder, loc, input, values, groups, ArrayAttr());
  return values;
}

SmallVector<Value>
FormBuilder::splitGroups(StringRef kernel, Value input,
                         ArrayRef<std::pair<std::string, int64_t>> outputs) {
  if (anyNull(input))
    return SmallVector<Value>(outputs.size());
  SmallVector<Value> values = allocAll(outputs);
  if (!failed)
    KernelLaunchOp::create(builder, loc, builder.getStringAttr(kernel), input,
                           values, ArrayAttr(), ArrayAttr());
  return values;
}

Value FormBuilder::join(const Twine &name, ValueRange inputs, int64_t columns,
                        int64_t groups) {
  if (anyNull(inputs))
    return {};
  Value output = alloc(name, getRows(), columns);
  if (!output)
    return {};
  JoinOp::create(builder, loc, inputs, output, groups, ArrayAttr());
  return output;
}

Value FormBuilder::sample(const Twine &name, Value logits) {
  if (anyNull(logits))
    return {};
  auto type = cast<BufferType>(logits.getType());
  Value output = alloc(name, type.getLength() / type.getShape().back(), 1,
                       /*isInteger=*/true);
  if (!output)
    return {};
  SampleOp::create(builder, loc, SampleKind::Argmax, logits, output,
                   ArrayAttr());
  return output;
}

//===----------------------------------------------------------------------===//
// Used storages
//===----------------------------------------------------------------------===//

/// Whether a read of `operand` uses quants and scales: it is multiplied by a
/// quantized weight.
static bool readsQuantized(OpOperand &operand) {
  Value weight;
  if (auto matmul = dyn_cast<MatmulOp>(operand.getOwner())) {
    if (&operand == &matmul.getInputMutable())
      weight = matmul.getWeight();
  } else if (auto matmul = dyn_cast<BatchMatmulOp>(operand.getOwner())) {
    if (&operand == &matmul.getInputMutable())
      weight = matmul.getWeight();
  } else if (auto moe = dyn_cast<MoeOp>(operand.getOwner())) {
    if (&operand == &moe.getInputMutable())
      weight = moe.getUp();
  }
  auto type = weight ? dyn_cast<MatrixType>(weight.getType()) : MatrixType();
  return type && getBlockElements(type.getFormat()) > 1 &&
         type.getNumColumns() % kQuantizationBlockElements == 0;
}

void FormBuilder::setUsedStorages() {
  auto pool = StorageAttr::get(builder.getContext());
  for (Operation &op : form.getBody().front()) {
    if (!isa<AllocOp, ViewOp>(op))
      continue;
    auto buffer = cast<BufferOpInterface>(op);
    bool isRead = false;
    for (OpOperand &use : op.getResult(0).getUses()) {
      // Skip views: this loop visits them as buffers too.
      auto launch = dyn_cast<LaunchOpInterface>(use.getOwner());
      if (!launch)
        continue;
      SmallVector<OpOperand *, 4> reads;
      launch.getReads(reads);
      if (!llvm::is_contained(reads, &use))
        continue;
      isRead = true;
      if (readsQuantized(use))
        buffer.setQuantizedAttr(pool);
      else
        buffer.setPlainAttr(pool);
    }
    // The host reads buffers that no launch of the form reads.
    if (!isRead && isa<AllocOp>(op))
      buffer.setPlainAttr(pool);
  }
  // A view uses the storage of its base.
  for (ViewOp view : form.getBody().getOps<ViewOp>()) {
    auto base = dyn_cast_if_present<AllocOp>(getBaseBuffer(view.getResult()));
    if (!base)
      continue;
    if (view.getPlainAttr())
      base.setPlainAttr(pool);
    if (view.getQuantizedAttr())
      base.setQuantizedAttr(pool);
  }
}

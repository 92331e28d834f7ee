//===- Generic.cpp - Models of an unknown architecture --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generic.h"
#include "KeyReader.h"

using namespace mlir;
using namespace lane;
using namespace lane::importer;

llvm::Expected<GenericParameters>
lane::importer::readGenericParameters(const gguf::Header &header,
                                      StringRef architecture) {
  KeyReader keys(header, architecture);
  GenericParameters params;
  params.contextLength =
      keys.getInteger("context_length", 1, kMaxContextLength, 4096);
  params.expertUsedCount =
      keys.getInteger("expert_used_count", 0, kMaxDimension, 0);
  if (keys.contains("block_count") && keys.contains("embedding_length") &&
      keys.contains("attention.head_count")) {
    int64_t layers = keys.getInteger("block_count", 1, kMaxLayers);
    int64_t embedding = keys.getInteger("embedding_length", 1, kMaxDimension);
    // A layer without heads has no caches.
    SmallVector<int64_t> heads =
        keys.getPerLayer("attention.head_count", layers, 0, kMaxDimension);
    SmallVector<int64_t> kvHeads = heads;
    if (keys.contains("attention.head_count_kv"))
      kvHeads =
          keys.getPerLayer("attention.head_count_kv", layers, 0, kMaxDimension);
    int64_t most =
        std::max<int64_t>(1, *std::max_element(heads.begin(), heads.end()));
    int64_t length = std::max<int64_t>(1, embedding / most);
    int64_t columns =
        keys.getInteger("attention.key_length", 1, kMaxDimension, length) +
        keys.getInteger("attention.value_length", 1, kMaxDimension, length);
    for (int64_t count : kvHeads)
      params.cacheColumns.push_back(count * columns);
  }
  if (llvm::Error error = keys.takeError())
    return std::move(error);
  return params;
}

/// How ggml reads the tensor `name`: by rows, by experts, or as a whole.
static AccessKind getAccessKind(StringRef name, Operation *symbol) {
  if (!isa<MatrixOp>(symbol))
    return AccessKind::Dense;
  StringRef stem = name.rsplit('.').first;
  if (stem == "token_embd" || stem == "per_layer_token_embd" ||
      stem == "position_embd" || stem == "token_types")
    return AccessKind::Gather;
  // Check the name: heads and streams have three dimensions too.
  if (stem.ends_with("_exps") &&
      cast<MatrixOp>(symbol).getType().getShape().size() == 3)
    return AccessKind::Expert;
  return AccessKind::Dense;
}

/// Layer of a tensor name; -1 before all layers. The head is after all layers.
static int64_t getLayer(StringRef name) {
  int64_t layer;
  if (name.consume_front("blk.") && !name.consumeInteger(10, layer))
    return layer;
  return name.starts_with("output") ? std::numeric_limits<int64_t>::max() : -1;
}

/// Declares the cache of `layer` in the program before `form`. Emits an error
/// and returns null if that fails.
static StateOp declareCache(FormOp form, int64_t layer, int64_t rows,
                            int64_t columns, const TensorTable &tensors) {
  std::string name = "cache." + std::to_string(layer);
  Location loc = form.getLoc();
  if (tensors.contains(name)) {
    emitError(loc) << "tensor '" << name << "' has the same name as a state";
    return {};
  }
  OpBuilder builder(form);
  auto type = BufferType::getChecked(
      [&] { return emitError(loc) << "'" << name << "': "; },
      builder.getContext(), ArrayRef<int64_t>{rows, columns},
      Type(builder.getF16Type()));
  return type ? StateOp::create(builder, loc, name, type) : StateOp();
}

LogicalResult lane::importer::buildGenericForm(const GenericParameters &params,
                                               int64_t contextLength, FormOp op,
                                               TensorTable &tensors) {
  FormBuilder form(op, tensors);
  Value ids = form.param("ids", form.getRows(), /*isPosition=*/false);
  Value positions = form.param("position", form.getRows(), /*isPosition=*/true);
  SmallVector<std::string> names = tensors.getNames();
  // The order of reads within a layer is unknown; use the file order.
  llvm::stable_sort(names, [](StringRef lhs, StringRef rhs) {
    return getLayer(lhs) < getLayer(rhs);
  });
  Value x = ids;
  int64_t layer = 0, numLayers = params.cacheColumns.size();
  // Read the cache of a layer after its tensors.
  auto readCachesBefore = [&](int64_t end) -> LogicalResult {
    for (; layer < std::min(end, numLayers); ++layer) {
      int64_t columns = params.cacheColumns[layer];
      if (columns == 0)
        continue;
      StateOp cache = declareCache(op, layer, contextLength, columns, tensors);
      if (!cache)
        return failure();
      x = form.launch("flash_attn", "attn." + Twine(layer),
                      {x, form.state(cache), positions}, form.getRows(), 1);
    }
    return success();
  };
  for (StringRef name : names) {
    if (failed(readCachesBefore(getLayer(name))))
      return failure();
    x = form.read(name, x, [&](Operation *symbol) {
      AccessKind kind = getAccessKind(name, symbol);
      return ReadAccess{
          kind, kind == AccessKind::Expert ? params.expertUsedCount : 0, 0};
    });
  }
  if (failed(readCachesBefore(numLayers)) || form.hasFailed())
    return failure();
  form.setUsedStorages();
  return success();
}

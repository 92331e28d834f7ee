//===- Transformer.cpp - Forms of a transformer ---------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of launches is that of llama.cpp's graphs, which decides how late
// in a step each weight is read.
//
//===----------------------------------------------------------------------===//

#include "Transformer.h"

using namespace mlir;
using namespace lane;
using namespace lane::importer;

LogicalResult Transformer::declareCaches(ProgramOp program, int64_t length,
                                         int64_t sequenceCount) {
  contextLength = length;
  sequences = sequenceCount;
  OpBuilder builder = OpBuilder::atBlockEnd(&program.getBody().front());
  Location loc = program.getLoc();
  auto declare = [&](const Twine &name, int64_t columns) -> StateOp {
    SmallVector<int64_t, 3> shape = {contextLength, columns};
    if (sequences > 1)
      shape.insert(shape.begin(), sequences);
    if (tensors.contains(name.str())) {
      emitError(loc) << "tensor '" << name << "' has the name of a cache";
      return {};
    }
    auto type = BufferType::getChecked(
        [&] { return emitError(loc) << "'" << name << "': "; },
        builder.getContext(), ArrayRef<int64_t>(shape),
        Type(builder.getF16Type()));
    return type ? StateOp::create(builder, loc, name.str(), type) : StateOp();
  };
  for (int64_t layer = 0; layer < params.blockCount; ++layer) {
    int64_t heads = params.headCountKv[layer];
    StateOp keys = declare("cache_k." + Twine(layer), heads * params.keyLength);
    if (!keys)
      return failure();
    StateOp values =
        declare("cache_v." + Twine(layer), heads * params.valueLength);
    if (!values)
      return failure();
    caches.keys.push_back(keys);
    caches.values.push_back(values);
  }
  return success();
}

/// The cache as this form sees it: a batch has every sequence's, the other
/// forms the first.
Value Transformer::getCache(FormBuilder &form, const Twine &name,
                            StateOp state) {
  Value cache = form.state(state);
  if (!cache || sequences == 1 || form.getKind() == FormKind::Batch)
    return cache;
  int64_t columns = state.getType().getShape().back();
  return form.viewRows(name, cache, /*first=*/0, contextLength, columns);
}

/// A projection of `input` to `rows`, with its bias where there is one.
Value Transformer::buildProjection(FormBuilder &form, const Twine &name,
                                   Value input, int64_t rows) {
  std::string prefix = name.str();
  Value weight =
      form.tensor(prefix + ".weight", {rows, params.embeddingLength});
  Value bias;
  if (architecture.attentionBias == Presence::Always ||
      (architecture.attentionBias == Presence::WhereGiven &&
       form.hasTensor(prefix + ".bias")))
    bias = form.tensor(prefix + ".bias", {rows});
  return form.matmul(prefix, input, weight, bias);
}

Value Transformer::buildAttention(FormBuilder &form, int64_t layer, Value x,
                                  Value positions) {
  std::string prefix = ("blk." + Twine(layer) + ".").str();
  int64_t heads = params.headCount;
  int64_t kvHeads = params.headCountKv[layer];
  Value normed = form.rmsNorm(
      prefix + "attn_norm", x,
      form.tensor(prefix + "attn_norm.weight", {params.embeddingLength}),
      params.epsilon);
  Value query = buildProjection(form, prefix + "attn_q", normed,
                                heads * params.keyLength);
  Value key = buildProjection(form, prefix + "attn_k", normed,
                              kvHeads * params.keyLength);
  Value value = buildProjection(form, prefix + "attn_v", normed,
                                kvHeads * params.valueLength);
  if (architecture.headNorms == Presence::Always) {
    query = form.rmsNorm(
        prefix + "attn_q_norm", query,
        form.tensor(prefix + "attn_q_norm.weight", {params.keyLength}),
        params.epsilon);
    key = form.rmsNorm(
        prefix + "attn_k_norm", key,
        form.tensor(prefix + "attn_k_norm.weight", {params.keyLength}),
        params.epsilon);
  }
  Value factors;
  if (form.hasTensor("rope_freqs.weight"))
    factors = form.tensor("rope_freqs.weight", {params.ropeDimensions / 2});
  query = form.rope(prefix + "rope_q", architecture.rope, query, positions,
                    factors, params.ropeDimensions, params.ropeBase);
  key = form.rope(prefix + "rope_k", architecture.rope, key, positions, factors,
                  params.ropeDimensions, params.ropeBase);
  Value keys = getCache(form, prefix + "cache_k", caches.keys[layer]);
  Value values = getCache(form, prefix + "cache_v", caches.values[layer]);
  form.appendToCache(key, keys, positions);
  form.appendToCache(value, values, positions);
  Value heard =
      form.attention(prefix + "attn", {query, keys, values, positions},
                     heads * params.valueLength, heads, kvHeads);
  Value output = form.matmul(
      prefix + "attn_output", heard,
      form.tensor(prefix + "attn_output.weight",
                  {params.embeddingLength, heads * params.valueLength}));
  return form.elementwise(prefix + "attn_residual", ElementwiseKind::Add,
                          {x, output});
}

Value Transformer::buildDense(FormBuilder &form, int64_t layer, Value x) {
  std::string prefix = ("blk." + Twine(layer) + ".").str();
  int64_t width = params.feedForwardLength[layer];
  int64_t embedding = params.embeddingLength;
  Value up =
      form.matmul(prefix + "ffn_up", x,
                  form.tensor(prefix + "ffn_up.weight", {width, embedding}));
  Value gate =
      form.matmul(prefix + "ffn_gate", x,
                  form.tensor(prefix + "ffn_gate.weight", {width, embedding}));
  Value hidden = form.elementwise(prefix + "ffn_swiglu",
                                  ElementwiseKind::SwiGlu, {gate, up});
  return form.matmul(
      prefix + "ffn_down", hidden,
      form.tensor(prefix + "ffn_down.weight", {embedding, width}));
}

Value Transformer::buildExperts(FormBuilder &form, int64_t layer, Value x) {
  std::string prefix = ("blk." + Twine(layer) + ".").str();
  int64_t embedding = params.embeddingLength;
  int64_t experts = params.expertCount;
  int64_t width = params.expertFeedForwardLength[layer];
  Value router = form.matmul(
      prefix + "ffn_router", x,
      form.tensor(prefix + "ffn_gate_inp.weight", {experts, embedding}));
  Value up =
      form.tensor(prefix + "ffn_up_exps.weight", {experts, width, embedding});
  Value gate =
      form.tensor(prefix + "ffn_gate_exps.weight", {experts, width, embedding});
  Value down =
      form.tensor(prefix + "ffn_down_exps.weight", {experts, embedding, width});
  return form.moe(prefix + "ffn_moe", x, router, up, gate, down,
                  params.expertUsedCount);
}

LogicalResult Transformer::buildForm(FormOp op) {
  FormBuilder form(op, tensors);
  int64_t embedding = params.embeddingLength;
  bool isPrefill = op.getKind() == FormKind::Prefill;
  Value ids = form.param("ids", form.getRows(), /*isPosition=*/false);
  // The rows of a prefill follow the position of the first.
  Value positions = form.param("position", isPrefill ? 1 : form.getRows(),
                               /*isPosition=*/true);
  Value x = form.gather(
      "embedding", ids,
      form.tensor("token_embd.weight", {vocabularySize, embedding}));
  bool hasExperts =
      architecture.experts == Presence::Always ||
      (architecture.experts == Presence::WhereGiven && params.expertCount != 0);
  for (int64_t layer = 0; layer < params.blockCount && !form.hasFailed();
       ++layer) {
    std::string prefix = ("blk." + Twine(layer) + ".").str();
    x = buildAttention(form, layer, x, positions);
    Value normed = form.rmsNorm(
        prefix + "ffn_norm", x,
        form.tensor(prefix + "ffn_norm.weight", {embedding}), params.epsilon);
    Value output = hasExperts ? buildExperts(form, layer, normed)
                              : buildDense(form, layer, normed);
    x = form.elementwise(prefix + "ffn_residual", ElementwiseKind::Add,
                         {x, output});
  }
  // Of a prompt only the last token is followed by another.
  if (isPrefill && form.getRows() > 1)
    x = form.viewRows("last", x, form.getRows() - 1, 1, embedding);
  Value normed = form.rmsNorm("output_norm", x,
                              form.tensor("output_norm.weight", {embedding}),
                              params.epsilon);
  Value logits =
      form.matmul("logits", normed,
                  form.tensor("output.weight", {vocabularySize, embedding}));
  form.sample("token", logits);
  if (form.hasFailed())
    return failure();
  form.setTouchedStorages();
  return success();
}

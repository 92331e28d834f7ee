//===- Generic.cpp - Models of an unknown architecture --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generic.h"
#include "CarriedState.h"

using namespace mlir;
using namespace lane;
using namespace lane::importer;

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

/// A position in the order of reads: the layer, -1 before all layers and the
/// largest after them, and the stage in the layer.
using ReadPosition = std::pair<int64_t, int64_t>;

/// The stage in which llama.cpp's graphs read a layer's tensor. Tensors of the
/// same stage keep the order of the file.
static int64_t getStage(StringRef name, const GenericParameters &params) {
  enum Stage : int64_t {
    Norm,
    Query,
    FirstOfKeyAndValue,
    SecondOfKeyAndValue,
    Indexer,
    Mixer,
    MixerGate,
    MixerOutput,
    NetworkNorm,
    Router,
    ExpertGate,
    ExpertUp,
    ExpertDown,
    NetworkGate,
    NetworkUp,
    NetworkDown,
    SharedExpertGate,
    LayerOutput,
    LayerInputGate,
    LayerInputs,
    LayerInputProjection,
    LayerInputNorm,
    ParallelOutput
  };
  // llama.cpp has a graph for models with windows, and one for all others.
  bool hasWindows = params.hasWindows();
  if (name.starts_with("attn_v.") || name.starts_with("attn_v_norm"))
    return hasWindows ? SecondOfKeyAndValue : FirstOfKeyAndValue;
  if (name.starts_with("attn_k.") || name.starts_with("attn_k_norm"))
    return hasWindows ? FirstOfKeyAndValue : SecondOfKeyAndValue;
  if (name.starts_with("attn_output") && params.readsNetworkFirst)
    return ParallelOutput;
  // The first prefix that fits counts.
  static constexpr std::pair<StringLiteral, Stage> kStages[] = {
      {"attn_norm", Norm},
      {"indexer.attn_k", Norm},
      {"indexer.", Indexer},
      {"attn_q", Query},
      {"ssm_in", Query},
      {"shortconv.in_proj", Query},
      {"attn_v_b", Mixer},
      {"attn_k_b", FirstOfKeyAndValue},
      {"attn_kv", SecondOfKeyAndValue},
      {"ssm_conv", Indexer},
      {"shortconv.conv", Indexer},
      {"attn_gate", MixerGate},
      {"attn_output", MixerOutput},
      {"ssm_out", MixerOutput},
      {"shortconv.out_proj", MixerOutput},
      {"post_attention_norm", NetworkNorm},
      {"ffn_norm", NetworkNorm},
      {"ffn_gate_inp_shexp", SharedExpertGate},
      {"ffn_gate_inp", Router},
      {"exp_probs_b", Router},
      {"ffn_gate_up_exps", ExpertGate},
      {"ffn_gate_exps", ExpertGate},
      {"ffn_up_exps", ExpertUp},
      {"ffn_down_exps", ExpertDown},
      {"ffn_gate", NetworkGate},
      {"ffn_up", NetworkUp},
      {"ffn_down", NetworkDown},
      {"ffn_", NetworkDown},
      {"post_ffw", LayerOutput},
      {"layer_output", LayerOutput},
      {"inp_gate", LayerInputGate},
      {"per_layer_", LayerInputs},
      {"proj", LayerInputProjection},
      {"post_norm", LayerInputNorm}};
  for (auto [prefix, stage] : kStages)
    if (name.starts_with(prefix))
      return stage;
  return Mixer;
}

static ReadPosition getReadPosition(StringRef name,
                                    const GenericParameters &params) {
  if (auto inLayer = splitLayerName(name))
    return {inLayer->first, getStage(inLayer->second, params)};
  constexpr int64_t kAfterLayers = std::numeric_limits<int64_t>::max();
  if (name == "output.weight")
    return {kAfterLayers, 1};
  // The first layer needs the inputs of all layers.
  if (name.starts_with("per_layer_model_proj") ||
      name.starts_with("per_layer_proj_norm"))
    return {0, getStage(name, params)};
  for (StringRef prefix : {"output", "cls", "dense_", "altup_unembd"})
    if (name.starts_with(prefix))
      return {kAfterLayers, 0};
  return {-1, 0};
}

/// Whether a step of the language model reads the tensor.
static bool isRead(StringRef name, const GenericParameters &params) {
  // Some files also have the tensors of encoders of images and sound.
  for (StringRef prefix : {"v.", "a.", "mm."})
    if (name.starts_with(prefix))
      return false;
  auto inLayer = splitLayerName(name);
  if (!inLayer || params.layers.empty())
    return true;
  auto [layer, rest] = *inLayer;
  if (layer >= static_cast<int64_t>(params.layers.size()))
    return false;
  return !params.layers[layer].sharesCache ||
         !(rest.starts_with("attn_k") || rest.starts_with("attn_v"));
}

namespace {
/// Builds the form of a model of unknown architecture.
class GenericBuilder {
public:
  GenericBuilder(const GenericParameters &params, const GenericCaches &caches,
                 FormOp op, TensorTable &tensors)
      : params(params), caches(caches), op(op), tensors(tensors),
        form(op, tensors) {}

  LogicalResult build();

private:
  Value declareState(const Twine &name, GenericShape shape, int64_t headLength,
                     NumberFormat format);
  LogicalResult readStates(int64_t layer);
  void readTensor(StringRef name);

  const GenericParameters &params;
  const GenericCaches &caches;
  FormOp op;
  TensorTable &tensors;
  FormBuilder form;
  Value positions;
  Value x;
};
} // namespace

/// Declares a state of the program and references it. Emits an error and
/// returns null if that fails.
Value GenericBuilder::declareState(const Twine &name, GenericShape shape,
                                   int64_t headLength, NumberFormat format) {
  Location loc = op.getLoc();
  if (tensors.contains(name.str())) {
    emitError(loc) << "tensor '" << name << "' has the same name as a state";
    return {};
  }
  OpBuilder builder(op);
  BufferType type = getCacheType(
      {shape.rows, shape.columns}, headLength, format,
      [&] { return emitError(loc) << "'" << name << "': "; },
      builder.getContext());
  if (!type)
    return {};
  return form.state(StateOp::create(builder, loc, name.str(), type));
}

/// Reads what `layer` carries.
LogicalResult GenericBuilder::readStates(int64_t layer) {
  const GenericLayer &own = params.layers[layer];
  std::string suffix = "." + std::to_string(layer);
  SmallVector<Value> states;
  bool failed = false;
  auto declare = [&](StringRef prefix, GenericShape shape, int64_t headLength,
                     NumberFormat format) {
    if (failed || shape.rows == 0 || shape.columns == 0)
      return;
    states.push_back(declareState(prefix + suffix, shape, headLength, format));
    failed |= !states.back();
  };
  auto read = [&](StringRef kernel, const Twine &output) {
    if (failed || states.empty())
      return;
    states.insert(states.begin(), x);
    states.push_back(positions);
    x = form.launch(kernel, output + suffix, states, form.getRows(), 1);
    states.clear();
  };
  auto readState = [&](StringRef kernel, const Twine &output, StringRef prefix,
                       GenericShape shape) {
    declare(prefix, shape, shape.columns, NumberFormat::F32);
    read(kernel, output);
  };
  readState("ssm_conv", "conv", "state_conv", own.convolution);
  readState("ssm_scan", "scan", "state_scan", own.recurrence);
  int64_t rows = own.window ? std::min(own.window, caches.contextLength)
                            : caches.contextLength;
  auto declareCache = [&](StringRef prefix, GenericHeads heads,
                          NumberFormat format) {
    declare(prefix, {rows, heads.count * heads.length}, heads.length, format);
  };
  declareCache("cache_k", own.keys, caches.keyFormat);
  declareCache("cache_v", own.values, caches.valueFormat);
  declareCache("cache_index", own.indexer, caches.keyFormat);
  read("flash_attn", "attn");
  return failure(failed);
}

void GenericBuilder::readTensor(StringRef name) {
  x = form.read(name, x, [&](Operation *symbol) {
    AccessKind kind = getAccessKind(name, symbol);
    return ReadAccess{
        kind, kind == AccessKind::Expert ? params.expertUsedCount : 0, 0};
  });
}

LogicalResult GenericBuilder::build() {
  x = form.param("ids", form.getRows(), /*isPosition=*/false);
  positions = form.param("position", form.getRows(), /*isPosition=*/true);
  SmallVector<std::string> names = tensors.getNames();
  llvm::erase_if(names, [&](StringRef name) { return !isRead(name, params); });
  llvm::stable_sort(names, [&](StringRef lhs, StringRef rhs) {
    return getReadPosition(lhs, params) < getReadPosition(rhs, params);
  });
  int64_t layer = 0, numLayers = params.layers.size();
  // A layer's state is read after its tensors.
  auto readStatesBefore = [&](int64_t end) -> LogicalResult {
    for (; layer < std::min(end, numLayers); ++layer)
      if (failed(readStates(layer)))
        return failure();
    return success();
  };
  for (StringRef name : names) {
    if (failed(readStatesBefore(getReadPosition(name, params).first)))
      return failure();
    readTensor(name);
  }
  if (failed(readStatesBefore(numLayers)))
    return failure();
  // Without a head of its own, the model has the table as its head.
  if (params.hasHead && !llvm::is_contained(names, "output.weight") &&
      tensors.contains("output.weight"))
    readTensor("output.weight");
  if (form.hasFailed())
    return failure();
  form.setUsedStorages();
  return success();
}

LogicalResult lane::importer::buildGenericForm(const GenericParameters &params,
                                               const GenericCaches &caches,
                                               FormOp op,
                                               TensorTable &tensors) {
  return GenericBuilder(params, caches, op, tensors).build();
}

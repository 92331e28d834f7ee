//===- Generic.cpp - Models of an unknown architecture --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generic.h"

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

/// Declares a state in the program before `form`. Emits an error and returns
/// null if that fails.
static StateOp declareState(FormOp form, const Twine &prefix, int64_t layer,
                            GenericShape shape, Type element,
                            const TensorTable &tensors) {
  std::string name = (prefix + "." + Twine(layer)).str();
  Location loc = form.getLoc();
  if (tensors.contains(name)) {
    emitError(loc) << "tensor '" << name << "' has the same name as a state";
    return {};
  }
  OpBuilder builder(form);
  auto type = BufferType::getChecked(
      [&] { return emitError(loc) << "'" << name << "': "; },
      builder.getContext(), ArrayRef<int64_t>{shape.rows, shape.columns},
      element);
  return type ? StateOp::create(builder, loc, name, type) : StateOp();
}

namespace {
/// Builds the form of a model of unknown architecture.
class GenericBuilder {
public:
  GenericBuilder(const GenericParameters &params, int64_t contextLength,
                 FormOp op, TensorTable &tensors)
      : params(params), contextLength(contextLength), op(op), tensors(tensors),
        form(op, tensors) {}

  LogicalResult build();

private:
  LogicalResult readStates(int64_t layer);
  void readTensor(StringRef name);

  const GenericParameters &params;
  int64_t contextLength;
  FormOp op;
  TensorTable &tensors;
  FormBuilder form;
  Value positions;
  Value x;
};
} // namespace

/// Reads what `layer` carries.
LogicalResult GenericBuilder::readStates(int64_t layer) {
  const GenericLayer &own = params.layers[layer];
  Builder builder(op.getContext());
  auto read = [&](StringRef kernel, const Twine &output, const Twine &state,
                  GenericShape shape, Type element) -> LogicalResult {
    if (shape.rows == 0 || shape.columns == 0)
      return success();
    StateOp declared = declareState(op, state, layer, shape, element, tensors);
    if (!declared)
      return failure();
    x = form.launch(kernel, output + "." + Twine(layer),
                    {x, form.state(declared), positions}, form.getRows(), 1);
    return success();
  };
  int64_t rows =
      own.window ? std::min(own.window, contextLength) : contextLength;
  return success(
      succeeded(read("ssm_conv", "conv", "state_conv", own.convolution,
                     builder.getF32Type())) &&
      succeeded(read("ssm_scan", "scan", "state_scan", own.recurrence,
                     builder.getF32Type())) &&
      succeeded(read("flash_attn", "attn", "cache", {rows, own.cacheColumns},
                     builder.getF16Type())));
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
                                               int64_t contextLength, FormOp op,
                                               TensorTable &tensors) {
  return GenericBuilder(params, contextLength, op, tensors).build();
}

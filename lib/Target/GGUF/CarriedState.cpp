//===- CarriedState.cpp - State carried between steps ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedState.h"

using namespace mlir;
using namespace lane;
using namespace lane::importer;

int64_t CarriedState::getCacheRows(const LayerParameters &layer) const {
  if (layer.window == 0)
    return options.contextLength;
  // A step writes all its rows before its first row attends, so the ring must
  // also keep the window of that row.
  return std::min(options.contextLength, layer.window + options.rows - 1);
}

LogicalResult CarriedState::declare(ProgramOp program, TensorTable &tensors) {
  OpBuilder builder = OpBuilder::atBlockEnd(&program.getBody().front());
  Location loc = program.getLoc();
  bool failed = false;
  auto declare = [&](const Twine &name, int64_t rows, int64_t columns,
                     Type element) -> StateOp {
    SmallVector<int64_t, 3> shape = {rows, columns};
    if (options.sequences > 1)
      shape.insert(shape.begin(), options.sequences);
    if (tensors.contains(name.str())) {
      emitError(loc) << "tensor '" << name << "' has the same name as a state";
      failed = true;
      return {};
    }
    auto type = BufferType::getChecked(
        [&] { return emitError(loc) << "'" << name << "': "; },
        builder.getContext(), ArrayRef<int64_t>(shape), element);
    failed |= !type;
    return type ? StateOp::create(builder, loc, name.str(), type) : StateOp();
  };
  Type f16 = builder.getF16Type();
  for (auto [index, layer] : llvm::enumerate(params.layers)) {
    LayerState &state = layers.emplace_back();
    std::string suffix = std::to_string(index);
    if (layer.isRecurrent) {
      int64_t mixed =
          params.innerSize + 2 * params.groupCount * params.stateSize;
      if (params.convolutionLength > 1)
        state.convolution =
            declare("state_conv." + suffix, params.convolutionLength - 1, mixed,
                    builder.getF32Type());
      state.recurrence = declare("state_delta." + suffix, params.innerSize,
                                 params.stateSize, builder.getF32Type());
    } else if (layer.cacheLayer == static_cast<int64_t>(index)) {
      int64_t rows = getCacheRows(layer);
      std::string prefix = "blk." + suffix + ".";
      if (architecture.attention == AttentionKind::Latent &&
          tensors.contains(prefix + "attn_k_b.weight")) {
        state.keys = declare("cache_k." + suffix, rows,
                             params.kvRank + params.ropeDimensions, f16);
        if (failed)
          return failure();
        continue;
      }
      bool isLatent = architecture.attention == AttentionKind::Latent;
      int64_t heads = isLatent ? layer.headCount : layer.headCountKv;
      state.keys = declare(
          "cache_k." + suffix, rows,
          heads * (isLatent ? params.latentKeyLength : params.keyLength), f16);
      if (failed)
        return failure();
      state.values = declare(
          "cache_v." + suffix, rows,
          heads * (isLatent ? params.latentValueLength : params.valueLength),
          f16);
    }
    if (failed)
      return failure();
  }
  return success();
}

Value CarriedState::get(FormBuilder &form, const Twine &name,
                        StateOp state) const {
  Value value = form.state(state);
  if (!value || options.sequences == 1 || form.getKind() == FormKind::Batch)
    return value;
  ArrayRef<int64_t> shape = state.getType().getShape();
  return form.viewRows(name, value, /*first=*/0, shape[1], shape[2]);
}

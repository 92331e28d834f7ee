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

/// The type of an element of a cache in `format`.
static Type getCacheElement(NumberFormat format, MLIRContext *context) {
  switch (format) {
  case NumberFormat::F32:
    return Float32Type::get(context);
  case NumberFormat::F16:
    return Float16Type::get(context);
  case NumberFormat::BF16:
    return BFloat16Type::get(context);
  default:
    return BlockType::get(context, format);
  }
}

BufferType lane::importer::getCacheType(
    ArrayRef<int64_t> shape, int64_t headLength, NumberFormat format,
    function_ref<InFlightDiagnostic()> emitError, MLIRContext *context) {
  auto type = BufferType::getChecked(emitError, context, shape,
                                     getCacheElement(format, context));
  if (type && headLength % type.getBlockElements() != 0) {
    emitError() << "heads of " << headLength
                << " elements are not a multiple of the "
                << stringifyNumberFormat(format) << " block of "
                << type.getBlockElements();
    return {};
  }
  return type;
}

LogicalResult CarriedState::declare(ProgramOp program, TensorTable &tensors) {
  OpBuilder builder = OpBuilder::atBlockEnd(&program.getBody().front());
  Location loc = program.getLoc();
  bool failed = false;
  auto declare = [&](const Twine &name, int64_t rows, int64_t columns,
                     int64_t headLength, NumberFormat format) -> StateOp {
    SmallVector<int64_t, 3> shape = {rows, columns};
    if (options.sequences > 1)
      shape.insert(shape.begin(), options.sequences);
    if (tensors.contains(name.str())) {
      emitError(loc) << "tensor '" << name << "' has the same name as a state";
      failed = true;
      return {};
    }
    BufferType type = getCacheType(
        shape, headLength, format,
        [&] { return emitError(loc) << "'" << name << "': "; },
        builder.getContext());
    failed |= !type;
    return type ? StateOp::create(builder, loc, name.str(), type) : StateOp();
  };
  auto declareCache = [&](const Twine &name, int64_t rows, int64_t heads,
                          int64_t headLength, NumberFormat format) {
    return declare(name, rows, heads * headLength, headLength, format);
  };
  auto declareRecurrent = [&](const Twine &name, int64_t rows,
                              int64_t columns) {
    return declare(name, rows, columns, columns, NumberFormat::F32);
  };
  for (auto [index, layer] : llvm::enumerate(params.layers)) {
    LayerState &state = layers.emplace_back();
    std::string suffix = std::to_string(index);
    if (layer.isRecurrent) {
      int64_t mixed =
          params.innerSize + 2 * params.groupCount * params.stateSize;
      if (params.convolutionLength > 1)
        state.convolution = declareRecurrent(
            "state_conv." + suffix, params.convolutionLength - 1, mixed);
      state.recurrence = declareRecurrent("state_delta." + suffix,
                                          params.innerSize, params.stateSize);
    } else if (layer.cacheLayer == static_cast<int64_t>(index)) {
      int64_t rows = getCacheRows(layer);
      std::string prefix = "blk." + suffix + ".";
      if (architecture.attention == AttentionKind::Latent &&
          tensors.contains(prefix + "attn_k_b.weight")) {
        state.keys = declareCache("cache_k." + suffix, rows, /*heads=*/1,
                                  params.kvRank + params.ropeDimensions,
                                  options.keyFormat);
        if (failed)
          return failure();
        continue;
      }
      bool isLatent = architecture.attention == AttentionKind::Latent;
      int64_t heads = isLatent ? layer.headCount : layer.headCountKv;
      state.keys =
          declareCache("cache_k." + suffix, rows, heads,
                       isLatent ? params.latentKeyLength : params.keyLength,
                       options.keyFormat);
      if (failed)
        return failure();
      state.values =
          declareCache("cache_v." + suffix, rows, heads,
                       isLatent ? params.latentValueLength : params.valueLength,
                       options.valueFormat);
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

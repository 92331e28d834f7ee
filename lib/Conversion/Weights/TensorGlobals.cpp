//===- TensorGlobals.cpp - Globals of tensors -----------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorGlobals.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace lane::weights;

static constexpr StringLiteral kUtil = "util";

/// An error of a global, which names it.
static InFlightDiagnostic emitError(const TensorGlobal &global) {
  return global.op->emitOpError() << "@" << global.symbol.getValue() << " ";
}

/// Fails unless the type is that of a memref with static shape.
static LogicalResult readType(TensorGlobal &global, Type type) {
  global.type = dyn_cast<RankedTensorType>(type);
  if (!global.type ||
      !BaseMemRefType::isValidElementType(global.type.getElementType()))
    return emitError(global)
           << "has " << type << ", which is not a ranked tensor of numbers";
  if (!global.type.hasStaticShape())
    return emitError(global) << "has " << type << ", whose shape is not static";
  if (global.type.getEncoding())
    return emitError(global) << "has " << type << ", which has an encoding";
  return success();
}

/// Takes a value in the module; `value` is null if the global has none.
static LogicalResult readValue(TensorGlobal &global, Attribute value) {
  if (!value)
    return success();
  global.value = dyn_cast<ElementsAttr>(value);
  if (!global.value)
    return emitError(global)
           << "has the value " << value
           << ", which is neither elements nor the name of a tensor";
  if (global.value.getShapedType() != global.type)
    return emitError(global) << "has " << global.type << ", but its value is "
                             << global.value.getShapedType();
  return success();
}

static LogicalResult checkExternal(const TensorGlobal &global, Type type) {
  if (global.isMutable)
    return emitError(global)
           << "is mutable, but its value is " << global.tensorName
           << " of a checkpoint: state is zero at startup";
  if (global.tensorName.empty() || global.tensorName.getValue().contains('\0'))
    return emitError(global) << "has the value " << global.tensorName
                             << ", which no tensor of a checkpoint has as name";
  // Upstream reads `#ml_program.extern<tensor<...>>` without its type.
  if (type != global.type && !isa<NoneType>(type))
    return emitError(global)
           << "has " << global.type << ", but its value is " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// ml_program
//===----------------------------------------------------------------------===//

static FailureOr<TensorGlobal> readGlobal(ml_program::GlobalOp op) {
  TensorGlobal global = {op, op.getSymNameAttr(), {}, op.getIsMutable(), {}, {},
                         {}};
  if (failed(readType(global, op.getType())))
    return failure();
  Attribute value = op.getValueAttr();
  if (auto external = dyn_cast_if_present<ml_program::ExternAttr>(value)) {
    // The symbol is the key of the value.
    global.tensorName = global.symbol;
    if (failed(checkExternal(global, external.getType())))
      return failure();
  } else if (failed(readValue(global, value))) {
    return failure();
  }
  return global;
}

//===----------------------------------------------------------------------===//
// IREE
//===----------------------------------------------------------------------===//

/// Parses a string in double quotes, with MLIR's escapes, off the start of
/// `text`. Null if there is none.
static StringAttr parseString(StringRef &text, MLIRContext *context) {
  text = text.ltrim();
  if (!text.consume_front("\""))
    return {};
  size_t end = 0;
  while (end < text.size() && text[end] != '"')
    end += text[end] == '\\' ? 2 : 1;
  if (end >= text.size())
    return {};
  std::string quoted = ("\"" + text.take_front(end + 1)).str();
  text = text.drop_front(end + 1);
  return dyn_cast_if_present<StringAttr>(parseAttribute(quoted, context));
}

/// Reads `#flow.parameter.named<"scope"::"key">` or `#stream.parameter.named`,
/// which need not have a scope. Fails if the value is neither.
static LogicalResult readParameter(TensorGlobal &global, OpaqueAttr value) {
  StringRef dialect = value.getDialectNamespace();
  StringRef text = value.getAttrData();
  if ((dialect != "flow" && dialect != "stream") ||
      !text.consume_front("parameter.named<"))
    return failure();
  StringAttr key = parseString(text, value.getContext());
  if (!key)
    return failure();
  if (text.consume_front("::")) {
    global.scope = key;
    key = parseString(text, value.getContext());
  }
  text = text.ltrim();
  // A configuration may follow.
  if (!key || (text != ">" && !text.starts_with(",")))
    return failure();
  global.tensorName = key;
  return success();
}

/// Whether the value is `#util.uninitialized`.
static bool isUninitialized(Attribute value) {
  auto opaque = dyn_cast_if_present<OpaqueAttr>(value);
  return opaque && opaque.getDialectNamespace() == kUtil &&
         opaque.getAttrData() == "uninitialized";
}

static FailureOr<TensorGlobal> readUtilGlobal(Operation *op) {
  TensorGlobal global = {op, op->getAttrOfType<StringAttr>("sym_name")};
  auto type = op->getAttrOfType<TypeAttr>("type");
  if (!global.symbol || !type)
    return op->emitOpError() << "has no 'sym_name' or no 'type'";
  global.isMutable = op->hasAttr("is_mutable");
  if (failed(readType(global, type.getValue())))
    return failure();
  Attribute value = op->getAttr("initial_value");
  auto opaque = dyn_cast_if_present<OpaqueAttr>(value);
  if (opaque && succeeded(readParameter(global, opaque))) {
    if (failed(checkExternal(global, opaque.getType())))
      return failure();
  } else if (!isUninitialized(value) && failed(readValue(global, value))) {
    return failure();
  }
  if (!global.isMutable && !global.value && !global.tensorName)
    return emitError(global) << "has no value and is not mutable";
  return global;
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

static bool isNamed(Operation *op, StringRef name) {
  return op->getName().getStringRef() == name;
}

bool lane::weights::isTensorGlobal(Operation *op) {
  return isa<ml_program::GlobalOp>(op) || isNamed(op, "util.global");
}

FailureOr<TensorGlobal> lane::weights::readTensorGlobal(Operation *op) {
  if (auto global = dyn_cast<ml_program::GlobalOp>(op))
    return readGlobal(global);
  return readUtilGlobal(op);
}

std::optional<GlobalAccess> lane::weights::readGlobalAccess(Operation *op) {
  if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op))
    return GlobalAccess{op, load.getGlobal(), /*isStore=*/false};
  if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op))
    return GlobalAccess{op, load.getGlobal(), /*isStore=*/false};
  if (auto store = dyn_cast<ml_program::GlobalStoreOp>(op))
    return GlobalAccess{op, store.getGlobal(), /*isStore=*/true};
  auto symbol = op->getAttrOfType<SymbolRefAttr>("global");
  if (symbol && isNamed(op, "util.global.load") && op->getNumResults() == 1)
    return GlobalAccess{op, symbol, /*isStore=*/false};
  if (symbol && isNamed(op, "util.global.store") && op->getNumOperands() == 1)
    return GlobalAccess{op, symbol, /*isStore=*/true};
  return std::nullopt;
}

bool lane::weights::isInGlobalsDialect(Operation *op) {
  return isa_and_nonnull<ml_program::MLProgramDialect>(op->getDialect()) ||
         op->getName().getDialectNamespace() == kUtil;
}

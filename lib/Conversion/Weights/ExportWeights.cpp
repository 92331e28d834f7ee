//===- ExportWeights.cpp - The pass export-weights ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/Safetensors/Writer.h"
#include "lane/Conversion/Passes.h"
#include "lane/Conversion/Weights.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Support/Bytes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace lane {
#define GEN_PASS_DEF_EXPORTWEIGHTSPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;

ElementsAttr lane::getValues(memref::GlobalOp global) {
  auto values = dyn_cast_or_null<ElementsAttr>(
      global.getInitialValue().value_or(Attribute()));
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(values);
  if (!global.getConstant() || (resource && !resource.getRawHandle().getBlob()))
    return {};
  return values;
}

/// The bytes of the values as a safetensors file has them. None, after an
/// error, if it cannot have them.
static std::optional<int64_t> getSizeBytes(memref::GlobalOp global,
                                           ElementsAttr values) {
  InFlightDiagnostic diagnostic = global.emitOpError()
                                  << "@" << global.getSymName() << " has ";
  std::optional<NumberFormat> format =
      getElementFormat(global.getType().getElementType());
  if (!format) {
    diagnostic << global.getType()
               << ", whose element type is not a format of matrices";
    return std::nullopt;
  }
  std::optional<int64_t> bytes = getBlockBytes(*format);
  for (int64_t size : global.getType().getShape())
    if (bytes)
      bytes = checkedMulBytes(*bytes, size);
  auto resource = dyn_cast<DenseResourceElementsAttr>(values);
  if (!bytes) {
    diagnostic << global.getType() << ", whose byte size overflows int64";
    return std::nullopt;
  }
  if (!resource && !isa<DenseElementsAttr>(values)) {
    diagnostic << "values that are neither dense nor a resource";
    return std::nullopt;
  }
  int64_t blobBytes =
      resource ? resource.getRawHandle().getBlob()->getData().size() : *bytes;
  if (blobBytes != *bytes) {
    diagnostic << global.getType() << " of " << *bytes
               << " bytes, but its resource has " << blobBytes;
    return std::nullopt;
  }
  diagnostic.abandon();
  return bytes;
}

static void writeValues(DenseElementsAttr values, raw_ostream &os) {
  // Booleans are packed as bits.
  if (values.getElementType().isInteger(1)) {
    for (bool value : values.getValues<bool>())
      os << char(value);
    return;
  }
  ArrayRef<char> data = values.getRawData();
  int64_t numCopies = values.isSplat() ? values.getNumElements() : 1;
  for (int64_t i = 0; i < numCopies; ++i)
    os.write(data.data(), data.size());
}

static void writeValues(ElementsAttr values, raw_ostream &os) {
  if (auto dense = dyn_cast<DenseElementsAttr>(values))
    return writeValues(dense, os);
  ArrayRef<char> data = cast<DenseResourceElementsAttr>(values)
                            .getRawHandle()
                            .getBlob()
                            ->getData();
  os.write(data.data(), data.size());
}

namespace {
/// Gives each value a name of its own.
class Names {
public:
  /// Names that the module expects in a checkpoint are taken.
  explicit Names(ModuleOp module) {
    for (auto global : module.getOps<memref::GlobalOp>())
      if (global.getConstant() && !getValues(global))
        owners[lane::getTensorName(global)] = {};
  }

  StringAttr choose(memref::GlobalOp global, ElementsAttr values) {
    StringAttr name = lane::getTensorName(global);
    std::string symbol = global.getSymName().str();
    // The type of the values has the shape.
    for (int i = 0; !owners.try_emplace(name, values).second &&
                    (!owners[name] || owners[name] != values);
         ++i)
      name = StringAttr::get(global.getContext(),
                             i == 0 ? symbol : symbol + "_" + Twine(i));
    return name;
  }

private:
  DenseMap<StringAttr, ElementsAttr> owners;
};
} // namespace

FailureOr<llvm::MapVector<memref::GlobalOp, StringAttr>>
lane::nameValues(ModuleOp module, int64_t minBytes) {
  Names names(module);
  llvm::MapVector<memref::GlobalOp, StringAttr> named;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    ElementsAttr values = getValues(global);
    if (!values)
      continue;
    std::optional<int64_t> bytes = getSizeBytes(global, values);
    if (!bytes)
      return failure();
    if (*bytes < minBytes)
      continue;
    StringAttr name = names.choose(global, values);
    if (llvm::Error error = safetensors::checkName(name))
      return global.emitOpError()
             << "@" << global.getSymName() << " has the name " << name
             << ", which " << llvm::toString(std::move(error));
    named[global] = name;
  }
  return named;
}

void lane::writeValues(
    const llvm::MapVector<memref::GlobalOp, StringAttr> &names,
    raw_ostream &os) {
  std::vector<safetensors::TensorSource> tensors;
  llvm::StringSet<> written;
  for (auto [global, name] : names) {
    // Globals may share their values.
    if (!written.insert(name).second)
      continue;
    memref::GlobalOp values = global;
    NumberFormat format = *getElementFormat(values.getType().getElementType());
    tensors.push_back(
        {name.str(), format,
         SmallVector<int64_t, 4>(values.getType().getShape()),
         values.getType().getNumElements() * getBlockBytes(format),
         [values](raw_ostream &os) { ::writeValues(getValues(values), os); }});
  }
  safetensors::writeFile(std::move(tensors), os);
}

namespace {
struct ExportWeightsPass
    : public lane::impl::ExportWeightsPassBase<ExportWeightsPass> {
  using ExportWeightsPassBase::ExportWeightsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (file.empty()) {
      module.emitError() << "export-weights: the option 'file' is empty";
      return signalPassFailure();
    }
    auto names = nameValues(module, minBytes);
    if (failed(names))
      return signalPassFailure();
    llvm::Error error = llvm::writeToOutput(file, [&](raw_ostream &os) {
      writeValues(*names, os);
      return llvm::Error::success();
    });
    if (error) {
      module.emitError() << "export-weights: cannot write "
                         << llvm::toString(std::move(error));
      return signalPassFailure();
    }
    for (auto [global, name] : *names) {
      memref::GlobalOp exported = global;
      exported.setInitialValueAttr(UnitAttr::get(module.getContext()));
      exported->setAttr("lane.weight", name);
    }
  }
};
} // namespace

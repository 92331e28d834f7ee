//===- GoldenProgram.cpp - Golden programs with op builders ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GoldenProgram.h"

using namespace mlir;
using namespace lane;
using namespace lane::test;

int64_t lane::test::getInteger(const llvm::json::Object &object,
                               StringRef key) {
  return *object.getInteger(key);
}

StringRef lane::test::getString(const llvm::json::Object &object,
                                StringRef key) {
  return *object.getString(key);
}

SmallVector<const llvm::json::Object *>
lane::test::getObjects(const llvm::json::Object &object, StringRef key,
                       std::mt19937 *random) {
  SmallVector<const llvm::json::Object *> objects;
  for (const llvm::json::Value &value : *object.getArray(key))
    objects.push_back(value.getAsObject());
  if (random)
    std::shuffle(objects.begin(), objects.end(), *random);
  return objects;
}

static llvm::StringSet<> getStrings(const llvm::json::Object &object,
                                    StringRef key) {
  llvm::StringSet<> strings;
  for (const llvm::json::Value &value : *object.getArray(key))
    strings.insert(*value.getAsString());
  return strings;
}

BufferType GoldenBuilder::getBufferType(const llvm::json::Object &buffer) {
  Type element = getInteger(buffer, "dtype_bytes") == 2
                     ? Type(builder.getF16Type())
                     : Type(builder.getF32Type());
  return BufferType::get(builder.getContext(), {getInteger(buffer, "length")},
                         element);
}

bool GoldenBuilder::isShared(const llvm::json::Object &buffer) {
  StringRef kind = getString(*buffer.getObject("fill"), "kind");
  return kind == "rows" || kind == "values" ||
         (kind == "zero" && decodeState.contains(getString(buffer, "name")));
}

void GoldenBuilder::buildShared() {
  for (const llvm::json::Object *form : getObjects(golden, "forms"))
    if (getString(*form, "kind") == "decode")
      for (const llvm::json::Object *buffer : getObjects(*form, "buffers"))
        if (getString(*buffer->getObject("fill"), "kind") == "zero")
          decodeState.insert(getString(*buffer, "name"));

  SmallVector<const llvm::json::Object *> shared;
  for (const llvm::json::Object *form : getObjects(golden, "forms"))
    for (const llvm::json::Object *buffer : getObjects(*form, "buffers"))
      if (isShared(*buffer) &&
          sharedTypes.try_emplace(getString(*buffer, "name")).second)
        shared.push_back(buffer);
  if (random)
    std::shuffle(shared.begin(), shared.end(), *random);

  for (const llvm::json::Object *buffer : shared) {
    StringRef name = getString(*buffer, "name");
    const llvm::json::Object &fill = *buffer->getObject("fill");
    if (getString(fill, "kind") != "rows") {
      BufferType type = getBufferType(*buffer);
      sharedTypes[name] = type;
      if (getString(fill, "kind") == "values")
        ValuesOp::create(builder, loc, name, type);
      else
        StateOp::create(builder, loc, name, type);
      continue;
    }
    auto type =
        MatrixType::get(builder.getContext(),
                        {getInteger(fill, "rows"), getInteger(fill, "cols")},
                        *symbolizeNumberFormat(getString(fill, "format")));
    SmallVector<Attribute> rows;
    for (const llvm::json::Object *run : getObjects(fill, "runs"))
      rows.push_back(RowsAttr::get(builder.getContext(), /*file=*/0,
                                   getInteger(*run, "offset"),
                                   getInteger(*run, "rows")));
    MatrixOp::create(builder, loc, name, type, rows);
    sharedTypes[name] = type;
  }
}

StorageAttr GoldenBuilder::getStorage(const llvm::json::Object &buffer,
                                      StringRef key) {
  if (!*buffer.getBoolean(key))
    return {};
  bool hasSlot = getStrings(*form->getObject("arena"), key)
                     .contains(getString(buffer, "name"));
  return StorageAttr::get(builder.getContext(), hasSlot, std::nullopt);
}

void GoldenBuilder::buildBuffer(const llvm::json::Object &buffer) {
  StringRef name = getString(buffer, "name");
  StringRef kind = getString(*buffer.getObject("fill"), "kind");
  StorageAttr plain = getStorage(buffer, "plain");
  StorageAttr quantized = getStorage(buffer, "quantized");
  Value &value = values[name];
  if (isShared(buffer))
    value = RefOp::create(builder, loc, sharedTypes.lookup(name), name, plain,
                          quantized);
  else if (kind == "param")
    value = ParamOp::create(builder, loc, getBufferType(buffer), name,
                            getStrings(*form, "positions").contains(name),
                            plain, quantized);
  else
    value = AllocOp::create(builder, loc, getBufferType(buffer), name,
                            /*carried=*/kind == "zero", plain, quantized);
}

void GoldenBuilder::buildAlias(const llvm::json::Object &buffer) {
  const llvm::json::Object &fill = *buffer.getObject("fill");
  BufferType type = getBufferType(buffer);
  Value base = values.lookup(getString(fill, "of"));
  int64_t offset = getInteger(fill, "offset");
  StorageAttr quantized = getStorage(buffer, "quantized");
  int64_t overrun = ViewOp::computeOverrun(base.getType(), type, offset,
                                           quantized != nullptr);
  values[getString(buffer, "name")] = ViewOp::create(
      builder, loc, type, getString(buffer, "name"), base, offset,
      overrun > 0 ? builder.getI64IntegerAttr(overrun) : IntegerAttr(),
      getStorage(buffer, "plain"), quantized);
}

ArrayAttr GoldenBuilder::getScratch(const llvm::json::Object &launch,
                                    int64_t index) {
  const llvm::json::Array &slots =
      *form->getObject("arena")->getArray("scratch");
  SmallVector<Attribute> entries;
  for (const llvm::json::Object *scratch : getObjects(launch, "scratch")) {
    int64_t tag = getInteger(*scratch, "tag");
    bool hasSlot = llvm::is_contained(slots, llvm::json::Value{index, tag});
    entries.push_back(ScratchAttr::get(
        builder.getContext(), tag, getInteger(*scratch, "bytes"),
        *scratch->getBoolean("counter"),
        StorageAttr::get(builder.getContext(), hasSlot, std::nullopt)));
  }
  return entries.empty() ? ArrayAttr() : builder.getArrayAttr(entries);
}

void GoldenBuilder::buildKernel(const llvm::json::Object &launch,
                                ArrayAttr scratch) {
  SmallVector<std::pair<Value, AccessKind>> reads;
  for (const llvm::json::Value &read : *launch.getArray("reads"))
    reads.push_back({values.lookup(*read.getAsString()), AccessKind::Dense});
  for (StringRef key : {"table", "wg", "wu", "wd"})
    if (std::optional<StringRef> name = launch.getString(key))
      reads.push_back({values.lookup(*name), key == "table"
                                                 ? AccessKind::Gather
                                                 : AccessKind::Expert});
  if (random)
    std::shuffle(reads.begin(), reads.end(), *random);
  SmallVector<Value> inputs;
  SmallVector<Attribute> accesses;
  for (auto [value, kind] : reads) {
    inputs.push_back(value);
    accesses.push_back(AccessAttr::get(builder.getContext(), kind, 0, 0));
  }
  KernelLaunchOp::create(builder, loc, getString(launch, "op"), inputs,
                         /*outputs=*/ValueRange(),
                         builder.getArrayAttr(accesses), scratch);
}

void GoldenBuilder::buildLaunch(const llvm::json::Object &launch,
                                int64_t index) {
  ArrayAttr scratch = getScratch(launch, index);
  if (getString(launch, "op") != "fused")
    return buildKernel(launch, scratch);
  auto fused = FusedOp::create(builder, loc);
  fused.setScratchAttr(scratch);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&fused.getBody().front());
  for (const llvm::json::Object *part : getObjects(launch, "parts", random))
    buildKernel(*part, /*scratch=*/ArrayAttr());
}

void GoldenBuilder::buildForm(const llvm::json::Object &object,
                              StringRef name) {
  form = &object;
  values.clear();
  FormKind kind = *symbolizeFormKind(getString(object, "kind"));
  auto op =
      FormOp::create(builder, loc, name, kind, getInteger(object, "rows"));
  op.setArena(getInteger(*object.getObject("arena"), "bytes"));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&op.getBody().front());
  // In golden files, aliases do not view aliases.
  SmallVector<const llvm::json::Object *> aliases;
  for (const llvm::json::Object *buffer :
       getObjects(object, "buffers", random)) {
    if (getString(*buffer->getObject("fill"), "kind") == "alias")
      aliases.push_back(buffer);
    else
      buildBuffer(*buffer);
  }
  for (const llvm::json::Object *alias : aliases)
    buildAlias(*alias);
  for (auto [index, launch] : llvm::enumerate(getObjects(object, "launches")))
    buildLaunch(*launch, index);
}

OwningOpRef<ModuleOp> GoldenBuilder::build() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto program =
      ProgramOp::create(builder, loc, "golden", getInteger(golden, "context"),
                        *symbolizeNumerics(getString(golden, "numerics")));
  builder.setInsertionPointToEnd(&program.getBody().front());
  buildShared();
  for (auto [index, form] : llvm::enumerate(getObjects(golden, "forms")))
    buildForm(*form, "form" + std::to_string(index));
  return module;
}

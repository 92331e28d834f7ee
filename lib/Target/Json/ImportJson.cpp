//===- ImportJson.cpp - A lane program from JSON --------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "lane/Target/Json/Json.h"
#include "lane/Target/Translations.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace lane;

/// A symbol name from the file name: its stem, if the input is a file.
static StringRef getProgramName(StringRef fileName) {
  StringRef stem = llvm::sys::path::stem(fileName);
  bool isFile = !stem.empty() && stem != "-" && fileName != "<stdin>" &&
                llvm::json::isUTF8(stem);
  return isFile ? stem : "program";
}

OwningOpRef<ModuleOp> lane::importJson(llvm::MemoryBufferRef buffer,
                                       MLIRContext *context) {
  context->loadDialect<LaneDialect>();
  StringRef fileName = buffer.getBufferIdentifier();
  Location loc = FileLineColLoc::get(context, fileName, 0, 0);
  std::optional<llvm::json::Value> value =
      json::parseJson(buffer.getBuffer(), loc);
  if (!value)
    return {};
  FailureOr<json::ProgramDescription> description =
      json::readProgram(json::JsonCursor(*value, loc));
  if (failed(description))
    return {};

  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  if (failed(json::buildProgram(*description, getProgramName(fileName), loc,
                                builder)) ||
      failed(verify(*module)))
    return {};
  return module;
}

void lane::registerImportJsonTranslation() {
  static TranslateToMLIRRegistration registration(
      "import-json", "Import a lane program from JSON",
      [](llvm::SourceMgr &sourceMgr, MLIRContext *context) {
        const llvm::MemoryBuffer *buffer =
            sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
        OwningOpRef<ModuleOp> module =
            importJson(buffer->getMemBufferRef(), context);
        return OwningOpRef<Operation *>(module.release());
      },
      [](DialectRegistry &registry) { registry.insert<LaneDialect>(); });
}

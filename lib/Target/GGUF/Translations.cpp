//===- Translations.cpp - Translations of GGUF files ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Target/Translations.h"
#include "lane/Checkpoint/GGUF/HeaderJson.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Target/GGUF/CacheFormats.h"
#include "lane/Target/GGUF/ImportGGUF.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace lane;

/// Reads the header of the main buffer. None after an error.
static std::optional<gguf::Header> readHeader(llvm::SourceMgr &sourceMgr,
                                              MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
  llvm::Expected<gguf::Header> header =
      gguf::Header::parse(buffer->getMemBufferRef());
  if (header)
    return std::move(*header);
  emitError(UnknownLoc::get(context)) << llvm::toString(header.takeError());
  return std::nullopt;
}

void lane::registerImportGGUFTranslation() {
  static llvm::cl::OptionCategory category("Options of --import-gguf");
  static llvm::cl::opt<int64_t> contextLength(
      "context", llvm::cl::cat(category), llvm::cl::init(0),
      llvm::cl::value_desc("tokens"),
      llvm::cl::desc("Context length in tokens (default: 4096, or that of the "
                     "model if it is smaller)"));
  static llvm::cl::opt<int64_t> prefillRows(
      "prefill-rows", llvm::cl::cat(category), llvm::cl::init(0),
      llvm::cl::value_desc("rows"),
      llvm::cl::desc("Rows of the prefill form (default: 0, no prefill form)"));
  static llvm::cl::opt<int64_t> batchRows(
      "batch-rows", llvm::cl::cat(category), llvm::cl::init(0),
      llvm::cl::value_desc("sequences"),
      llvm::cl::desc("Sequences of the batch form (default: 0, no batch "
                     "form)"));
  static llvm::cl::opt<bool> isGeneric(
      "generic", llvm::cl::cat(category),
      llvm::cl::desc("Import a model of unknown architecture by the names of "
                     "its tensors, for planning only"));
  static llvm::cl::opt<NumberFormat> keyFormat(
      "cache-type-k", llvm::cl::cat(category),
      llvm::cl::init(NumberFormat::F16), llvm::cl::value_desc("type"),
      llvm::cl::desc("Number format of the cache of keys (default: f16)"));
  static llvm::cl::opt<NumberFormat> valueFormat(
      "cache-type-v", llvm::cl::cat(category),
      llvm::cl::init(NumberFormat::F16), llvm::cl::value_desc("type"),
      llvm::cl::desc("Number format of the cache of values (default: f16)"));
  addCacheFormats(keyFormat);
  addCacheFormats(valueFormat);
  static TranslateToMLIRRegistration registration(
      "import-gguf", "Import the header of a GGUF checkpoint as a lane program",
      [](llvm::SourceMgr &sourceMgr, MLIRContext *context) {
        std::optional<gguf::Header> header = readHeader(sourceMgr, context);
        if (!header)
          return OwningOpRef<Operation *>();
        llvm::Expected<gguf::Checkpoint> checkpoint =
            gguf::Checkpoint::open(std::move(*header));
        if (!checkpoint) {
          emitError(UnknownLoc::get(context))
              << llvm::toString(checkpoint.takeError());
          return OwningOpRef<Operation *>();
        }
        OwningOpRef<ModuleOp> module =
            importGGUF(*checkpoint,
                       {contextLength, prefillRows, batchRows, isGeneric,
                        keyFormat, valueFormat},
                       context);
        return OwningOpRef<Operation *>(module.release());
      },
      [](DialectRegistry &registry) { registry.insert<LaneDialect>(); });
}

void lane::registerGGUFToJsonTranslation() {
  static TranslateRegistration registration(
      "gguf-to-json", "Print the header of a GGUF checkpoint as JSON",
      [](const std::shared_ptr<llvm::SourceMgr> &sourceMgr,
         llvm::raw_ostream &os, MLIRContext *context) -> LogicalResult {
        std::optional<gguf::Header> header = readHeader(*sourceMgr, context);
        if (!header)
          return failure();
        gguf::printHeaderJson(*header, os);
        return success();
      });
}

//===- CheckpointToJson.cpp - Checkpoints as JSON -------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/Checkpoint.h"
#include "lane/Target/Json/Json.h"
#include "lane/Target/Translations.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace lane;

static void printTensor(const CheckpointTensor &tensor,
                        llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("name", llvm::json::fixUTF8(tensor.name));
    json.attribute("format", tensor.formatName);
    json.attributeArray("shape", [&] {
      for (int64_t size : tensor.shape)
        json.value(size);
    });
    json.attribute("file", tensor.file);
    json.attribute("offset", tensor.offset);
    json.attribute("bytes", tensor.sizeBytes);
  });
}

void lane::printCheckpointJson(const Checkpoint &checkpoint, raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeArray("files", [&] {
      for (const CheckpointFile &file : checkpoint.getFiles())
        json.value(llvm::json::fixUTF8(llvm::sys::path::filename(file.path)));
    });
    json.attributeArray("tensors", [&] {
      for (const CheckpointTensor &tensor : checkpoint.getTensors())
        printTensor(tensor, json);
    });
  });
  os << '\n';
}

void lane::registerCheckpointToJsonTranslation() {
  static TranslateRegistration registration(
      "checkpoint-to-json",
      "Print the tensors of a checkpoint of any format as JSON",
      [](const std::shared_ptr<llvm::SourceMgr> &sourceMgr, raw_ostream &os,
         MLIRContext *context) -> LogicalResult {
        const llvm::MemoryBuffer *buffer =
            sourceMgr->getMemoryBuffer(sourceMgr->getMainFileID());
        llvm::Expected<Checkpoint> checkpoint =
            Checkpoint::open(llvm::MemoryBuffer::getMemBuffer(
                buffer->getMemBufferRef(), /*RequiresNullTerminator=*/false));
        if (!checkpoint)
          return emitError(UnknownLoc::get(context))
                 << llvm::toString(checkpoint.takeError());
        printCheckpointJson(*checkpoint, os);
        return success();
      });
}

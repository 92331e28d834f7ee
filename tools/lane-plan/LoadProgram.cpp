//===- LoadProgram.cpp - Reads the input of lane-plan ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadProgram.h"
#include "lane/Checkpoint/CheckpointFormat.h"
#include "lane/Checkpoint/File.h"
#include "lane/Target/GGUF/ImportGGUF.h"
#include "lane/Target/Json/Json.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace lane;

static OwningOpRef<ModuleOp>
loadCheckpoint(std::unique_ptr<llvm::MemoryBuffer> buffer,
               const Options &options, MLIRContext *context,
               std::string &title) {
  llvm::Expected<gguf::Checkpoint> checkpoint =
      gguf::Checkpoint::open(std::move(buffer));
  if (!checkpoint) {
    emitError(UnknownLoc::get(context))
        << llvm::toString(checkpoint.takeError());
    return {};
  }
  if (llvm::Expected<StringRef> architecture =
          checkpoint->getMetadata().getString("general.architecture"))
    title += (", " + *architecture).str();
  else
    llvm::consumeError(architecture.takeError());
  if (checkpoint->getShards().size() > 1)
    title += (", " + Twine(checkpoint->getShards().size()) + " files").str();
  return importGGUF(*checkpoint,
                    {options.context, options.prefillRows, options.batchRows,
                     options.isGeneric, options.keyFormat, options.valueFormat},
                    context);
}

/// Tells why a checkpoint of another format than GGUF is not planned: it is
/// malformed, or it has tensors but not a model.
static OwningOpRef<ModuleOp>
refuseCheckpoint(std::unique_ptr<llvm::MemoryBuffer> buffer,
                 const CheckpointFormat &format, MLIRContext *context) {
  std::string path = buffer->getBufferIdentifier().str();
  InFlightDiagnostic diagnostic = emitError(UnknownLoc::get(context));
  llvm::Expected<Checkpoint> checkpoint = format.open(std::move(buffer));
  if (!checkpoint)
    diagnostic << llvm::toString(checkpoint.takeError());
  else
    diagnostic << path << ": a valid " << format.name << " checkpoint of "
               << checkpoint->getTensors().size()
               << " tensors; models are imported from GGUF only, so give a "
                  "program and its weights to convert-linalg-to-lane";
  return {};
}

static OwningOpRef<ModuleOp>
loadModule(const Options &options, MLIRContext *context, std::string &title) {
  StringRef path = options.input;
  Location loc = UnknownLoc::get(context);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = openFile(path);
  if (!buffer) {
    emitError(loc) << llvm::toString(buffer.takeError());
    return {};
  }
  title = llvm::sys::path::filename(path).str();
  if ((*buffer)->getBuffer().starts_with("GGUF") || path.ends_with(".gguf"))
    return loadCheckpoint(std::move(*buffer), options, context, title);
  if (const CheckpointFormat *format =
          lookupCheckpointFormat((*buffer)->getBuffer(), path))
    return refuseCheckpoint(std::move(*buffer), *format, context);
  if (options.context != 0 || options.prefillRows != 0 ||
      options.batchRows != 0 || options.isGeneric ||
      options.isGiven(options.keyFormat) ||
      options.isGiven(options.valueFormat)) {
    emitError(loc) << path
                   << " is not a GGUF file, so it takes no context, "
                      "prefill-rows, batch-rows, generic, cache-type-k or "
                      "cache-type-v";
    return {};
  }
  if (path.ends_with(".json"))
    return importJson((*buffer)->getMemBufferRef(), context);
  return parseSourceFile<ModuleOp>(path, context);
}

FailureOr<Input> lane::loadProgram(const Options &options,
                                   MLIRContext *context) {
  Input input;
  input.module = loadModule(options, context, input.title);
  if (!input.module)
    return failure();
  auto programs = llvm::to_vector(input.module->getOps<ProgramOp>());
  if (programs.size() != 1)
    return emitError(UnknownLoc::get(context))
           << options.input << " holds " << programs.size()
           << " programs instead of one";
  input.program = programs.front();
  input.title += ", context of " +
                 std::to_string(input.program.getContextLength()) + " tokens";
  return input;
}

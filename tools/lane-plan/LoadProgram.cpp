//===- LoadProgram.cpp - Reads the input of lane-plan ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadProgram.h"
#include "ReadInput.h"
#include "lane/Checkpoint/CheckpointFormat.h"
#include "lane/Target/GGUF/ImportGGUF.h"
#include "lane/Target/Json/Json.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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
  Location loc = UnknownLoc::get(context);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      readInput(options.input);
  if (!buffer) {
    emitError(loc) << llvm::toString(buffer.takeError());
    return {};
  }
  StringRef bytes = (*buffer)->getBuffer();
  std::string path = (*buffer)->getBufferIdentifier().str();
  if (llvm::Error error = refuseForeignFormat(bytes, path)) {
    emitError(loc) << llvm::toString(std::move(error));
    return {};
  }
  title = llvm::sys::path::filename(path).str();
  if (bytes.starts_with("GGUF") || StringRef(path).ends_with(".gguf"))
    return loadCheckpoint(std::move(*buffer), options, context, title);
  if (const CheckpointFormat *format = lookupCheckpointFormat(bytes, path))
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
  // Of the standard input only the text is known; MLIR starts differently.
  if (StringRef(path).ends_with(".json") ||
      (options.input == "-" && bytes.ltrim().starts_with("{") &&
       !bytes.ltrim().starts_with("{-#")))
    return importJson((*buffer)->getMemBufferRef(), context);
  // The parser needs a terminator, which a mapped file may not have.
  return options.input == "-"
             ? parseSourceString<ModuleOp>(bytes, context, path)
             : parseSourceFile<ModuleOp>(path, context);
}

FailureOr<Input> lane::loadProgram(const Options &options,
                                   MLIRContext *context) {
  Input input;
  input.module = loadModule(options, context, input.title);
  if (!input.module)
    return failure();
  StringRef name = options.input == "-" ? "<stdin>" : StringRef(options.input);
  auto programs = llvm::to_vector(input.module->getOps<ProgramOp>());
  if (programs.empty() && !input.module->getOps<func::FuncOp>().empty())
    return emitError(UnknownLoc::get(context))
           << name
           << " holds functions but not a program: 'lane-opt "
              "--convert-linalg-to-lane' makes a program of functions";
  if (programs.size() != 1)
    return emitError(UnknownLoc::get(context))
           << name << " holds " << programs.size()
           << " programs instead of one";
  input.program = programs.front();
  input.title += ", context of " +
                 std::to_string(input.program.getContextLength()) + " tokens";
  return input;
}

//===- ImportGGUF.cpp - A lane program from a GGUF checkpoint -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Target/ImportGGUF.h"
#include "GGUF/Transformer.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace lane;
using namespace lane::importer;

/// What llama.cpp takes where nothing is asked for.
static constexpr int64_t kDefaultContextLength = 4096;
/// Rows of a form; with the bounds of ModelParameters no size overflows.
static constexpr int64_t kMaxRows = int64_t(1) << 20;

/// A symbol's name made of the file's: its stem, without what a path holds.
static std::string getProgramName(StringRef fileName) {
  StringRef stem = llvm::sys::path::stem(fileName);
  return stem.empty() || fileName == "<stdin>" ? "model" : stem.str();
}

/// The rows of the embedding table, which number the tokens: 32-bit ids.
static std::optional<int64_t> getVocabularySize(const gguf::Header &header) {
  const gguf::Tensor *table = header.lookupTensor("token_embd.weight");
  if (!table || table->shape.size() != 2 ||
      table->shape[1] > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return table->shape[1];
}

static LogicalResult checkOptions(const GGUFImportOptions &options,
                                  Location loc) {
  auto check = [&](StringRef name, int64_t value,
                   int64_t most) -> LogicalResult {
    if (value >= 0 && value <= most)
      return success();
    return emitError(loc) << name << " of " << value
                          << " is out of the range 0 to " << most;
  };
  if (failed(check("context", options.contextLength, int64_t(1) << 30)) ||
      failed(check("prefill-rows", options.prefillRows, kMaxRows)) ||
      failed(check("batch-rows", options.batchRows, kMaxRows)))
    return failure();
  return success();
}

/// Names the tensors that no launch reads; they are planned all the same.
static void remarkUnread(const TensorTable &tensors, Location loc) {
  SmallVector<StringRef> unread = tensors.getUnread();
  if (unread.empty())
    return;
  emitRemark(loc) << unread.size()
                  << (unread.size() == 1 ? " tensor is" : " tensors are")
                  << " read by nothing and planned as unread: "
                  << llvm::join(llvm::map_range(unread, quote), ", ");
}

OwningOpRef<ModuleOp> lane::importGGUF(const gguf::Header &header,
                                       StringRef fileName,
                                       const GGUFImportOptions &options,
                                       MLIRContext *context) {
  context->loadDialect<LaneDialect>();
  Location loc = FileLineColLoc::get(context, fileName, 0, 0);
  // The reader's messages name the file themselves.
  auto fail = [&](llvm::Error error) {
    emitError(UnknownLoc::get(context)) << llvm::toString(std::move(error));
    return OwningOpRef<ModuleOp>();
  };
  if (failed(checkOptions(options, loc)))
    return {};
  llvm::Expected<StringRef> name = header.getString("general.architecture");
  if (!name)
    return fail(name.takeError());
  const Architecture *architecture = lookupArchitecture(*name);
  if (!architecture) {
    emitError(loc) << "architecture " << quote(*name)
                   << " is not known; known are " << getArchitectureNames();
    return {};
  }
  llvm::Expected<int64_t> split = header.getIntegerOr("split.count", 1);
  if (!split)
    return fail(split.takeError());
  if (*split > 1) {
    emitError(loc) << "key 'split.count' is " << *split
                   << ": a checkpoint in several files is not read, merge "
                      "them first";
    return {};
  }
  llvm::Expected<ModelParameters> params =
      readModelParameters(header, *architecture);
  if (!params)
    return fail(params.takeError());
  std::optional<int64_t> vocabularySize = getVocabularySize(header);
  if (!vocabularySize) {
    emitError(loc) << "tensor 'token_embd.weight' is missing or no matrix of "
                      "at most 2^31 rows";
    return {};
  }

  int64_t contextLength = options.contextLength;
  if (contextLength == 0)
    contextLength = std::min(kDefaultContextLength, params->contextLength);
  if (options.prefillRows > contextLength) {
    emitError(loc) << "prefill-rows of " << options.prefillRows
                   << " pass the context of " << contextLength << " tokens";
    return {};
  }

  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto program = ProgramOp::create(builder, loc, getProgramName(fileName),
                                   contextLength, Numerics::OnePass);
  program.setFilesAttr(
      builder.getStrArrayAttr({llvm::sys::path::filename(fileName)}));
  builder.setInsertionPointToEnd(&program.getBody().front());

  TensorTable tensors;
  if (failed(tensors.declare(header, builder, loc)))
    return {};
  if (!tensors.contains("output.weight"))
    tensors.declareTied("output.weight", "token_embd.weight", builder, loc);

  CarriedState state(*architecture, *params,
                     {contextLength, std::max<int64_t>(1, options.batchRows),
                      std::max<int64_t>(1, options.prefillRows)});
  if (failed(state.declare(program, tensors)))
    return {};
  Model model{*architecture, *params, state, contextLength, *vocabularySize};
  auto buildForm = [&](StringRef formName, FormKind kind,
                       int64_t rows) -> LogicalResult {
    if (tensors.contains(formName))
      return emitError(loc)
             << "tensor " << quote(formName) << " has the name of a form";
    builder.setInsertionPointToEnd(&program.getBody().front());
    FormOp form = FormOp::create(builder, loc, formName, kind, rows);
    return Transformer(model, form, tensors).build();
  };
  if (failed(buildForm("decode", FormKind::Decode, 1)) ||
      (options.prefillRows != 0 &&
       failed(buildForm("prefill", FormKind::Prefill, options.prefillRows))) ||
      (options.batchRows != 0 &&
       failed(buildForm("batch", FormKind::Batch, options.batchRows))))
    return {};
  remarkUnread(tensors, loc);
  if (failed(verify(*module)))
    return {};
  return module;
}

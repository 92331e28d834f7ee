//===- ImportGGUF.cpp - A lane program from a GGUF checkpoint -------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Target/GGUF/ImportGGUF.h"
#include "Generic.h"
#include "Transformer.h"
#include "lane/Support/Limits.h"
#include "lane/Support/Quote.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace lane;
using namespace lane::importer;

/// llama.cpp's default.
static constexpr int64_t kDefaultContextLength = 4096;
/// Maximum rows of a form. Together with the bounds of ModelParameters, no size
/// overflows.
static constexpr int64_t kMaxRows = int64_t(1) << 20;

/// The program's name: that of the file without its folder and extension.
static std::string getProgramName(const gguf::Checkpoint &checkpoint) {
  StringRef name = llvm::sys::path::filename(checkpoint.getStem());
  // A name without the extension of GGUF may have another.
  if (checkpoint.getStem() == checkpoint.getMetadata().getName())
    name = llvm::sys::path::stem(name);
  return name.empty() || name == "<stdin>" ? "model" : name.str();
}

/// The rows of the embedding table. Token ids have 32 bits.
static std::optional<int64_t>
getVocabularySize(const gguf::Checkpoint &checkpoint) {
  const CheckpointTensor *table =
      checkpoint.getTensorList().lookup("token_embd.weight");
  if (!table || table->shape.size() != 2 ||
      table->shape[0] > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return table->shape[0];
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
  if (failed(check("context", options.contextLength, kMaxContextLength)) ||
      failed(check("prefill-rows", options.prefillRows, kMaxRows)) ||
      failed(check("batch-rows", options.batchRows, kMaxRows)))
    return failure();
  return success();
}

/// Leaves the tensors that no launch reads out of the program: no step needs
/// their bytes. Some files also have the encoder of images, say, or layers that
/// predict further tokens.
static void eraseUnread(TensorTable &tensors, Location loc) {
  uint64_t sizeBytes;
  SmallVector<std::string> unread = tensors.eraseUnread(sizeBytes);
  if (unread.empty())
    return;
  bool isOne = unread.size() == 1;
  InFlightDiagnostic remark =
      emitRemark(loc) << unread.size() << (isOne ? " tensor" : " tensors")
                      << " of " << sizeBytes << " bytes "
                      << (isOne ? "is" : "are")
                      << " read by nothing and left out: "
                      << quote(unread.front());
  if (!isOne)
    remark << " and " << unread.size() - 1 << " more";
}

/// Why the file is not a model that can be planned, or an empty string.
static StringRef describeOtherKind(const gguf::Header &header) {
  auto getText = [&](StringRef key) -> StringRef {
    const gguf::Value *value = header.lookup(key);
    return value ? value->getString().value_or("") : "";
  };
  StringRef type = getText("general.type");
  if (type == "adapter" || header.lookup("adapter.type"))
    return "an adapter, not a model: plan the model that it adapts";
  if (type == "mmproj" || getText("general.architecture") == "clip")
    return "a vision projector, not a language model: plan the model that it "
           "belongs to";
  if (type == "imatrix")
    return "an importance matrix, not a model";
  return "";
}

namespace {
/// Builds the program of a checkpoint.
class Importer {
public:
  Importer(const gguf::Checkpoint &checkpoint, const GGUFImportOptions &options,
           MLIRContext *context)
      : checkpoint(checkpoint), header(checkpoint.getMetadata()),
        options(options), builder(context),
        loc(FileLineColLoc::get(context, header.getName(), 0, 0)) {}

  OwningOpRef<ModuleOp> run();

private:
  LogicalResult importKnown(const Architecture &architecture);
  LogicalResult importGeneric(StringRef architecture);
  /// Takes the context from the options, or else llama.cpp's default, at most
  /// the model's, which is 0 if the file does not give it.
  LogicalResult setContextLength(int64_t modelContextLength);
  LogicalResult createProgram();
  LogicalResult buildForms(function_ref<LogicalResult(FormOp)> build);
  LogicalResult fail(llvm::Error error) {
    // The reader's messages name the file.
    return emitError(UnknownLoc::get(builder.getContext()))
           << llvm::toString(std::move(error));
  }

  const gguf::Checkpoint &checkpoint;
  const gguf::Header &header;
  const GGUFImportOptions &options;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
  ProgramOp program;
  TensorTable tensors;
  int64_t contextLength = 0;
  /// The context that the model was trained for; 0 if the file does not give
  /// it.
  int64_t trainedLength = 0;
};
} // namespace

LogicalResult Importer::setContextLength(int64_t modelContextLength) {
  contextLength = options.contextLength;
  if (contextLength == 0)
    contextLength = modelContextLength == 0
                        ? kDefaultContextLength
                        : std::min(kDefaultContextLength, modelContextLength);
  trainedLength = modelContextLength;
  if (options.prefillRows > contextLength)
    return emitError(loc) << "prefill-rows of " << options.prefillRows
                          << " exceed the context of " << contextLength
                          << " tokens";
  return success();
}

LogicalResult Importer::createProgram() {
  module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  program = ProgramOp::create(builder, loc, getProgramName(checkpoint),
                              contextLength, Numerics::OnePass);
  SmallVector<StringRef> files;
  for (const CheckpointFile &file : checkpoint.getTensorList().getFiles())
    files.push_back(llvm::sys::path::filename(file.path));
  program.setFilesAttr(builder.getStrArrayAttr(files));
  builder.setInsertionPointToEnd(&program.getBody().front());
  if (failed(tensors.declare(checkpoint.getTensorList(), builder, loc)))
    return failure();
  if (!tensors.contains("output.weight"))
    tensors.declareTied("output.weight", "token_embd.weight", builder, loc);
  return success();
}

LogicalResult Importer::buildForms(function_ref<LogicalResult(FormOp)> build) {
  auto buildForm = [&](StringRef name, FormKind kind,
                       int64_t rows) -> LogicalResult {
    if (tensors.contains(name))
      return emitError(loc)
             << "tensor " << quote(name) << " has the same name as a form";
    builder.setInsertionPointToEnd(&program.getBody().front());
    return build(FormOp::create(builder, loc, name, kind, rows));
  };
  return success(
      succeeded(buildForm("decode", FormKind::Decode, 1)) &&
      (options.prefillRows == 0 ||
       succeeded(
           buildForm("prefill", FormKind::Prefill, options.prefillRows))) &&
      (options.batchRows == 0 ||
       succeeded(buildForm("batch", FormKind::Batch, options.batchRows))));
}

LogicalResult Importer::importKnown(const Architecture &architecture) {
  llvm::Expected<ModelParameters> params =
      readModelParameters(header, architecture);
  if (!params)
    return fail(params.takeError());
  std::optional<int64_t> vocabularySize = getVocabularySize(checkpoint);
  if (!vocabularySize)
    return emitError(loc)
           << "tensor 'token_embd.weight' is missing or not a matrix of at "
              "most 2^31 rows";
  if (failed(setContextLength(params->contextLength)) ||
      failed(createProgram()))
    return failure();
  CarriedState state(architecture, *params,
                     {contextLength, std::max<int64_t>(1, options.batchRows),
                      std::max<int64_t>(1, options.prefillRows),
                      options.keyFormat, options.valueFormat});
  if (failed(state.declare(program, tensors)))
    return failure();
  Model model{architecture, *params, state, contextLength, *vocabularySize};
  return buildForms(
      [&](FormOp form) { return Transformer(model, form, tensors).build(); });
}

LogicalResult Importer::importGeneric(StringRef architecture) {
  if (options.prefillRows != 0 || options.batchRows != 0)
    return emitError(loc) << "a generic import has only a decode form, so it "
                             "takes no prefill-rows or batch-rows";
  llvm::Expected<GenericParameters> params =
      readGenericParameters(checkpoint, architecture);
  if (!params)
    return fail(params.takeError());
  if (params->ignoredWindow != 0)
    emitRemark(loc) << "a window of " << params->ignoredWindow
                    << " tokens without a pattern of layers: all layers attend "
                       "to the whole context";
  if (failed(setContextLength(params->contextLength)) ||
      failed(createProgram()))
    return failure();
  return buildForms([&](FormOp form) {
    return buildGenericForm(
        *params, {contextLength, options.keyFormat, options.valueFormat}, form,
        tensors);
  });
}

OwningOpRef<ModuleOp> Importer::run() {
  if (failed(checkOptions(options, loc)))
    return {};
  StringRef otherKind = describeOtherKind(header);
  if (!otherKind.empty()) {
    emitError(loc) << "the file is " << otherKind;
    return {};
  }
  llvm::Expected<StringRef> name = header.getString("general.architecture");
  if (!name) {
    (void)fail(name.takeError());
    return {};
  }
  const Architecture *architecture = lookupArchitecture(*name);
  if (!architecture && !options.isGeneric) {
    emitError(loc) << "unknown architecture " << quote(*name)
                   << "; known architectures are " << getArchitectureNames()
                   << "; --generic plans others by the names of their tensors";
    return {};
  }
  if (failed(architecture ? importKnown(*architecture) : importGeneric(*name)))
    return {};
  if (trainedLength != 0 && contextLength > trainedLength)
    emitRemark(loc) << "a context of " << contextLength
                    << " tokens exceeds the " << trainedLength
                    << " that the model was trained for";
  eraseUnread(tensors, loc);
  if (failed(verify(*module)))
    return {};
  return std::move(module);
}

OwningOpRef<ModuleOp> lane::importGGUF(const gguf::Checkpoint &checkpoint,
                                       const GGUFImportOptions &options,
                                       MLIRContext *context) {
  context->loadDialect<LaneDialect>();
  return Importer(checkpoint, options, context).run();
}

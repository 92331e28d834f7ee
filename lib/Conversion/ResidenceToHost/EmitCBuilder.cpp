//===- EmitCBuilder.cpp - A generated program in EmitC --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds two files: `header`, the C interface, and `source`, the tables and
// functions, which --emit-cpp prints after the runtime. EmitC has no
// structures, so rows of tables are opaque texts.
//
//===----------------------------------------------------------------------===//

#include "DescriptionFields.h"
#include "HostDescription.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace lane;

/// C string literals for NUL-terminated texts, one per line. Bytes are escaped
/// as three octal digits, so that a following digit is not part of the escape.
static std::string makeStringLiterals(StringRef text) {
  std::string literal;
  llvm::raw_string_ostream os(literal);
  os << '"';
  for (auto [index, c] : llvm::enumerate(text)) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      os << '\\' << c;
    else if (c == '?')
      os << "\\?";
    else if (llvm::isPrint(c))
      os << c;
    else
      os << '\\' << char('0' + (byte >> 6)) << char('0' + (byte >> 3 & 7))
         << char('0' + (byte & 7));
    if (c == 0 && index + 1 < text.size())
      os << "\"\n  \"";
  }
  os << '"';
  return literal;
}

namespace {
class EmitCBuilder {
public:
  EmitCBuilder(ModuleOp module, ProgramOp program, const HostDescription &host)
      : host(host), builder(program), loc(program.getLoc()),
        ctx(module.getContext()) {}

  void run();

private:
  void buildHeader();
  void buildTables();
  void buildDescription();
  void buildOpen();
  void buildClose();

  Type getNamed(StringRef name) { return emitc::OpaqueType::get(ctx, name); }
  Type getPointer(StringRef name) {
    return emitc::PointerType::get(getNamed(name));
  }
  void addLine(const Twine &text) {
    emitc::VerbatimOp::create(builder, loc, text.str());
  }
  void addConstant(const Twine &name, Type type, const std::string &text);
  void addText(const Twine &name, const std::string &text);
  template <typename RowT>
  void addTable(const Twine &name, StringRef type, ArrayRef<RowT> rows);
  void addValues();
  emitc::FuncOp addFunction(const Twine &name, ArrayRef<Type> inputs,
                            TypeRange results);

  const HostDescription &host;
  OpBuilder builder;
  Location loc;
  MLIRContext *ctx;
};
} // namespace

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

void EmitCBuilder::buildHeader() {
  const std::string &prefix = host.prefix;
  std::string upper = StringRef(prefix).upper();
  addLine("#ifndef " + upper + "_H");
  addLine("#define " + upper + "_H");
  addLine("");
  addLine("#ifdef __cplusplus");
  addLine("extern \"C\" {");
  addLine("#endif");
  addLine("");
  addLine("/* Indices into `pointers` of the program. */");
  addLine("enum {");
  for (auto [identifier, comment] : llvm::zip(host.identifiers, host.comments))
    addLine(llvm::formatv("  /* {0} */\n  {1},", comment, identifier));
  addLine("  " + upper + "_NUM_POINTERS");
  addLine("};");
  addLine("");
  addLine(
      "/* Opens the program: places its uploads by the free memory, "
      "allocates, and\n   uploads the checkpoint. `options` and `error` may "
      "be NULL. Returns LANE_OK;\n   or another code, with `*program` NULL "
      "and nothing allocated. */");
  addLine("int32_t " + prefix +
          "_open(const lane_options *options, lane_program **program,\n    "
          "lane_error *error);");
  addLine("");
  addLine("/* Frees everything that the program allocated. Ignores NULL. */");
  addLine("void " + prefix + "_close(lane_program *program);");
  if (!host.steps.empty())
    addLine("\n/* Each runs a form's launches on a cudaStream_t, which may be "
            "NULL. It does not\n   wait for them. Returns LANE_OK, or another "
            "code with a line in\n   `program->step_error`. They are in the "
            "object made through the LLVM dialect. */");
  for (const std::string &step : host.steps)
    addLine("int32_t " + prefix + "_" + step +
            "(lane_program *program, void *stream);");
  addLine("");
  addLine("#ifdef __cplusplus");
  addLine("}");
  addLine("#endif");
  addLine("");
  addLine("#endif /* " + upper + "_H */");
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

void EmitCBuilder::addConstant(const Twine &name, Type type,
                               const std::string &text) {
  emitc::GlobalOp::create(builder, loc, (host.prefix + name).str(), type,
                          emitc::OpaqueAttr::get(ctx, text),
                          /*extern_specifier=*/false,
                          /*static_specifier=*/true, /*const_specifier=*/true);
}

void EmitCBuilder::addText(const Twine &name, const std::string &text) {
  addConstant(
      name, emitc::ArrayType::get({int64_t(text.size()) + 1}, getNamed("char")),
      makeStringLiterals(text));
}

/// A table has at least one row: C has no empty arrays.
template <typename RowT>
void EmitCBuilder::addTable(const Twine &name, StringRef type,
                            ArrayRef<RowT> rows) {
  std::vector<RowT> padded = rows.vec();
  if (padded.empty())
    padded.push_back({});
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '{';
  for (const RowT &row : padded) {
    os << "\n  {";
    llvm::interleaveComma(getFields(row), os);
    os << "},";
  }
  os << "\n}";
  addConstant(name,
              emitc::ArrayType::get({int64_t(padded.size())}, getNamed(type)),
              text);
}

void EmitCBuilder::addValues() {
  std::vector<float> values = host.values;
  values.push_back(0);
  auto type = RankedTensorType::get(values.size(), builder.getF32Type());
  emitc::GlobalOp::create(
      builder, loc, host.prefix + "_values",
      emitc::ArrayType::get({int64_t(values.size())}, builder.getF32Type()),
      DenseElementsAttr::get(type, ArrayRef(values)),
      /*extern_specifier=*/false, /*static_specifier=*/true,
      /*const_specifier=*/true);
}

void EmitCBuilder::buildTables() {
  addTable("_uploads", "lane_upload", ArrayRef(host.uploads));
  addTable("_pointers", "lane_pointer", ArrayRef(host.pointers));
  addText("_file_names", host.fileNames);
  addTable("_segments", "lane_segment", ArrayRef(host.segments));
  addText("_tensor_names", host.tensorNames);
  addValues();
}

void EmitCBuilder::buildDescription() {
  lane_description numbers = host.getNumbers();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{\n  ";
  llvm::interleaveComma(getNumberFields(numbers), os);
  for (StringRef table : {"uploads", "pointers", "file_names", "segments",
                          "tensor_names", "values"})
    os << ",\n  " << host.prefix << '_' << table;
  os << "\n}";
  addLine("\n// Bytes of the arena, the fixed part and the spare; numbers of "
          "uploads, pointers,\n// files and segments; and the tables.");
  addConstant("_description", getNamed("lane_description"), text);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A function of the program, with the builder at its start.
emitc::FuncOp EmitCBuilder::addFunction(const Twine &name,
                                        ArrayRef<Type> inputs,
                                        TypeRange results) {
  auto function =
      emitc::FuncOp::create(builder, loc, (host.prefix + name).str(),
                            builder.getFunctionType(inputs, results));
  builder.setInsertionPointToStart(function.addEntryBlock());
  return function;
}

void EmitCBuilder::buildOpen() {
  OpBuilder::InsertionGuard guard(builder);
  Type program = getPointer("lane_program");
  addLine("");
  emitc::FuncOp function =
      addFunction("_open",
                  {getPointer("const lane_options"),
                   emitc::PointerType::get(program), getPointer("lane_error")},
                  builder.getI32Type());
  Value options = function.getArgument(0), result = function.getArgument(1),
        error = function.getArgument(2);
  // The arguments are the description's address and both operands.
  auto address =
      emitc::OpaqueAttr::get(ctx, "&" + host.prefix + "_description");
  auto arguments = builder.getArrayAttr(
      {address, builder.getIndexAttr(0), builder.getIndexAttr(1)});
  Value opened =
      emitc::CallOpaqueOp::create(builder, loc, program, "laneBegin",
                                  ValueRange{options, error}, arguments)
          .getResult(0);
  for (StringRef step : host.getSteps())
    emitc::CallOpaqueOp::create(builder, loc, TypeRange(), step, opened);
  auto code =
      emitc::CallOpaqueOp::create(builder, loc, builder.getI32Type(),
                                  "laneFinish", ValueRange{opened, result});
  emitc::ReturnOp::create(builder, loc, code.getResult(0));
}

void EmitCBuilder::buildClose() {
  OpBuilder::InsertionGuard guard(builder);
  addLine("");
  emitc::FuncOp function =
      addFunction("_close", getPointer("lane_program"), TypeRange());
  emitc::CallOpaqueOp::create(builder, loc, TypeRange(), "laneClose",
                              ValueRange(function.getArgument(0)));
  emitc::ReturnOp::create(builder, loc, Value());
}

void EmitCBuilder::run() {
  auto header = emitc::FileOp::create(builder, loc, "header");
  auto source = emitc::FileOp::create(builder, loc, "source");
  builder.setInsertionPointToStart(&header.getBodyRegion().front());
  buildHeader();
  builder.setInsertionPointToStart(&source.getBodyRegion().front());
  emitc::IncludeOp::create(builder, loc, host.prefix + ".h",
                           /*is_standard_include=*/false);
  addLine("");
  buildTables();
  buildDescription();
  buildOpen();
  buildClose();
}

void lane::buildEmitC(ModuleOp module, ProgramOp program,
                      const HostDescription &description) {
  EmitCBuilder(module, program, description).run();
}

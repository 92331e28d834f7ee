//===- HostToEmitC.cpp - The pass convert-host-to-emitc -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Passes.h"
#include "lane/Host/Host.h"
#include "mlir/Conversion/ArithToEmitC/ArithToEmitC.h"
#include "mlir/Conversion/FuncToEmitC/FuncToEmitC.h"
#include "mlir/Conversion/SCFToEmitC/SCFToEmitC.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace lane {
#define GEN_PASS_DEF_CONVERTHOSTTOEMITCPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;
using namespace lane::host;

//===----------------------------------------------------------------------===//
// Types and literals
//===----------------------------------------------------------------------===//

/// The EmitC type that C spells so.
static Type getNamedType(MLIRContext *ctx, StringRef name) {
  name = name.rtrim();
  if (name.consume_back("*"))
    return emitc::PointerType::get(getNamedType(ctx, name));
  if (name == "int64_t")
    return IntegerType::get(ctx, 64);
  if (name == "int8_t")
    return IntegerType::get(ctx, 8);
  return emitc::OpaqueType::get(ctx, name);
}

static emitc::PointerType convertPointer(host::PointerType type) {
  return emitc::PointerType::get(
      getNamedType(type.getContext(), type.getPointee()));
}

/// `text` as literals of C, one for each string that ends with a zero byte in
/// it. Octal escapes end after three digits, whatever follows.
static std::string quote(StringRef text) {
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

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

struct ConvertTable : OpConversionPattern<TableOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TableOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type;
    Attribute value = op.getValue();
    if (auto text = dyn_cast<StringAttr>(value)) {
      type =
          emitc::ArrayType::get({int64_t(text.size()) + 1},
                                emitc::OpaqueType::get(getContext(), "char"));
      value = emitc::OpaqueAttr::get(getContext(), quote(text.getValue()));
    } else {
      auto elements = cast<DenseElementsAttr>(value);
      type = emitc::ArrayType::get({elements.getNumElements()},
                                   elements.getElementType());
    }
    rewriter.replaceOpWithNewOp<emitc::GlobalOp>(
        op, op.getSymName(), type, value, /*extern_specifier=*/false,
        /*static_specifier=*/true, /*const_specifier=*/true);
    return success();
  }
};

/// What C has elsewhere.
template <typename OpTy>
struct Erase : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertComment : OpConversionPattern<CommentOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CommentOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Before a function, after an empty line.
    Operation *before = op->getPrevNode();
    bool isFirst = isa<ModuleOp>(op->getParentOp()) &&
                   !isa_and_present<CommentOp, emitc::VerbatimOp>(before);
    rewriter.replaceOpWithNewOp<emitc::VerbatimOp>(
        op, ((isFirst ? "\n// " : "// ") + op.getText()).str());
    return success();
  }
};

struct ConvertNull : OpConversionPattern<NullOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(NullOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<emitc::ConstantOp>(
        op, convertPointer(op.getType()),
        emitc::OpaqueAttr::get(getContext(), "nullptr"));
    return success();
  }
};

struct ConvertIsSet : OpConversionPattern<IsSetOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IsSetOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value null = emitc::LiteralOp::create(
        rewriter, op.getLoc(), adaptor.getPointer().getType(), "nullptr");
    rewriter.replaceOpWithNewOp<emitc::CmpOp>(
        op, op.getType(), emitc::CmpPredicate::ne, adaptor.getPointer(), null);
    return success();
  }
};

struct ConvertString : OpConversionPattern<StringOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StringOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<emitc::LiteralOp>(
        op, convertPointer(op.getType()), quote(op.getValue()));
    return success();
  }
};

struct ConvertTableAddress : OpConversionPattern<TableAddressOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TableAddressOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<emitc::LiteralOp>(
        op, convertPointer(op.getType()), op.getTable());
    return success();
  }
};

/// The element of a table or an array.
Value loadElement(ConversionPatternRewriter &rewriter, Location loc, Value base,
                  Value index, Type type) {
  auto place = emitc::SubscriptOp::create(
      rewriter, loc, emitc::LValueType::get(type), base, ValueRange{index});
  return emitc::LoadOp::create(rewriter, loc, type, place);
}

struct ConvertTableLoad : OpConversionPattern<TableLoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TableLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto table = SymbolTable::lookupNearestSymbolFrom(op, op.getTableAttr());
    // Converted already, or not yet.
    emitc::ArrayType type;
    if (auto global = dyn_cast_if_present<emitc::GlobalOp>(table))
      type = dyn_cast<emitc::ArrayType>(global.getType());
    else if (auto host = dyn_cast_if_present<TableOp>(table))
      if (auto elements = dyn_cast<DenseElementsAttr>(host.getValue()))
        type = emitc::ArrayType::get({elements.getNumElements()},
                                     elements.getElementType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "no table of numbers");
    Value global = emitc::GetGlobalOp::create(rewriter, op.getLoc(), type,
                                              op.getTableAttr());
    rewriter.replaceOp(op, loadElement(rewriter, op.getLoc(), global,
                                       adaptor.getIndex(), op.getType()));
    return success();
  }
};

/// `pointer[0].field`, as an lvalue. (To print `(*pointer).field` EmitC's
/// translation lacks the brackets.)
Value getField(ConversionPatternRewriter &rewriter, Location loc, Value pointer,
               StringRef field, Type type) {
  Type record = cast<emitc::PointerType>(pointer.getType()).getPointee();
  Value zero =
      emitc::LiteralOp::create(rewriter, loc, rewriter.getI32Type(), "0");
  Value object = emitc::SubscriptOp::create(
      rewriter, loc, emitc::LValueType::get(record), pointer, ValueRange{zero});
  return emitc::MemberOp::create(rewriter, loc, emitc::LValueType::get(type),
                                 field, object);
}

struct ConvertGetField : OpConversionPattern<GetFieldOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(GetFieldOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    Value field = getField(rewriter, op.getLoc(), adaptor.getPointer(),
                           op.getField(), type);
    rewriter.replaceOpWithNewOp<emitc::LoadOp>(op, type, field);
    return success();
  }
};

struct ConvertSetField : OpConversionPattern<SetFieldOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SetFieldOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value field = getField(rewriter, op.getLoc(), adaptor.getPointer(),
                           op.getField(), adaptor.getValue().getType());
    rewriter.replaceOpWithNewOp<emitc::AssignOp>(op, field, adaptor.getValue());
    return success();
  }
};

struct ConvertLoad : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    rewriter.replaceOp(op,
                       loadElement(rewriter, op.getLoc(), adaptor.getPointer(),
                                   adaptor.getIndex(), type));
    return success();
  }
};

struct ConvertStore : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = adaptor.getValue().getType();
    Value place = emitc::SubscriptOp::create(
        rewriter, op.getLoc(), emitc::LValueType::get(type),
        adaptor.getPointer(), ValueRange{adaptor.getIndex()});
    rewriter.replaceOpWithNewOp<emitc::AssignOp>(op, place, adaptor.getValue());
    return success();
  }
};

struct ConvertOffset : OpConversionPattern<OffsetOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OffsetOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type bytes = getNamedType(getContext(), "char *");
    Value base = emitc::CastOp::create(rewriter, op.getLoc(), bytes,
                                       adaptor.getPointer());
    Value sum = emitc::AddOp::create(rewriter, op.getLoc(), bytes, base,
                                     adaptor.getBytes());
    rewriter.replaceOpWithNewOp<emitc::CastOp>(op, convertPointer(op.getType()),
                                               sum);
    return success();
  }
};

struct ConvertCuda : OpConversionPattern<CudaOp> {
  using OpConversionPattern::OpConversionPattern;

  /// The type that the function writes through its pointer.
  static Type getOutputType(MLIRContext *ctx, CudaValue value) {
    switch (value) {
    case CudaValue::Pointer:
      return getNamedType(ctx, "void *");
    case CudaValue::Bytes:
      return emitc::SizeTType::get(ctx);
    case CudaValue::Number:
      return getNamedType(ctx, "int");
    }
    llvm_unreachable("unknown CUDA value");
  }

  LogicalResult
  matchAndRewrite(CudaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> variables, operands;
    for (CudaValue output : getCudaSignature(op.getFunction()).outputs) {
      Type type = getOutputType(getContext(), output);
      StringRef initial = output == CudaValue::Pointer ? "nullptr" : "0";
      Value variable = emitc::VariableOp::create(
          rewriter, loc, emitc::LValueType::get(type),
          emitc::OpaqueAttr::get(getContext(), initial));
      variables.push_back(variable);
      operands.push_back(emitc::AddressOfOp::create(
          rewriter, loc, emitc::PointerType::get(type), variable));
    }
    llvm::append_range(operands, adaptor.getOperands());
    // Not from int to an enumeration without a cast.
    if (op.getFunction() == CudaFunction::cudaDeviceGetAttribute)
      operands[1] = emitc::CastOp::create(
          rewriter, loc, emitc::OpaqueType::get(getContext(), "cudaDeviceAttr"),
          operands[1]);

    // A status that nobody asks for has no variable: compilers warn of one.
    bool isAsked = !op.getOutputs().front().use_empty();
    auto call = emitc::CallOpaqueOp::create(
        rewriter, loc, isAsked ? TypeRange(rewriter.getI32Type()) : TypeRange(),
        stringifyCudaFunction(op.getFunction()), operands);
    SmallVector<Value> results;
    results.push_back(isAsked ? call.getResult(0) : Value());
    for (auto [variable, output] :
         llvm::zip(variables, op.getOutputs().drop_front())) {
      if (output.use_empty()) {
        results.push_back(Value());
        continue;
      }
      Type type = cast<emitc::LValueType>(variable.getType()).getValueType();
      Value loaded = emitc::LoadOp::create(rewriter, loc, type, variable);
      Type wanted = getTypeConverter()->convertType(output.getType());
      if (type != wanted)
        loaded = emitc::CastOp::create(rewriter, loc, wanted, loaded);
      results.push_back(loaded);
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ConvertCall : OpConversionPattern<CallOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    rewriter.replaceOpWithNewOp<emitc::CallOpaqueOp>(op, types, op.getCallee(),
                                                     adaptor.getOperands());
    return success();
  }
};

} // namespace

void lane::populateHostToEmitCTypes(TypeConverter &converter) {
  converter.addConversion([](host::PointerType type) -> std::optional<Type> {
    return convertPointer(type);
  });
}

void lane::populateHostToEmitCPatterns(TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns
      .add<ConvertTable, Erase<StructOp>, Erase<InterfaceOp>, ConvertComment,
           ConvertNull, ConvertIsSet, ConvertString, ConvertTableAddress,
           ConvertTableLoad, ConvertGetField, ConvertSetField, ConvertLoad,
           ConvertStore, ConvertOffset, ConvertCuda, ConvertCall>(
          converter, patterns.getContext());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The lines of the header: C, for whoever opens the program.
static void buildHeader(OpBuilder &builder, Location loc, StringRef prefix,
                        ArrayAttr pointers, ArrayAttr comments) {
  std::string upper = prefix.upper();
  auto line = [&](const Twine &text) {
    emitc::VerbatimOp::create(builder, loc, text.str());
  };
  line("#ifndef " + upper + "_H");
  line("#define " + upper + "_H");
  line("");
  line("#ifdef __cplusplus");
  line("extern \"C\" {");
  line("#endif");
  line("");
  line("/* Indices into `pointers` of the program. */");
  line("enum {");
  for (auto [pointer, comment] :
       llvm::zip(pointers.getAsValueRange<StringAttr>(),
                 comments.getAsValueRange<StringAttr>()))
    line("  /* " + comment + " */\n  " + pointer + ",");
  line("  " + upper + "_NUM_POINTERS");
  line("};");
  line("");
  line("/* Opens the program: decides from the memory that is free how much of "
       "it lives\n   on the device, allocates, and uploads the checkpoint. "
       "Options may be NULL, and\n   so may error. Returns LANE_OK, or a code "
       "with `*program` NULL and nothing left\n   allocated. The device that "
       "is current must be so again where it is closed. */");
  line("int32_t " + prefix +
       "_open(const lane_options *options, lane_program **program,\n    "
       "lane_error *error);");
  line("");
  line("/* Frees all that the program has; NULL is nothing. */");
  line("void " + prefix + "_close(lane_program *program);");
  line("");
  line("#ifdef __cplusplus");
  line("}");
  line("#endif");
  line("");
  line("#endif /* " + upper + "_H */");
}

/// Erases what is left over of conversions and would be a variable without a
/// use in C.
static void eraseUnused(ModuleOp module) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    module.walk([&](Operation *op) {
      if (op->use_empty() &&
          isa<emitc::LoadOp, emitc::LiteralOp, emitc::ConstantOp,
              emitc::GetGlobalOp, emitc::SubscriptOp>(op)) {
        op->erase();
        isChanged = true;
      }
    });
  }
}

namespace {
struct ConvertHostToEmitCPass
    : public lane::impl::ConvertHostToEmitCPassBase<ConvertHostToEmitCPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    MLIRContext *ctx = &getContext();
    auto interfaces = llvm::to_vector(module.getOps<InterfaceOp>());
    if (interfaces.size() != 1) {
      emitError(module.getLoc())
          << "expected a module with one host.interface, found "
          << interfaces.size() << ": run residence-to-host first";
      return signalPassFailure();
    }
    StringAttr prefix = interfaces.front().getSymNameAttr();
    ArrayAttr pointers = interfaces.front().getPointers();
    ArrayAttr comments = interfaces.front().getComments();

    TypeConverter converter;
    converter.addConversion([](Type type) -> std::optional<Type> {
      if (emitc::isSupportedEmitCType(type))
        return type;
      return std::nullopt;
    });
    populateHostToEmitCTypes(converter);
    RewritePatternSet patterns(ctx);
    populateHostToEmitCPatterns(converter, patterns);
    populateArithToEmitCPatterns(converter, patterns);
    populateFuncToEmitCPatterns(converter, patterns);
    populateSCFToEmitCConversionPatterns(patterns, converter);
    ConversionTarget target(*ctx);
    target.addLegalDialect<emitc::EmitCDialect>();
    target.addIllegalDialect<arith::ArithDialect, func::FuncDialect,
                             scf::SCFDialect, HostDialect>();
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    eraseUnused(module);

    // What there is goes into one file, what is declared into another.
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto header = emitc::FileOp::create(builder, module.getLoc(), "header");
    auto source = emitc::FileOp::create(builder, module.getLoc(), "source");
    Block &sourceBody = source.getBodyRegion().front();
    sourceBody.getOperations().splice(
        sourceBody.end(), module.getBody()->getOperations(),
        std::next(source->getIterator()), module.getBody()->end());
    builder.setInsertionPointToStart(&header.getBodyRegion().front());
    buildHeader(builder, module.getLoc(), prefix.getValue(), pointers,
                comments);
    builder.setInsertionPointToStart(&sourceBody);
    emitc::IncludeOp::create(builder, module.getLoc(),
                             (prefix.getValue() + ".h").str(),
                             /*is_standard_include=*/false);
  }
};
} // namespace

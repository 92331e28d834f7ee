//===- HostToLLVM.cpp - The pass convert-host-to-llvm ---------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Conversion/Passes.h"
#include "lane/Host/Host.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

namespace lane {
#define GEN_PASS_DEF_CONVERTHOSTTOLLVMPASS
#include "lane/Conversion/Passes.h.inc"
} // namespace lane

using namespace mlir;
using namespace lane;
using namespace lane::host;

static LLVM::LLVMPointerType getPointer(MLIRContext *ctx) {
  return LLVM::LLVMPointerType::get(ctx);
}

/// The bytes of `text` and a zero byte.
static LLVM::GlobalOp createText(OpBuilder &builder, Location loc,
                                 StringRef name, StringRef text) {
  std::string bytes = text.str() + '\0';
  auto type = LLVM::LLVMArrayType::get(builder.getIntegerType(8), bytes.size());
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Internal, name,
                                builder.getStringAttr(bytes));
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

struct ConvertTable : ConvertOpToLLVMPattern<TableOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(TableOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (auto text = dyn_cast<StringAttr>(op.getValue())) {
      createText(rewriter, op.getLoc(), op.getSymName(), text.getValue());
    } else {
      auto elements = cast<DenseElementsAttr>(op.getValue());
      auto type = LLVM::LLVMArrayType::get(elements.getElementType(),
                                           elements.getNumElements());
      LLVM::GlobalOp::create(rewriter, op.getLoc(), type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, op.getSymName(),
                             elements);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct EraseComment : ConvertOpToLLVMPattern<CommentOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(CommentOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertNull : ConvertOpToLLVMPattern<NullOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(NullOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ZeroOp>(op, getPointer(getContext()));
    return success();
  }
};

struct ConvertIsSet : ConvertOpToLLVMPattern<IsSetOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(IsSetOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value null =
        LLVM::ZeroOp::create(rewriter, op.getLoc(), getPointer(getContext()));
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::ne,
                                              adaptor.getPointer(), null);
    return success();
  }
};

struct ConvertString : ConvertOpToLLVMPattern<StringOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(StringOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto module = op->getParentOfType<ModuleOp>();
    std::string name;
    for (unsigned number = 0;; ++number) {
      name = "text_" + std::to_string(number);
      if (!module.lookupSymbol(name))
        break;
    }
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(module.getBody());
      createText(rewriter, op.getLoc(), name, op.getValue());
    }
    rewriter.replaceOpWithNewOp<LLVM::AddressOfOp>(op, getPointer(getContext()),
                                                   name);
    return success();
  }
};

struct ConvertTableAddress : ConvertOpToLLVMPattern<TableAddressOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(TableAddressOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::AddressOfOp>(op, getPointer(getContext()),
                                                   op.getTable());
    return success();
  }
};

/// Where the element `index` of an array of `type` is.
Value getElement(ConversionPatternRewriter &rewriter, Location loc, Type type,
                 Value base, Value index) {
  return LLVM::GEPOp::create(rewriter, loc, getPointer(type.getContext()), type,
                             base, ArrayRef<LLVM::GEPArg>{index});
}

struct ConvertTableLoad : ConvertOpToLLVMPattern<TableLoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(TableLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value table = LLVM::AddressOfOp::create(
        rewriter, op.getLoc(), getPointer(getContext()), op.getTable());
    Value place = getElement(rewriter, op.getLoc(), op.getType(), table,
                             adaptor.getIndex());
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, op.getType(), place);
    return success();
  }
};

/// Where a field of a structure is, and its type.
FailureOr<std::pair<Value, Type>>
getField(ConversionPatternRewriter &rewriter, Operation *op,
         const LLVMTypeConverter &converter, Value pointer,
         FlatSymbolRefAttr record, StringRef field) {
  auto structure = SymbolTable::lookupNearestSymbolFrom<StructOp>(op, record);
  std::optional<unsigned> index =
      structure ? structure.lookup(field) : std::nullopt;
  SmallVector<Type> types;
  if (!index ||
      failed(converter.convertTypes(
          llvm::to_vector(structure.getTypes().getAsValueRange<TypeAttr>()),
          types)))
    return failure();
  auto type = LLVM::LLVMStructType::getLiteral(op->getContext(), types);
  Value place = LLVM::GEPOp::create(
      rewriter, op->getLoc(), getPointer(op->getContext()), type, pointer,
      ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(*index)});
  return std::make_pair(place, types[*index]);
}

struct ConvertGetField : ConvertOpToLLVMPattern<GetFieldOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(GetFieldOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto field =
        getField(rewriter, op, *getTypeConverter(), adaptor.getPointer(),
                 op.getRecordAttr(), op.getField());
    if (failed(field))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, field->second, field->first);
    return success();
  }
};

struct ConvertSetField : ConvertOpToLLVMPattern<SetFieldOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(SetFieldOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto field =
        getField(rewriter, op, *getTypeConverter(), adaptor.getPointer(),
                 op.getRecordAttr(), op.getField());
    if (failed(field))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, adaptor.getValue(),
                                               field->first);
    return success();
  }
};

struct ConvertLoad : ConvertOpToLLVMPattern<LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    Value place = getElement(rewriter, op.getLoc(), type, adaptor.getPointer(),
                             adaptor.getIndex());
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, type, place);
    return success();
  }
};

struct ConvertStore : ConvertOpToLLVMPattern<StoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value value = adaptor.getValue();
    Value place = getElement(rewriter, op.getLoc(), value.getType(),
                             adaptor.getPointer(), adaptor.getIndex());
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, value, place);
    return success();
  }
};

struct ConvertOffset : ConvertOpToLLVMPattern<OffsetOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(OffsetOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, getElement(rewriter, op.getLoc(), rewriter.getIntegerType(8),
                       adaptor.getPointer(), adaptor.getBytes()));
    return success();
  }
};

/// A call of a C function, which is declared where it is first called.
FailureOr<LLVM::CallOp> callFunction(ConversionPatternRewriter &rewriter,
                                     Operation *op, StringRef name,
                                     ValueRange operands, Type result) {
  auto module = op->getParentOfType<ModuleOp>();
  FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
      rewriter, module, name, llvm::to_vector(operands.getTypes()), result);
  if (failed(function))
    return failure();
  return LLVM::CallOp::create(rewriter, op->getLoc(), *function, operands);
}

struct ConvertCuda : ConvertOpToLLVMPattern<CudaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(CudaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!function)
      return rewriter.notifyMatchFailure(op, "is in no function");
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    // What is returned through pointers has room on the stack, taken once
    // however often the call is made.
    SmallVector<Value> operands;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&function.getFunctionBody().front());
      Value one = LLVM::ConstantOp::create(rewriter, loc,
                                           rewriter.getI32IntegerAttr(1));
      for (Type type : ArrayRef(types).drop_front())
        operands.push_back(LLVM::AllocaOp::create(
            rewriter, loc, getPointer(getContext()), type, one));
    }
    size_t numOutputs = operands.size();
    llvm::append_range(operands, adaptor.getOperands());
    FailureOr<LLVM::CallOp> call =
        callFunction(rewriter, op, stringifyCudaFunction(op.getFunction()),
                     operands, rewriter.getI32Type());
    if (failed(call))
      return failure();
    SmallVector<Value> results = {call->getResult()};
    for (size_t i = 0; i < numOutputs; ++i)
      results.push_back(
          LLVM::LoadOp::create(rewriter, loc, types[i + 1], operands[i]));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ConvertCall : ConvertOpToLLVMPattern<CallOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(CallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type result = LLVM::LLVMVoidType::get(getContext());
    if (op.getResult())
      result = getTypeConverter()->convertType(op.getResult().getType());
    FailureOr<LLVM::CallOp> call = callFunction(rewriter, op, op.getCallee(),
                                                adaptor.getOperands(), result);
    if (failed(call))
      return failure();
    rewriter.replaceOp(op, *call);
    return success();
  }
};

} // namespace

void lane::populateHostToLLVMPatterns(LLVMTypeConverter &converter,
                                      RewritePatternSet &patterns) {
  converter.addConversion([](host::PointerType type) -> Type {
    return getPointer(type.getContext());
  });
  patterns.add<ConvertTable, EraseComment, ConvertNull, ConvertIsSet,
               ConvertString, ConvertTableAddress, ConvertTableLoad,
               ConvertGetField, ConvertSetField, ConvertLoad, ConvertStore,
               ConvertOffset, ConvertCuda, ConvertCall>(converter);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertHostToLLVMPass
    : public lane::impl::ConvertHostToLLVMPassBase<ConvertHostToLLVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // What is the program's own must not meet another program's.
    auto internal =
        LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal);
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPrivate() && !function.isExternal())
        function->setAttr("llvm.linkage", internal);

    LLVMTypeConverter converter(&getContext());
    RewritePatternSet patterns(&getContext());
    populateHostToLLVMPatterns(converter, patterns);
    populateSCFToControlFlowConversionPatterns(patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp, StructOp, InterfaceOp>();
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    // What says how others are laid out is of use to the end.
    for (Operation &op :
         llvm::make_early_inc_range(module.getBody()->getOperations()))
      if (isa<StructOp, InterfaceOp>(op))
        op.erase();
  }
};
} // namespace

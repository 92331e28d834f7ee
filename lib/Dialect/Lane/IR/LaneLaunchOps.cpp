//===- LaneLaunchOps.cpp - Kernel launches --------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers, read accesses and custom assembly of launches.
//
//===----------------------------------------------------------------------===//

#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "lane/Support/Bytes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace lane;

//===----------------------------------------------------------------------===//
// Custom assembly, before the generated definitions that call it
//===----------------------------------------------------------------------===//

/// operands ::= inputs outputs?
/// inputs ::= `ins` `(` (input (`,` input)*)? `)`
/// input ::= operand `:` type (`gather` | `expert` (`(` integer `of`
///           integer `)`)?)?
/// outputs ::= `outs` `(` operand `:` type (`,` operand `:` type)* `)`
static ParseResult
parseLaunchOperands(OpAsmParser &parser,
                    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &inputs,
                    SmallVectorImpl<Type> &inputTypes,
                    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &outputs,
                    SmallVectorImpl<Type> &outputTypes, ArrayAttr &access) {
  MLIRContext *ctx = parser.getContext();
  SmallVector<Attribute> accesses;
  bool allDense = true;
  auto parseInput = [&]() -> ParseResult {
    if (parser.parseOperand(inputs.emplace_back()) ||
        parser.parseColonType(inputTypes.emplace_back()))
      return failure();
    AccessKind kind = AccessKind::Dense;
    int64_t active = 0, experts = 0;
    SMLoc loc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalKeyword("gather"))) {
      kind = AccessKind::Gather;
    } else if (succeeded(parser.parseOptionalKeyword("expert"))) {
      kind = AccessKind::Expert;
      if (succeeded(parser.parseOptionalLParen()))
        if (parser.parseInteger(active) || parser.parseKeyword("of") ||
            parser.parseInteger(experts) || parser.parseRParen())
          return failure();
    }
    allDense &= kind == AccessKind::Dense;
    auto attr = parser.getChecked<AccessAttr>(loc, ctx, kind, active, experts);
    accesses.push_back(attr);
    return success(attr != nullptr);
  };
  auto parseOutput = [&]() -> ParseResult {
    return failure(parser.parseOperand(outputs.emplace_back()) ||
                   parser.parseColonType(outputTypes.emplace_back()));
  };
  if (parser.parseKeyword("ins") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseInput))
    return failure();
  if (!allDense)
    access = ArrayAttr::get(ctx, accesses);
  if (failed(parser.parseOptionalKeyword("outs")))
    return success();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                        parseOutput);
}

static void printLaunchOperands(OpAsmPrinter &printer, KernelLaunchOp op,
                                OperandRange inputs, TypeRange inputTypes,
                                OperandRange outputs, TypeRange outputTypes,
                                ArrayAttr access) {
  printer << "ins(";
  llvm::interleaveComma(llvm::enumerate(inputs), printer, [&](auto input) {
    printer << input.value() << " : " << input.value().getType();
    ReadAccess read = op.getReadAccess(op->getOpOperand(input.index()));
    if (read.kind == AccessKind::Dense)
      return;
    printer << ' ' << stringifyAccessKind(read.kind);
    if (read.experts != 0)
      printer << '(' << read.active << " of " << read.experts << ')';
  });
  printer << ')';
  if (outputs.empty())
    return;
  printer << " outs(";
  llvm::interleaveComma(outputs, printer, [&](Value output) {
    printer << output << " : " << output.getType();
  });
  printer << ')';
}

/// stack-types ::= up-type `,` (gate-type `,`)? down-type
///
/// The parsed operands determine whether there is a gate type.
static ParseResult
parseMoeStackTypes(OpAsmParser &parser,
                   const std::optional<OpAsmParser::UnresolvedOperand> &gate,
                   Type &upType, Type &gateType, Type &downType) {
  if (parser.parseType(upType) || parser.parseComma())
    return failure();
  if (gate && (parser.parseType(gateType) || parser.parseComma()))
    return failure();
  return parser.parseType(downType);
}

static void printMoeStackTypes(OpAsmPrinter &printer, MoeOp, Value gate,
                               Type upType, Type gateType, Type downType) {
  printer << upType << ", ";
  if (gate)
    printer << gateType << ", ";
  printer << downType;
}

#define GET_OP_CLASSES
#include "lane/Dialect/Lane/IR/LaneOps.cpp.inc"

static ArrayRef<int64_t> getShape(Value buffer) {
  if (auto matrix = dyn_cast<MatrixType>(buffer.getType()))
    return matrix.getShape();
  return cast<BufferType>(buffer.getType()).getShape();
}

static int64_t getNumElements(Value buffer) {
  if (auto matrix = dyn_cast<MatrixType>(buffer.getType()))
    return matrix.getLength();
  return cast<BufferType>(buffer.getType()).getLength();
}

//===----------------------------------------------------------------------===//
// GatherOp
//===----------------------------------------------------------------------===//

ReadAccess GatherOp::getReadAccess(OpOperand &operand) {
  if (&operand == &getTableMutable())
    return {AccessKind::Gather};
  return {};
}

LogicalResult GatherOp::verify() {
  ArrayRef<int64_t> table = getShape(getTable());
  std::optional<int64_t> expected =
      checkedMulBytes(getNumElements(getIndices()), table.back());
  if (getNumElements(getOutput()) != expected)
    return emitOpError() << "gathers " << getNumElements(getIndices())
                         << " rows of " << table.back() << " into "
                         << getNumElements(getOutput()) << " elements";
  return success();
}

//===----------------------------------------------------------------------===//
// MatmulOp, BatchMatmulOp
//===----------------------------------------------------------------------===//

/// Checks the number of elements of an input and an output against a weight of
/// `weightRows` x `weightColumns`.
static LogicalResult verifyProduct(Operation *op, int64_t inputElements,
                                   int64_t outputElements, int64_t weightRows,
                                   int64_t weightColumns) {
  if (weightColumns == 0 || inputElements % weightColumns != 0)
    return op->emitOpError() << "input of " << inputElements
                             << " elements is not rows of " << weightColumns;
  int64_t rows = inputElements / weightColumns;
  if (outputElements != checkedMulBytes(rows, weightRows))
    return op->emitOpError()
           << "output has " << outputElements << " elements instead of " << rows
           << " rows by " << weightRows;
  return success();
}

LogicalResult MatmulOp::verify() {
  int64_t columns = getShape(getWeight()).back();
  int64_t rows = columns ? getNumElements(getWeight()) / columns : 0;
  if (getBias() && getNumElements(getBias()) != rows)
    return emitOpError() << "bias has " << getNumElements(getBias())
                         << " elements for " << rows << " rows of the weight";
  return verifyProduct(*this, getNumElements(getInput()),
                       getNumElements(getOutput()), rows, columns);
}

LogicalResult BatchMatmulOp::verify() {
  ArrayRef<int64_t> weight = getShape(getWeight());
  if (weight.size() != 3)
    return emitOpError() << "weight has " << weight.size()
                         << " dimensions instead of 3";
  // The product of all heads has the same element counts as one matmul.
  return verifyProduct(*this, getNumElements(getInput()),
                       getNumElements(getOutput()), weight[1], weight[2]);
}

//===----------------------------------------------------------------------===//
// MoeOp
//===----------------------------------------------------------------------===//

ReadAccess MoeOp::getReadAccess(OpOperand &operand) {
  int64_t experts = getShape(getUp()).front();
  auto contains = [&](MutableOperandRange range) {
    return llvm::any_of(range,
                        [&](OpOperand &other) { return &other == &operand; });
  };
  bool hasRowOfEach = &operand == &getUpMutable() ||
                      &operand == &getDownMutable() ||
                      contains(getGateMutable());
  // A vector has all experts in one row.
  if (contains(getExtraMutable()) || contains(getBiasesMutable())) {
    auto matrix = dyn_cast<MatrixType>(operand.get().getType());
    hasRowOfEach = matrix && matrix.getShape().front() == experts;
  }
  if (!hasRowOfEach)
    return {};
  return {AccessKind::Expert, static_cast<int64_t>(getActive()), experts};
}

LogicalResult MoeOp::verify() {
  ArrayRef<int64_t> up = getShape(getUp());
  SmallVector<Value, 3> stacks = {getUp(), getDown()};
  if (getGate())
    stacks.push_back(getGate());
  for (Value stack : stacks) {
    ArrayRef<int64_t> shape = getShape(stack);
    if (shape.size() != 3)
      return emitOpError() << "a stack of experts has " << shape.size()
                           << " dimensions instead of 3";
    if (shape[0] != up[0])
      return emitOpError() << "stacks have " << up[0] << " and " << shape[0]
                           << " experts";
  }
  if (!getBiases().empty() && getBiases().size() != stacks.size())
    return emitOpError() << "has " << getBiases().size() << " biases for "
                         << stacks.size() << " stacks";
  if (static_cast<int64_t>(getActive()) > up[0])
    return emitOpError() << "has " << getActive() << " active experts of "
                         << up[0];
  if (getNumElements(getInput()) != getNumElements(getOutput()))
    return emitOpError() << "input has " << getNumElements(getInput())
                         << " elements and output "
                         << getNumElements(getOutput());
  if (up[2] == 0 || getNumElements(getInput()) % up[2] != 0)
    return emitOpError() << "input of " << getNumElements(getInput())
                         << " elements is not rows of " << up[2];
  return success();
}

//===----------------------------------------------------------------------===//
// Launches with inputs and one output
//===----------------------------------------------------------------------===//

/// Checks that `op` has between `least` and `most` inputs.
static LogicalResult verifyInputCount(Operation *op, OperandRange inputs,
                                      size_t least, size_t most) {
  if (inputs.size() >= least && inputs.size() <= most)
    return success();
  return op->emitOpError() << "has " << inputs.size() << " inputs instead of "
                           << least << " to " << most;
}

LogicalResult NormOp::verify() {
  if (failed(verifyInputCount(*this, getInputs(), 1, 3)))
    return failure();
  if (getNumElements(getInputs().front()) != getNumElements(getOutput()))
    return emitOpError() << "input has " << getNumElements(getInputs().front())
                         << " elements and output "
                         << getNumElements(getOutput());
  return success();
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyInputCount(*this, getInputs(), 4, 6)))
    return failure();
  if (getHeads() % getKvHeads() != 0)
    return emitOpError() << getHeads() << " heads are not a multiple of "
                         << getKvHeads() << " key and value heads";
  if (getChunked() && !getWindow())
    return emitOpError() << "is chunked without a window";
  return success();
}

LogicalResult ElementwiseOp::verify() {
  return verifyInputCount(*this, getInputs(), 1, 3);
}

LogicalResult CopyOp::verify() {
  int64_t input = getNumElements(getInput());
  int64_t output = getNumElements(getOutput());
  if (getPositions() ? input > output : input != output)
    return emitOpError() << "copies " << input << " elements into " << output;
  return success();
}

//===----------------------------------------------------------------------===//
// SplitOp, JoinOp
//===----------------------------------------------------------------------===//

LogicalResult SplitOp::verify() {
  int64_t input = getNumElements(getInput()), total = 0;
  for (Value output : getOutputs()) {
    int64_t elements = getNumElements(output);
    if (elements % static_cast<int64_t>(getGroups()) != 0)
      return emitOpError() << "output of " << elements
                           << " elements is not a part of " << getGroups()
                           << " groups";
    total += elements;
  }
  if (total != input)
    return emitOpError() << "splits " << input << " elements into " << total;
  return success();
}

LogicalResult JoinOp::verify() {
  int64_t output = getNumElements(getOutput());
  auto groups = static_cast<int64_t>(getGroups());
  if (getInputs().empty() || output % groups != 0)
    return emitOpError() << "output of " << output << " elements is not "
                         << groups << " groups";
  return success();
}

//===----------------------------------------------------------------------===//
// KernelLaunchOp
//===----------------------------------------------------------------------===//

ReadAccess KernelLaunchOp::getReadAccess(OpOperand &operand) {
  unsigned index = operand.getOperandNumber();
  if (!getAccess() || index >= getInputs().size())
    return {};
  auto access = cast<AccessAttr>((*getAccess())[index]);
  return {access.getKind(), access.getActive(), access.getExperts()};
}

LogicalResult KernelLaunchOp::verify() {
  if (getAccess() && getAccess()->size() != getInputs().size())
    return emitOpError() << "has " << getAccess()->size()
                         << " access attributes for " << getInputs().size()
                         << " inputs";
  return success();
}

//===----------------------------------------------------------------------===//
// FusedOp
//===----------------------------------------------------------------------===//

void FusedOp::build(OpBuilder &builder, OperationState &state) {
  build(builder, state, /*scratch=*/ArrayAttr());
  state.regions.front()->emplaceBlock();
}

Block *FusedOp::getPartsBlock() { return &getBody().front(); }

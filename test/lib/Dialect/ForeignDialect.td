//===- ForeignDialect.td - A dialect that is not ours ------*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of an embedding compiler. They are planned like the launches of the
// lane dialect, which knows nothing of them: each shows another way to say how
// it reads, as little as can be.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TEST_LIB_DIALECT_FOREIGNDIALECT_TD
#define LANE_TEST_LIB_DIALECT_FOREIGNDIALECT_TD

include "lane/Dialect/Lane/IR/LaneInterfaces.td"
include "lane/Dialect/Lane/IR/LaneTypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Foreign_Dialect : Dialect {
  let name = "foreign";
  let cppNamespace = "::lane::test";
}

class Foreign_Op<string mnemonic, list<Trait> traits = []>
    : Op<Foreign_Dialect, mnemonic, traits>;

class Foreign_In<string description> : Arg<Lane_AnyBuffer, description, [MemRead]>;
class Foreign_Out<string description> : Arg<Lane_AnyBuffer, description, [MemWrite]>;

/// Declares its effects, and nothing else: all is read densely.
def Foreign_SpmmOp : Foreign_Op<"spmm", [Lane_LaunchOpInterface]> {
  let arguments = (ins Foreign_In<"sparse weight">:$weight,
    Foreign_In<"rows">:$input, Foreign_Out<"products">:$output);
  let assemblyFormat = [{
    $weight `,` $input `into` $output attr-dict
    `:` type($weight) `,` type($input) `,` type($output)
  }];
}

/// Gathers from one operand.
def Foreign_LookupOp : Foreign_Op<"lookup", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, ["getReadAccess"]>]> {
  let arguments = (ins Foreign_In<"the table">:$table,
    Foreign_In<"keys">:$keys, Foreign_Out<"what they name">:$output);
  let assemblyFormat = [{
    $table `,` $keys `into` $output attr-dict
    `:` type($table) `,` type($keys) `,` type($output)
  }];
}

/// Reads the chosen experts of one operand.
def Foreign_ExpertsOp : Foreign_Op<"experts", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, ["getReadAccess"]>]> {
  let arguments = (ins Foreign_In<"stack">:$stack, Foreign_In<"rows">:$input,
    Foreign_Out<"rows">:$output, I64Attr:$chosen, I64Attr:$experts);
  let assemblyFormat = [{
    $chosen `of` $experts `in` $stack `,` $input `into` $output attr-dict
    `:` type($stack) `,` type($input) `,` type($output)
  }];
}

/// A fused launch, which keeps its scratch in an attribute of its own.
def Foreign_BlockOp : Foreign_Op<"block", [
    NoRegionArguments, NoTerminator, SingleBlock, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface,
      ["getPartsBlock", "getScratchAttr", "setScratchAttr"]>]> {
  let arguments = (ins OptionalAttr<ArrayAttr>:$workspace);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`workspace` $workspace^)? attr-dict-with-keyword $body";
}

/// Knows nothing of the lane dialect: the interface is attached by an extension.
/// Its effects name values, not operands.
def Foreign_PlainOp : Foreign_Op<"plain", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins AnyType:$input, AnyType:$output);
  let assemblyFormat = [{
    $input `into` $output attr-dict `:` type($input) `,` type($output)
  }];
}

/// A launch that returns something, which none may.
def Foreign_ReturningOp : Foreign_Op<"returning", [Lane_LaunchOpInterface]> {
  let arguments = (ins Foreign_In<"rows">:$input);
  let results = (outs Index:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

/// A launch with a region that holds no parts.
def Foreign_CallbackOp : Foreign_Op<"callback", [
    NoRegionArguments, NoTerminator, SingleBlock, Lane_LaunchOpInterface]> {
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

/// No launch at all, with a region.
def Foreign_LoopOp : Foreign_Op<"loop", [
    NoRegionArguments, NoTerminator, SingleBlock]> {
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

#endif // LANE_TEST_LIB_DIALECT_FOREIGNDIALECT_TD

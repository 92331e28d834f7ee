//===- ForeignDialect.td - A dialect outside of Lane -------*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of an embedding compiler. They are planned like the launches of the
// lane dialect, which does not know them. Each uses another way to implement the
// interface, with minimal code.
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

/// Only declares its effects: all reads are dense.
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
    Foreign_In<"keys">:$keys, Foreign_Out<"values of the keys">:$output);
  let assemblyFormat = [{
    $table `,` $keys `into` $output attr-dict
    `:` type($table) `,` type($keys) `,` type($output)
  }];
}

/// Reads the active experts of one operand.
def Foreign_ExpertsOp : Foreign_Op<"experts", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, ["getReadAccess"]>]> {
  let arguments = (ins Foreign_In<"stack">:$stack, Foreign_In<"rows">:$input,
    Foreign_Out<"rows">:$output, I64Attr:$active, I64Attr:$experts);
  let assemblyFormat = [{
    $active `of` $experts `in` $stack `,` $input `into` $output attr-dict
    `:` type($stack) `,` type($input) `,` type($output)
  }];
}

/// A fused launch that stores its scratch in an attribute of its own.
def Foreign_BlockOp : Foreign_Op<"block", [
    NoRegionArguments, NoTerminator, SingleBlock, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface,
      ["getPartsBlock", "getScratchAttr", "setScratchAttr"]>]> {
  let arguments = (ins OptionalAttr<ArrayAttr>:$workspace);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`workspace` $workspace^)? attr-dict-with-keyword $body";
}

/// Does not depend on the lane dialect: an extension attaches the interface. Its
/// effects refer to values, not operands.
def Foreign_PlainOp : Foreign_Op<"plain", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins AnyType:$input, AnyType:$output);
  let assemblyFormat = [{
    $input `into` $output attr-dict `:` type($input) `,` type($output)
  }];
}

/// A launch with a result, which is invalid.
def Foreign_ReturningOp : Foreign_Op<"returning", [Lane_LaunchOpInterface]> {
  let arguments = (ins Foreign_In<"rows">:$input);
  let results = (outs Index:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

/// A launch with a region that is not a parts block.
def Foreign_CallbackOp : Foreign_Op<"callback", [
    NoRegionArguments, NoTerminator, SingleBlock, Lane_LaunchOpInterface]> {
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

/// An operation with a region that is not a launch.
def Foreign_LoopOp : Foreign_Op<"loop", [
    NoRegionArguments, NoTerminator, SingleBlock]> {
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

#endif // LANE_TEST_LIB_DIALECT_FOREIGNDIALECT_TD

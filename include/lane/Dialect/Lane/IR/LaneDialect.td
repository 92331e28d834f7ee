//===- LaneDialect.td - The lane dialect -------------------*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_IR_LANEDIALECT_TD
#define LANE_DIALECT_LANE_IR_LANEDIALECT_TD

include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Lane_Dialect : Dialect {
  let name = "lane";
  let cppNamespace = "::lane";
  let summary = "Compiled inference of a language model: forms, buffers, launches";
  let description = [{
    A *lane program* is the inference of an LLM after kernel selection: one or
    more *forms* (decode, prefill, batch) that share constants and carried
    state. In a form, every SSA value is a *buffer*. Every other operation is a
    kernel *launch*, which reads and writes buffers and has no results. The
    dialect models only what a residence planner needs: which checkpoint rows a
    matrix has, how each launch reads it, which buffers need their own bytes,
    and the order of the launches.

    ```mlir
    lane.program @tiny context(4096) numerics(one_pass) {
      lane.matrix @token_embd.weight : !lane.matrix<32000x256xq8_0>
        rows [#lane.rows<file = 0, offset = 4096, count = 32000>]
      lane.form @decode decode rows(1) {
        %ids = lane.param "ids" plain <pool> : !lane.buffer<1xi32>
        %x = lane.alloc "x" plain <arena> : !lane.buffer<1x256xf32>
        %e = lane.ref @token_embd.weight : !lane.matrix<32000x256xq8_0>
        lane.gather %ids of %e into %x
          : !lane.buffer<1xi32>, !lane.matrix<32000x256xq8_0>, !lane.buffer<1x256xf32>
      }
    }
    ```

    The passes `residence-plan` and `residence-place` store their results in
    the attributes `plan`, `residence`, `shares`, `placement` and `extents`.

    Operations of other dialects may have `lane.scratch`, the scratch of a
    launch. `convert-linalg-to-lane` reads `lane.files` on a module,
    `lane.prefill_rows` or `lane.batch_rows` on a function, `lane.type` and
    `lane.rows` on a constant or an argument, and `lane.weight`, `lane.state`
    or `lane.position` on an argument.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class Lane_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::lane";
}

def Lane_FormKind : Lane_I32Enum<"FormKind", "kind of a form", [
  I32EnumAttrCase<"Decode", 0, "decode">,
  I32EnumAttrCase<"Prefill", 1, "prefill">,
  I32EnumAttrCase<"Batch", 2, "batch">]>;

def Lane_Numerics : Lane_I32Enum<"Numerics", "numerics of a program", [
  I32EnumAttrCase<"OnePass", 0, "one_pass">,
  I32EnumAttrCase<"TwoPass", 1, "two_pass">]>;

def Lane_MatrixClass : Lane_I32Enum<"MatrixClass", "class of an upload", [
  I32EnumAttrCase<"Gather", 0, "gather">,
  I32EnumAttrCase<"Expert", 1, "expert">,
  I32EnumAttrCase<"Other", 2, "other">]>;

def Lane_AccessKind : Lane_I32Enum<"AccessKind", "how a launch reads an operand", [
  I32EnumAttrCase<"Dense", 0, "dense">,
  I32EnumAttrCase<"Gather", 1, "gather">,
  I32EnumAttrCase<"Expert", 2, "expert">]>;

def Lane_ArrayKind : Lane_I32Enum<"ArrayKind", "array of a buffer", [
  I32EnumAttrCase<"Plain", 0, "plain">,
  I32EnumAttrCase<"Quants", 1, "quants">,
  I32EnumAttrCase<"Scales", 2, "scales">,
  I32EnumAttrCase<"LowQuants", 3, "low_quants">]>;

def Lane_PlacementPolicy : Lane_I32Enum<"PlacementPolicy", "which uploads leave the device", [
  I32EnumAttrCase<"LastRead", 0, "last_read">,
  I32EnumAttrCase<"LeastTraffic", 1, "least_traffic">]>;

def Lane_NormKind : Lane_I32Enum<"NormKind", "kind of a normalization", [
  I32EnumAttrCase<"Rms", 0, "rms">,
  I32EnumAttrCase<"Layer", 1, "layer">,
  I32EnumAttrCase<"L2", 2, "l2">]>;

def Lane_RopeKind : Lane_I32Enum<"RopeKind", "layout of the rotated pairs", [
  I32EnumAttrCase<"Normal", 0, "normal">,
  I32EnumAttrCase<"Neox", 1, "neox">]>;

def Lane_ElementwiseKind : Lane_I32Enum<"ElementwiseKind", "elementwise function", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Mul", 1, "mul">,
  I32EnumAttrCase<"Scale", 2, "scale">,
  I32EnumAttrCase<"Silu", 3, "silu">,
  I32EnumAttrCase<"Gelu", 4, "gelu">,
  I32EnumAttrCase<"Sigmoid", 5, "sigmoid">,
  I32EnumAttrCase<"Softplus", 6, "softplus">,
  I32EnumAttrCase<"Tanh", 7, "tanh">,
  I32EnumAttrCase<"Softcap", 8, "softcap">,
  I32EnumAttrCase<"SwiGlu", 9, "swiglu">,
  I32EnumAttrCase<"GeGlu", 10, "geglu">,
  I32EnumAttrCase<"SwiGluOai", 11, "swiglu_oai">]>;

def Lane_MoeGating : Lane_I32Enum<"MoeGating", "weights of experts from their scores", [
  I32EnumAttrCase<"Softmax", 0, "softmax">,
  I32EnumAttrCase<"Sigmoid", 1, "sigmoid">,
  I32EnumAttrCase<"SoftmaxOfActive", 2, "softmax_of_active">,
  I32EnumAttrCase<"SigmoidOfInput", 3, "sigmoid_of_input">]>;

def Lane_RecurrentKind : Lane_I32Enum<"RecurrentKind", "kind of a recurrence", [
  I32EnumAttrCase<"Convolution", 0, "convolution">,
  I32EnumAttrCase<"SelectiveScan", 1, "selective_scan">,
  I32EnumAttrCase<"GatedDelta", 2, "gated_delta">]>;

def Lane_SampleKind : Lane_I32Enum<"SampleKind", "how a token is sampled", [
  I32EnumAttrCase<"Argmax", 0, "argmax">,
  I32EnumAttrCase<"TopK", 1, "top_k">]>;

#endif // LANE_DIALECT_LANE_IR_LANEDIALECT_TD

//===- LaneLaunchOps.td - Launches of the lane dialect -----*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by LaneOps.td. The operands of a launch are buffers with memory
// effects; LaunchOpInterface has how each operand is read.
//
//===----------------------------------------------------------------------===//

class Lane_LaunchOp<string mnemonic, list<Trait> traits = []>
    : Lane_Op<mnemonic, traits>;

class Lane_In<string description> : Arg<Lane_AnyBuffer, description, [Lane_Read]>;
class Lane_Out<string description> : Arg<Lane_AnyBuffer, description, [Lane_Write]>;
def Lane_Scratch : OptionalAttr<Lane_ScratchArrayAttr>;

/// The effect of a launch that may write none of its operands. It is on no
/// value, and keeps clean-up passes from erasing the launch, which the plan
/// counts.
def Lane_UnnamedWrite : MemoryEffects<[MemWrite<Lane_DeviceMemory>]>;

def Lane_GatherOp : Lane_LaunchOp<"gather", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, ["getReadAccess"]>]> {
  let summary = "reads rows of a table by index";
  let description = [{
    Row `i` of `output` is row `indices[i]` of `table`. Only those rows of the
    table are read.

    ```mlir
    lane.gather %ids of %embd into %x
      : !lane.buffer<1xi32>, !lane.matrix<32000x256xq8_0>, !lane.buffer<1x256xf32>
    ```
  }];
  let arguments = (ins Lane_In<"row numbers">:$indices,
    Lane_In<"the table">:$table, Lane_Out<"one row for each index">:$output,
    Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $indices `of` $table `into` $output (`scratch` $scratch^)? attr-dict
    `:` type($indices) `,` type($table) `,` type($output)
  }];
  let hasVerifier = 1;
}

def Lane_MatmulOp : Lane_LaunchOp<"matmul", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, []>]> {
  let summary = "multiplies by a transposed weight matrix";
  let description = [{
    `output[r][n] = sum over k of input[r][k] * weight[n][k]`, plus `bias[n]`
    if there is a bias. The whole weight is read.

    ```mlir
    lane.matmul %x by %w into %y
      : !lane.buffer<1x1024xf32>, !lane.matrix<2048x1024xq8_0> -> !lane.buffer<1x2048xf32>
    lane.matmul %x by %w plus %b into %y
      : !lane.buffer<1x1024xf32>, !lane.matrix<2048x1024xq8_0>, !lane.buffer<2048xf32> -> !lane.buffer<1x2048xf32>
    ```
  }];
  let arguments = (ins Lane_In<"rows">:$input, Lane_In<"the weight">:$weight,
    Arg<Optional<Lane_AnyBuffer>, "added to each row", [Lane_Read]>:$bias, Lane_Out<"products">:$output,
    Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $input `by` $weight (`plus` $bias^)? `into` $output (`scratch` $scratch^)?
    attr-dict `:` type($input) `,` type($weight) (`,` type($bias)^)? `->` type($output)
  }];
  let hasVerifier = 1;
}

def Lane_BatchMatmulOp : Lane_LaunchOp<"batch_matmul", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, []>]> {
  let summary = "one matmul per head";
  let description = [{
    A matmul in attention: for each head `h`, the rows of `input` of that head
    times matrix `h` of the stack. The whole stack is read. Its first dimension
    counts heads, not experts.

    ```mlir
    lane.batch_matmul %q by %kb into %y
      : !lane.buffer<1x128x192xf32>, !lane.matrix<128x512x192xq8_0> -> !lane.buffer<1x128x512xf32>
    ```
  }];
  let arguments = (ins Lane_In<"rows of each head">:$input,
    Lane_In<"one matrix per head">:$weight, Lane_Out<"products of each head">:$output,
    Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $input `by` $weight `into` $output (`scratch` $scratch^)? attr-dict
    `:` type($input) `,` type($weight) `->` type($output)
  }];
  let hasVerifier = 1;
}

def Lane_MoeOp : Lane_LaunchOp<"moe", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, ["getReadAccess"]>]> {
  let summary = "applies a mixture of experts";
  let description = [{
    For each row of `input`, applies the `active` experts with the highest
    scores in `router` and sums their results by weight. An expert has an `up`,
    a `gate` and a `down` matrix; without `gate`, `up` contains both, one after
    the other. Only the active experts of each stack are read. `biases`
    are added to the results of the stacks, one for each stack in the order up, gate,
    down. `extra` are scales of the experts. A matrix among both has a row for each
    expert, and only the rows of active experts are read. `selection_bias` is added
    to the weights to select experts, and is not part of their weights.

    The weights of the active experts are the softmax or the sigmoid of all
    scores, or the softmax of the scores of the active experts; then, if
    `normalized`, they are divided by their sum; and multiplied by `scale`, which
    is 1 if it is not there. With `sigmoid_of_input`, an expert's input is
    multiplied by its sigmoid, and its result by 1. With the gate `g` and `u` of `up`, an expert's
    result is `down * activation(g, u)`.

    ```mlir
    lane.moe %x routed %r up %u gate %g down %d into %y active(8)
      : !lane.buffer<1x2048xf32>, !lane.buffer<1x128xf32>, !lane.matrix<128x768x2048xq4_K>,
        !lane.matrix<128x768x2048xq4_K>, !lane.matrix<128x2048x768xq6_K> -> !lane.buffer<1x2048xf32>
    lane.moe %x routed %r up %u gate %g down %d into %y active(8) gating(sigmoid) normalized scale(2.5)
      : !lane.buffer<1x2048xf32>, !lane.buffer<1x128xf32>, !lane.matrix<128x768x2048xq4_K>,
        !lane.matrix<128x768x2048xq4_K>, !lane.matrix<128x2048x768xq6_K> -> !lane.buffer<1x2048xf32>
    ```
  }];
  let arguments = (ins Lane_In<"rows">:$input, Lane_In<"scores of each expert">:$router,
    Lane_In<"stack of up projections">:$up,
    Arg<Optional<Lane_AnyBuffer>, "stack of gate projections", [Lane_Read]>:$gate,
    Lane_In<"stack of down projections">:$down,
    Arg<Optional<Lane_AnyBuffer>, "added to scores to select experts", [Lane_Read]>:$selection_bias,
    Arg<Variadic<Lane_AnyBuffer>, "biases of the experts", [Lane_Read]>:$biases,
    Arg<Variadic<Lane_AnyBuffer>, "scales of the experts", [Lane_Read]>:$extra,
    Lane_Out<"rows">:$output,
    ConfinedAttr<I64Attr, [IntPositive]>:$active,
    DefaultValuedAttr<Lane_MoeGating, "::lane::MoeGating::Softmax">:$gating,
    UnitAttr:$normalized, OptionalAttr<F64Attr>:$scale,
    DefaultValuedAttr<Lane_ElementwiseKind, "::lane::ElementwiseKind::SwiGlu">:$activation,
    Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $input `routed` $router `up` $up (`gate` $gate^)? `down` $down
    (`selection_bias` `(` $selection_bias^ `:` type($selection_bias) `)`)?
    (`biases` `(` $biases^ `:` type($biases) `)`)?
    (`extra` `(` $extra^ `:` type($extra) `)`)? `into` $output
    `active` `(` $active `)` (`gating` `(` $gating^ `)`)?
    (`normalized` $normalized^)? (`scale` `(` $scale^ `)`)?
    (`activation` `(` $activation^ `)`)? (`scratch` $scratch^)? attr-dict
    `:` type($input) `,` type($router) `,`
    custom<MoeStackTypes>(ref($gate), type($up), type($gate), type($down))
    `->` type($output)
  }];
  let hasVerifier = 1;
}

def Lane_NormOp : Lane_LaunchOp<"norm", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, []>]> {
  let summary = "normalizes rows";
  let description = [{
    Normalizes groups of `length` elements of the input, then multiplies by the
    weights and adds the bias, if given. The default `length` is that of the
    weights, or of a row without weights. Of the elements `x` of a group,

    - `rms` is `x / sqrt(mean(x * x) + epsilon)`,
    - `layer` is `(x - mean(x)) / sqrt(variance(x) + epsilon)`,
    - `l2` is `x / max(sqrt(sum(x * x)), epsilon)`.

    ```mlir
    lane.norm rms ins(%x, %w : !lane.buffer<1x1024xf32>, !lane.buffer<1024xf32>)
      outs(%y : !lane.buffer<1x1024xf32>) epsilon(1.0e-6)
    lane.norm l2 ins(%x : !lane.buffer<1x1024xf32>)
      outs(%y : !lane.buffer<1x1024xf32>) epsilon(1.0e-6) length(128)
    ```
  }];
  let arguments = (ins Lane_NormKind:$kind,
    Arg<Variadic<Lane_AnyBuffer>, "input, weights, bias", [Lane_Read]>:$inputs,
    Lane_Out<"rows">:$output, F64Attr:$epsilon,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$length,
    Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $kind `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $output `:` type($output) `)` `epsilon` `(` $epsilon `)`
    (`length` `(` $length^ `)`)? (`scratch` $scratch^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Lane_RopeOp : Lane_LaunchOp<"rope", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, []>]> {
  let summary = "applies a rotary position embedding";
  let description = [{
    Rotates the first `dimensions` elements of each head of `input` by the
    position of the row. A head has `head_length` elements, by default
    `dimensions`. `normal` rotates pairs of neighbours, `neox` pairs of an element
    of the first half and one of the second.

    Pair `i` rotates by `position * position_scale * base^(-2 * i / dimensions)`,
    divided by `factors[i]`. The result is multiplied by `magnitude`. Both are 1 if
    they are not there. With `ramp [low, high]`, as YaRN has it, the scale of pair
    `i` is 1 up to `low`, `position_scale` from `high` on, and linear in between.

    ```mlir
    lane.rope neox %q at %pos into %y dimensions(128) base(1.0e6)
      : !lane.buffer<1x16x128xf32>, !lane.buffer<1xi32> -> !lane.buffer<1x16x128xf32>
    lane.rope normal %q at %pos into %y dimensions(64) base(1.0e6) head_length(128)
        position_scale(0.25) ramp [8.0, 20.0] magnitude(1.14)
      : !lane.buffer<1x16x128xf32>, !lane.buffer<1xi32> -> !lane.buffer<1x16x128xf32>
    ```
  }];
  let arguments = (ins Lane_RopeKind:$kind, Lane_In<"rows of heads">:$input,
    Lane_In<"position of each row">:$positions,
    Arg<Optional<Lane_AnyBuffer>, "divisors of the frequencies", [Lane_Read]>:$factors,
    Lane_Out<"rows of heads">:$output,
    ConfinedAttr<I64Attr, [IntPositive]>:$dimensions, F64Attr:$base,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$head_length,
    OptionalAttr<F64Attr>:$position_scale,
    OptionalAttr<ConfinedAttr<DenseF64ArrayAttr, [DenseArrayCount<2>]>>:$ramp,
    OptionalAttr<F64Attr>:$magnitude, Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $kind $input `at` $positions (`factors` $factors^)? `into` $output
    `dimensions` `(` $dimensions `)` `base` `(` $base `)`
    (`head_length` `(` $head_length^ `)`)?
    (`position_scale` `(` $position_scale^ `)`)? (`ramp` $ramp^)?
    (`magnitude` `(` $magnitude^ `)`)? (`scratch` $scratch^)? attr-dict `:` type($input) `,` type($positions) (`,` type($factors)^)?
    `->` type($output)
  }];
}

def Lane_AttentionOp : Lane_LaunchOp<"attention", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, []>]> {
  let summary = "attends over cached keys and values";
  let description = [{
    Attention of `heads` query heads over the cached keys and values up to the
    position of each row. With `window`, a row attends only to the last
    `window` positions; with `chunked`, only to positions in its own chunk of
    `window` positions. The inputs after the positions are sinks and biases.
    A cache with fewer rows than the context is a ring: position `p` is in row
    `p` modulo the number of rows.

    The score of a position is the dot product of query and key, times `scale`,
    by default `1 / sqrt(length of a key)`; with `softcap`, it becomes
    `softcap * tanh(score / softcap)`. The weights of the values are the softmax of
    the scores. A sink is one more score of a head, without a value.

    ```mlir
    lane.attention ins(%q, %k, %v, %pos : !lane.buffer<1x16x128xf32>,
        !lane.buffer<4096x8x128xf16>, !lane.buffer<4096x8x128xf16>, !lane.buffer<1xi32>)
      outs(%y : !lane.buffer<1x2048xf32>) heads(16) kv_heads(8)
    lane.attention ins(%q, %k, %v, %pos : !lane.buffer<1x16x128xf32>,
        !lane.buffer<4096x8x128xf16>, !lane.buffer<4096x8x128xf16>, !lane.buffer<1xi32>)
      outs(%y : !lane.buffer<1x2048xf32>) heads(16) kv_heads(8) window(1024) scale(0.0625) softcap(50.0)
    ```
  }];
  let arguments = (ins
    Arg<Variadic<Lane_AnyBuffer>, "query, keys, values, positions, then sinks and biases", [Lane_Read]>:$inputs,
    Lane_Out<"rows">:$output,
    ConfinedAttr<I64Attr, [IntPositive]>:$heads,
    ConfinedAttr<I64Attr, [IntPositive]>:$kv_heads,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$window,
    UnitAttr:$chunked, OptionalAttr<F64Attr>:$scale,
    OptionalAttr<F64Attr>:$softcap, Lane_Scratch:$scratch);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $output `:` type($output) `)`
    `heads` `(` $heads `)` `kv_heads` `(` $kv_heads `)` (`window` `(` $window^ `)`)?
    (`chunked` $chunked^)? (`scale` `(` $scale^ `)`)?
    (`softcap` `(` $softcap^ `)`)? (`scratch` $scratch^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Lane_ElementwiseOp : Lane_LaunchOp<"elementwise", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, []>]> {
  let summary = "applies an elementwise function";
  let description = [{
    Applies the function to the inputs element by element. An input of one row is
    repeated for each row of the output; one of one element for each row, for each
    column. `scale` is `x * factor`, and `softcap` is `factor * tanh(x / factor)`.

    Of a gate `g`, which is the first input, and `u`, `swiglu` is `silu(g) * u`,
    `geglu` is `gelu(g) * u`, and `swiglu_oai` is
    `min(g, 7) * sigmoid(1.702 * min(g, 7)) * (clamp(u, -7, 7) + 1)`. `gelu` is the
    approximation with tanh.

    ```mlir
    lane.elementwise add ins(%a, %b : !lane.buffer<1x1024xf32>, !lane.buffer<1x1024xf32>)
      outs(%y : !lane.buffer<1x1024xf32>)
    lane.elementwise scale ins(%a : !lane.buffer<1x1024xf32>)
      outs(%y : !lane.buffer<1x1024xf32>) factor(32.0)
    ```
  }];
  let arguments = (ins Lane_ElementwiseKind:$kind,
    Arg<Variadic<Lane_AnyBuffer>, "inputs", [Lane_Read]>:$inputs,
    Lane_Out<"result">:$output, OptionalAttr<F64Attr>:$factor,
    Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $kind `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $output `:` type($output) `)` (`factor` `(` $factor^ `)`)?
    (`scratch` $scratch^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Lane_RecurrentOp : Lane_LaunchOp<"recurrent", [
    AttrSizedOperandSegments, Lane_UnnamedWrite,
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, []>]> {
  let summary = "computes one step of a recurrence";
  let description = [{
    A short convolution or a state-space step. It reads its inputs and the
    carried state, and writes the output and the new state.

    ```mlir
    lane.recurrent convolution ins(%x, %w : !lane.buffer<1x8192xf32>, !lane.matrix<8192x4xf32>)
      state(%s : !lane.buffer<3x8192xf32>) outs(%y : !lane.buffer<1x8192xf32>)
    ```
  }];
  let arguments = (ins Lane_RecurrentKind:$kind,
    Arg<Variadic<Lane_AnyBuffer>, "inputs", [Lane_Read]>:$inputs,
    Arg<Variadic<Lane_AnyBuffer>, "carried state", [Lane_Read, Lane_Write]>:$state,
    Arg<Variadic<Lane_AnyBuffer>, "results", [Lane_Write]>:$outputs,
    Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $kind `ins` `(` $inputs `:` type($inputs) `)` `state` `(` $state `:` type($state) `)`
    `outs` `(` $outputs `:` type($outputs) `)` (`scratch` $scratch^)? attr-dict
  }];
}

def Lane_CopyOp : Lane_LaunchOp<"copy", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, []>]> {
  let summary = "copies a buffer, converting its elements";
  let description = [{
    Writes the elements of `input` to `output`. With `at`, writes row `i` to
    the row of `output` given by position `i`, for example to store the keys of
    a step in a cache. If the output has fewer rows than the context, it is a
    ring.

    ```mlir
    lane.copy %k into %cache at %pos
      : !lane.buffer<1x8x128xf32>, !lane.buffer<1xi32> -> !lane.buffer<4096x8x128xf16>
    ```
  }];
  let arguments = (ins Lane_In<"elements">:$input, Lane_Out<"elements">:$output,
    Arg<Optional<Lane_AnyBuffer>, "rows of the output to write", [Lane_Read]>:$positions,
    Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $input `into` $output (`at` $positions^)? (`scratch` $scratch^)? attr-dict
    `:` type($input) (`,` type($positions)^)? `->` type($output)
  }];
  let hasVerifier = 1;
}

def Lane_SplitOp : Lane_LaunchOp<"split", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, []>]> {
  let summary = "splits rows into several buffers";
  let description = [{
    Splits each row of `input` into consecutive elements of the outputs, in their
    order. With `groups`, a row is that many groups of the same length, and each
    group is split: for example the rows of all heads into two parts of each head.

    ```mlir
    lane.split %qkv into %q, %k, %v
      : !lane.buffer<1x256xf32> -> !lane.buffer<1x128xf32>, !lane.buffer<1x64xf32>, !lane.buffer<1x64xf32>
    lane.split %both into %q, %gate groups(4)
      : !lane.buffer<1x256xf32> -> !lane.buffer<1x128xf32>, !lane.buffer<1x128xf32>
    ```
  }];
  let arguments = (ins Lane_In<"rows">:$input,
    Arg<Variadic<Lane_AnyBuffer>, "parts of the rows", [Lane_Write]>:$outputs,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$groups,
    Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $input `into` $outputs (`groups` `(` $groups^ `)`)? (`scratch` $scratch^)?
    attr-dict `:` type($input) `->` type($outputs)
  }];
  let hasVerifier = 1;
}

def Lane_JoinOp : Lane_LaunchOp<"join", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, []>]> {
  let summary = "joins rows of several buffers";
  let description = [{
    The inverse of `lane.split`: each row, or each of its `groups`, of `output` is
    the elements of the inputs in their order. An input with one group is repeated
    for each group.

    ```mlir
    lane.join %a, %b into %y groups(4)
      : !lane.buffer<1x128xf32>, !lane.buffer<1x64xf32> -> !lane.buffer<1x192xf32>
    ```
  }];
  let arguments = (ins
    Arg<Variadic<Lane_AnyBuffer>, "parts of the rows", [Lane_Read]>:$inputs,
    Lane_Out<"rows">:$output,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$groups,
    Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $inputs `into` $output (`groups` `(` $groups^ `)`)? (`scratch` $scratch^)?
    attr-dict `:` type($inputs) `->` type($output)
  }];
  let hasVerifier = 1;
}

def Lane_SampleOp : Lane_LaunchOp<"sample", [
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, []>]> {
  let summary = "samples a token from each row of logits";
  let description = [{
    ```mlir
    lane.sample argmax %logits into %token : !lane.buffer<1x32000xf32>, !lane.buffer<1xi32>
    ```
  }];
  let arguments = (ins Lane_SampleKind:$kind, Lane_In<"logits">:$logits,
    Lane_Out<"one token for each row">:$output, Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $kind $logits `into` $output (`scratch` $scratch^)? attr-dict
    `:` type($logits) `,` type($output)
  }];
}

def Lane_KernelLaunchOp : Lane_LaunchOp<"launch", [
    AttrSizedOperandSegments, Lane_UnnamedWrite,
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, ["getReadAccess"]>]> {
  let summary = "launches any kernel";
  let description = [{
    A kernel of an embedding compiler. It has the operands that the kernel
    reads, how it reads those that are not read densely, and the operands that
    it writes.

    ```mlir
    lane.launch "embed_and_norm"
      ins(%ids : !lane.buffer<1xi32>, %embd : !lane.matrix<32000x256xq8_0> gather,
          %stack : !lane.matrix<64x256x256xq4_K> expert(4 of 64))
      outs(%x : !lane.buffer<1x256xf32>)
    ```
  }];
  let arguments = (ins StrAttr:$kernel,
    Arg<Variadic<Lane_AnyBuffer>, "buffers that it reads", [Lane_Read]>:$inputs,
    Arg<Variadic<Lane_AnyBuffer>, "buffers that it writes", [Lane_Write]>:$outputs,
    OptionalAttr<Lane_AccessArrayAttr>:$access, Lane_Scratch:$scratch);
  let assemblyFormat = [{
    $kernel custom<LaunchOperands>($inputs, type($inputs), $outputs,
                                   type($outputs), $access)
    (`scratch` $scratch^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Lane_FusedOp : Lane_LaunchOp<"fused", [
    HasParent<"FormOp">, NoRegionArguments, NoTerminator, SingleBlock,
    RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<Lane_LaunchOpInterface, ["getPartsBlock"]>]> {
  let summary = "several launches in one kernel";
  let description = [{
    One launch that does the work of its parts. It reads what the parts read,
    each part in its own way. Scratch belongs to the fused launch, not to its
    parts.

    ```mlir
    lane.fused {
      lane.matmul %x by %q into %a : !lane.buffer<1x1024xf32>, !lane.matrix<2048x1024xq8_0> -> !lane.buffer<1x2048xf32>
      lane.matmul %x by %k into %b : !lane.buffer<1x1024xf32>, !lane.matrix<1024x1024xq8_0> -> !lane.buffer<1x1024xf32>
    }
    ```
  }];
  let arguments = (ins Lane_Scratch:$scratch);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`scratch` $scratch^)? attr-dict-with-keyword $body";
  let builders = [OpBuilder<(ins)>];
}

//===- LaneOps.td - Operations of the lane dialect ---------*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program, its forms and its buffers. Launches are in LaneLaunchOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_DIALECT_LANE_IR_LANEOPS_TD
#define LANE_DIALECT_LANE_IR_LANEOPS_TD

include "lane/Dialect/Lane/IR/LaneAttrs.td"
include "lane/Dialect/Lane/IR/LaneDialect.td"
include "lane/Dialect/Lane/IR/LaneInterfaces.td"
include "lane/Dialect/Lane/IR/LaneTypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Lane_Op<string mnemonic, list<Trait> traits = []>
    : Op<Lane_Dialect, mnemonic, traits>;

/// The memory that launches read and write. It is a resource of this dialect,
/// so that launches can be reordered with operations on other memory.
def Lane_DeviceMemory : Resource<"::lane::DeviceMemory">;
def Lane_Read : MemRead<Lane_DeviceMemory>;
def Lane_Write : MemWrite<Lane_DeviceMemory>;

//===----------------------------------------------------------------------===//
// The program and what its forms share
//===----------------------------------------------------------------------===//

def Lane_ProgramOp : Lane_Op<"program", [
    IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock, Symbol,
    SymbolTable]> {
  let summary = "the compiled inference of an LLM";
  let description = [{
    Contains the constants, the carried state and the forms of one model. It
    has the context length in tokens, the numerics of quantized activations
    (`two_pass` has a second plane of quants), and the names of the checkpoint
    files, which `#lane.rows` refers to by index. Once planned, it also has the
    plan and the placement. It has exactly one decode form.

    ```mlir
    lane.program @tiny context(4096) numerics(one_pass) files(["tiny.gguf"]) {
      lane.form @decode decode rows(1) {
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
    ConfinedAttr<I64Attr, [IntPositive]>:$context_length, Lane_Numerics:$numerics,
    OptionalAttr<StrArrayAttr>:$files, OptionalAttr<Lane_PlanAttr>:$plan,
    OptionalAttr<Lane_PlacementAttr>:$placement);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `context` `(` $context_length `)` `numerics` `(` $numerics `)`
    (`files` `(` $files^ `)`)? (`\n` `plan` $plan^)?
    (`\n` `placement` $placement^)?
    attr-dict-with-keyword $body
  }];
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "int64_t":$contextLength,
      "::lane::Numerics":$numerics)>
  ];
  let extraClassDeclaration = [{
    /// The decode form; null only in an invalid program.
    ::lane::FormOp getDecodeForm();
  }];
  let hasRegionVerifier = 1;
}

def Lane_MatrixOp : Lane_Op<"matrix", [
    HasParent<"ProgramOp">, Symbol,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a constant stored as checkpoint rows";
  let description = [{
    A matrix, or a stack of matrices, whose rows are the concatenation of the
    given runs of rows. Only matrices can leave the device. After
    `residence-plan`, each matrix has its residence, or the symbol of the matrix
    whose upload it shares, its *owner*. After `residence-place`, it also has
    the extents of the upload: an alias has its owner's.

    ```mlir
    lane.matrix @blk.0.attn_q.weight : !lane.matrix<32000x256xq8_0>
      rows [#lane.rows<file = 0, offset = 4096, count = 32000>]
    lane.matrix @output.weight : !lane.matrix<32000x256xq8_0>
      rows [#lane.rows<file = 0, offset = 4096, count = 32000>]
      residence <class = other, last_read = 12, rank = 0, bytes = 8704000>
      extents [<device 0, offset = 0, bytes = 8704000>]
    lane.matrix @token_embd.weight : !lane.matrix<32000x256xq8_0>
      rows [#lane.rows<file = 0, offset = 4096, count = 32000>]
      shares @output.weight extents [<device 0, offset = 0, bytes = 8704000>]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Lane_MatrixType>:$type,
    Lane_RowsArrayAttr:$rows, OptionalProp<Lane_ResidenceProp>:$residence,
    OptionalAttr<FlatSymbolRefAttr>:$shares,
    OptionalAttr<Lane_ExtentsAttr>:$extents);
  let assemblyFormat = [{
    $sym_name `:` $type `rows` $rows (`residence` $residence^)?
    (`shares` $shares^)? (`extents` $extents^)? attr-dict
  }];
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::lane::MatrixType":$type,
      "::llvm::ArrayRef<::mlir::Attribute>":$rows)>
  ];
  let hasVerifier = 1;
}

def Lane_ValuesOp : Lane_Op<"values", [HasParent<"ProgramOp">, Symbol]> {
  let summary = "a constant known at compile time";
  let description = [{
    A constant of f32 values that is always on the device, such as the weights
    of a norm. The values are given here, or are rows of the checkpoint.

    ```mlir
    lane.values @output_norm.weight : !lane.buffer<256xf32>
      rows [#lane.rows<file = 0, offset = 8708096, count = 1>]
    lane.values @scale : !lane.buffer<2xf32> data dense<[1.0, 0.5]> : tensor<2xf32>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Lane_BufferType>:$type,
    OptionalAttr<Lane_RowsArrayAttr>:$rows, OptionalAttr<ElementsAttr>:$data);
  let assemblyFormat = [{
    $sym_name `:` $type (`rows` $rows^)? (`data` $data^)? attr-dict
  }];
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::lane::BufferType":$type)>
  ];
  let hasVerifier = 1;
}

def Lane_StateOp : Lane_Op<"state", [HasParent<"ProgramOp">, Symbol]> {
  let summary = "state carried between steps";
  let description = [{
    State that is zero at startup and keeps its value between steps, such as a
    KV cache. The decode form must reference it; other forms may share it.
    State that only one other form uses is a `lane.alloc carried` in that form.

    ```mlir
    lane.state @cache_k.0 : !lane.buffer<4096x64xf16>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Lane_BufferType>:$type);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::lane::BufferType":$type)>
  ];
}

//===----------------------------------------------------------------------===//
// A form and its buffers
//===----------------------------------------------------------------------===//

def Lane_FormOp : Lane_Op<"form", [
    HasParent<"ProgramOp">, NoRegionArguments, NoTerminator, SingleBlock, Symbol,
    RecursiveMemoryEffects]> {
  let summary = "one compiled schedule of the program";
  let description = [{
    A sequence of launches over buffers. `decode` has one row per step,
    `prefill` many rows of one sequence, and `batch` one row of each of many
    sequences. `arena` is the size in bytes of the form's arena, in which
    buffers share bytes if their lifetimes do not overlap.

    ```mlir
    lane.form @decode decode rows(1) arena(4096) {
      %x = lane.alloc "x" plain <arena[0]> : !lane.buffer<1x1024xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Lane_FormKind:$kind,
    ConfinedAttr<I64Attr, [IntPositive]>:$rows,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$arena);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name $kind `rows` `(` $rows `)` (`arena` `(` $arena^ `)`)?
    attr-dict-with-keyword $body
  }];
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::lane::FormKind":$kind,
      "int64_t":$rows)>
  ];
  let extraClassDeclaration = [{
    /// The top-level launch with index `index`; null if there is none.
    ::lane::LaunchOpInterface getLaunch(int64_t index);
  }];
  let hasRegionVerifier = 1;
}

/// An operation that defines a buffer. Its only effect is on the resource as a
/// whole and not on a value: a buffer that nothing reads still has bytes in the
/// plan, so clean-up passes must not erase it.
class Lane_BufferOp<string mnemonic, list<Trait> traits = []>
    : Lane_Op<mnemonic, traits # [
        HasParent<"FormOp">, MemoryEffects<[MemAlloc<Lane_DeviceMemory>]>,
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]>;

def Lane_ParamOp : Lane_BufferOp<"param", [Lane_BufferOpInterface]> {
  let summary = "a buffer that the host writes or reads";
  let description = [{
    An input of a step, such as token ids or positions, or a result that the
    host reads after the step. It shares no bytes with other buffers. A
    `position` input belongs to the generation loop, which counts its bytes
    once for all forms.

    ```mlir
    %ids = lane.param "ids" plain <pool> : !lane.buffer<1xi32>
    %pos = lane.param "position" position plain <pool> : !lane.buffer<1xi32>
    ```
  }];
  let arguments = (ins StrAttr:$name, UnitAttr:$position,
    OptionalAttr<Lane_StorageAttr>:$plain, OptionalAttr<Lane_StorageAttr>:$quantized);
  let results = (outs Lane_BufferType:$result);
  let assemblyFormat = [{
    $name (`position` $position^)? (`plain` $plain^)? (`quantized` $quantized^)?
    attr-dict `:` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    ::mlir::StringAttr getBufferName() { return getNameAttr(); }
  }];
}

def Lane_AllocOp : Lane_BufferOp<"alloc", [Lane_BufferOpInterface]> {
  let summary = "a buffer that launches write";
  let description = [{
    An activation or, with `carried`, state that only this form uses. `plain`
    and `quantized` are present if launches use that storage, and tell whether
    it is allocated in the pool or in the form's arena.

    ```mlir
    %x = lane.alloc "x" plain <arena> : !lane.buffer<1x1024xf32>
    %q = lane.alloc "q" plain <arena[0]> quantized <arena[4096]> : !lane.buffer<1x1024xf32>
    %s = lane.alloc "conv" carried plain <pool> : !lane.buffer<3x1024xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, UnitAttr:$carried,
    OptionalAttr<Lane_StorageAttr>:$plain, OptionalAttr<Lane_StorageAttr>:$quantized);
  let results = (outs Lane_BufferType:$result);
  let assemblyFormat = [{
    $name (`carried` $carried^)? (`plain` $plain^)? (`quantized` $quantized^)?
    attr-dict `:` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    ::mlir::StringAttr getBufferName() { return getNameAttr(); }
  }];
  let hasVerifier = 1;
}

def Lane_ViewOp : Lane_BufferOp<"view", [Lane_BufferOpInterface]> {
  let summary = "a view of another buffer";
  let description = [{
    The elements of `base` from element `offset` on. A quantized view whose
    offset is a multiple of the quantization block shares the quants and scales
    of its base. Any other quantized view has its own bytes. A view must be
    inside its base. If its padded shape exceeds the base, `overrun` is the
    number of excess elements, which no launch accesses.

    ```mlir
    %v = lane.view "v" of %x at 512 plain <pool> : !lane.buffer<1x1024xf32> to !lane.buffer<512xf32>
    %w = lane.view "w" of %x at 512 overrun 64 plain <pool> : !lane.buffer<1x1024xf32> to !lane.buffer<576xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Lane_AnyBuffer:$base,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$overrun,
    OptionalAttr<Lane_StorageAttr>:$plain, OptionalAttr<Lane_StorageAttr>:$quantized);
  let results = (outs Lane_BufferType:$result);
  let assemblyFormat = [{
    $name `of` $base `at` $offset (`overrun` $overrun^)? (`plain` $plain^)?
    (`quantized` $quantized^)? attr-dict `:` type($base) `to` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    ::mlir::StringAttr getBufferName() { return getNameAttr(); }
    /// The smallest overrun with which a view of this type and offset verifies.
    /// It is 0 if the view is inside its base.
    static int64_t computeOverrun(::mlir::Type base, ::lane::BufferType view,
                                  int64_t offset, bool quantized);
  }];
  let hasVerifier = 1;
}

def Lane_RefOp : Lane_BufferOp<"ref", [
    Lane_BufferOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a reference to a buffer of the program";
  let description = [{
    References a matrix, values or state of the program, which the form then
    uses. The storages are those that the launches of this form use.

    ```mlir
    %w = lane.ref @blk.0.attn_q.weight : !lane.matrix<2048x1024xq8_0>
    %k = lane.ref @cache_k.0 plain <pool> : !lane.buffer<4096x64xf16>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$symbol,
    OptionalAttr<Lane_StorageAttr>:$plain, OptionalAttr<Lane_StorageAttr>:$quantized);
  let results = (outs Lane_AnyBuffer:$result);
  let assemblyFormat = [{
    $symbol (`plain` $plain^)? (`quantized` $quantized^)? attr-dict
    `:` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    ::mlir::StringAttr getBufferName() { return getSymbolAttr().getAttr(); }
  }];
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

def Lane_GetMemrefOp : Lane_Op<"get_memref", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a buffer of a program, as a memref";
  let description = [{
    Stands for a buffer in the code of a step. A step is a function beside the
    program; its attribute `lane.step` names the form whose launches it runs.

    The symbol is a matrix, values or state of the program; or it is a form, and
    `[name]` is a buffer that the form defines. The memref has as many bytes as
    the buffer. `residence-to-host` replaces the operation by a load from the
    program's table of pointers.

    `quants`, `scales` and `low_quants` are arrays of a buffer's quantized
    storage: one `i8` for each element, one `f32` for each block of 32, and with
    two-pass numerics a second `i8` for each element. A q8_0 matrix has `quants`,
    and `scales` of type `f16`. `scratch [launch, tag]` is scratch of a launch of
    the form, by the index of the launch.

    ```mlir
    lane.program @tiny context(16) numerics(one_pass) {
      lane.matrix @w : !lane.matrix<64x32xf32>
        rows [#lane.rows<file = 0, offset = 0, count = 64>]
      lane.form @decode decode rows(1) {
        %x = lane.param "x" plain <pool> quantized <pool> : !lane.buffer<1x32xf32>
      }
    }
    func.func @decode_step() attributes {lane.step = @tiny::@decode} {
      %w = lane.get_memref @tiny::@w : memref<64x32xf32>
      %x = lane.get_memref @tiny::@decode["x"] : memref<1x32xf32>
      %quants = lane.get_memref @tiny::@decode["x"] quants : memref<1x32xi8>
      return
    }
    ```
  }];
  let arguments = (ins SymbolRefAttr:$symbol, OptionalAttr<StrAttr>:$buffer,
    DefaultValuedAttr<Lane_ArrayKind, "::lane::ArrayKind::Plain">:$array,
    OptionalAttr<ConfinedAttr<DenseI64ArrayAttr, [DenseArrayCount<2>]>>:$scratch);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = [{
    $symbol (`[` $buffer^ `]`)? ($array^)? (`scratch` $scratch^)? attr-dict
    `:` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::MemRefType":$type, "::mlir::SymbolRefAttr":$symbol,
      "::mlir::StringAttr":$buffer,
      CArg<"::lane::ArrayKind", "::lane::ArrayKind::Plain">:$array)>
  ];
}

include "lane/Dialect/Lane/IR/LaneLaunchOps.td"

#endif // LANE_DIALECT_LANE_IR_LANEOPS_TD

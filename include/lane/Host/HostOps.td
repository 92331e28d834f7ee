//===- HostOps.td - The host dialect -*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_HOST_HOSTOPS_TD
#define LANE_HOST_HOSTOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Host_Dialect : Dialect {
  let name = "host";
  let cppNamespace = "::lane::host";
  let summary = "What a program does on the host: tables, pointers, calls of the CUDA runtime";
  let description = [{
    `residence-to-host` lowers a planned program to functions of the `func`,
    `scf` and `arith` dialects which decide, allocate, map and upload, and to
    these operations for what those dialects lack: tables of data, fields of C
    structures, and calls of the CUDA runtime. `convert-host-to-emitc` and
    `convert-host-to-llvm` convert both.

    The dialect knows nothing of models. A pointer says in C what it points to,
    so that what is generated can be called from C as it stands.

    ```mlir
    host.table @upload_bytes = dense<[256, 512]> : tensor<2xi64>
    func.func private @allocate(%program: !host.ptr<"lane_program">) -> i32 {
      %zero = arith.constant 0 : i64
      %bytes = host.table_load @upload_bytes[%zero] : i64
      %status, %pool = host.cuda <cudaMalloc>(%bytes) : (i64) -> (i32, !host.ptr)
      host.set_field %pool, %program["pool"] of @lane_program
        : !host.ptr, !host.ptr<"lane_program">
      return %status : i32
    }
    ```
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

def Host_PointerType : TypeDef<Host_Dialect, "Pointer"> {
  let mnemonic = "ptr";
  let summary = "a pointer on the host, or of the device";
  let description = [{
    Points to what C calls `pointee`, by default `void`.

    ```mlir
    !host.ptr
    !host.ptr<"const lane_options">
    ```
  }];
  let parameters = (ins StringRefParameter<"C type">:$pointee);
  let hasCustomAssemblyFormat = 1;
  let builders = [
    TypeBuilder<(ins), [{ return $_get($_ctxt, "void"); }]>
  ];
}

class Host_Cuda<string symbol, int value> : I32EnumAttrCase<symbol, value, symbol>;

def Host_CudaFunction : I32EnumAttr<"CudaFunction", "a function of the CUDA runtime", [
    Host_Cuda<"cudaFree", 0>, Host_Cuda<"cudaMalloc", 1>,
    Host_Cuda<"cudaHostAlloc", 2>, Host_Cuda<"cudaFreeHost", 3>,
    Host_Cuda<"cudaHostGetDevicePointer", 4>, Host_Cuda<"cudaMemGetInfo", 5>,
    Host_Cuda<"cudaGetDevice", 6>, Host_Cuda<"cudaDeviceGetAttribute", 7>,
    Host_Cuda<"cudaGetLastError", 8>]> {
  let cppNamespace = "::lane::host";
  let genSpecializedAttr = 0;
}
def Host_CudaFunctionAttr : EnumAttr<Host_Dialect, Host_CudaFunction, "cuda_function"> {
  let assemblyFormat = "`<` $value `>`";
}

class Host_Op<string mnemonic, list<Trait> traits = []>
    : Op<Host_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

def Host_InterfaceOp : Host_Op<"interface", [Symbol]> {
  let summary = "the C interface of a program";
  let description = [{
    The name that the functions of the program start with, and for each of its
    pointers, in the order of the table of pointers, the C identifier of its
    index and a comment. A header is generated of it.

    ```mlir
    host.interface @lane_tiny pointers ["LANE_TINY_OUTPUT_WEIGHT"]
      comments ["output.weight: q8_0 32000x256"]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$pointers,
                       StrArrayAttr:$comments);
  let assemblyFormat = [{
    $sym_name `pointers` $pointers `comments` $comments attr-dict
  }];
  let hasVerifier = 1;
}

def Host_TableOp : Host_Op<"table", [Symbol]> {
  let summary = "constant data";
  let description = [{
    A table of integers or floats of one dimension, or the bytes of a string,
    which may have zeros in it.

    ```mlir
    host.table @upload_bytes = dense<[256, 512]> : tensor<2xi64>
    host.table @names = "output.weight\00"
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, AnyAttr:$value);
  let assemblyFormat = "$sym_name `=` $value attr-dict";
  let hasVerifier = 1;
}

def Host_StructOp : Host_Op<"struct", [Symbol]> {
  let summary = "the fields of a C structure";
  let description = [{
    The structure is declared in C elsewhere; here are the fields in order, so
    that other conversions can find them.

    ```mlir
    host.struct @lane_error fields ["code", "text"] types [i32, !host.ptr]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$fields,
                       TypeArrayAttr:$types);
  let assemblyFormat = [{
    $sym_name `fields` $fields `types` $types attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The place of the field of that name, or none.
    std::optional<unsigned> lookup(::llvm::StringRef field);
  }];
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Host_NullOp : Host_Op<"null", [Pure]> {
  let summary = "the null pointer";
  let description = [{
    ```mlir
    %p = host.null : !host.ptr
    ```
  }];
  let results = (outs Host_PointerType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Host_IsSetOp : Host_Op<"is_set", [Pure]> {
  let summary = "whether a pointer is not null";
  let description = [{
    ```mlir
    %is = host.is_set %p : !host.ptr
    ```
  }];
  let arguments = (ins Host_PointerType:$pointer);
  let results = (outs I1:$result);
  let assemblyFormat = "$pointer attr-dict `:` qualified(type($pointer))";
}

def Host_StringOp : Host_Op<"string", [Pure]> {
  let summary = "a string that ends with a zero byte";
  let description = [{
    ```mlir
    %name = host.string "cudaMalloc"
    ```
  }];
  let arguments = (ins StrAttr:$value);
  let results = (outs Host_PointerType:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
}

def Host_TableAddressOp : Host_Op<"table_address", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "where a table lies";
  let description = [{
    ```mlir
    %t = host.table_address @segments : !host.ptr<"const int64_t">
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table);
  let results = (outs Host_PointerType:$result);
  let assemblyFormat = "$table attr-dict `:` qualified(type($result))";
}

def Host_TableLoadOp : Host_Op<"table_load", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "an element of a table";
  let description = [{
    ```mlir
    %bytes = host.table_load @upload_bytes[%i] : i64
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table, I64:$index);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = "$table `[` $index `]` attr-dict `:` type($result)";
}

def Host_GetFieldOp : Host_Op<"get_field", [
    MemoryEffects<[MemRead]>, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the value of a field of a structure";
  let description = [{
    ```mlir
    %moved = host.get_field %program["moved"] of @lane_program
      : !host.ptr<"lane_program"> -> i64
    ```
  }];
  let arguments = (ins Host_PointerType:$pointer, StrAttr:$field,
                       FlatSymbolRefAttr:$record);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $pointer `[` $field `]` `of` $record attr-dict `:` qualified(type($pointer)) `->` type($result)
  }];
}

def Host_SetFieldOp : Host_Op<"set_field", [
    MemoryEffects<[MemWrite]>, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "writes a field of a structure";
  let description = [{
    ```mlir
    host.set_field %moved, %program["moved"] of @lane_program
      : i64, !host.ptr<"lane_program">
    ```
  }];
  let arguments = (ins AnyType:$value, Host_PointerType:$pointer, StrAttr:$field,
                       FlatSymbolRefAttr:$record);
  let assemblyFormat = [{
    $value `,` $pointer `[` $field `]` `of` $record attr-dict
    `:` type($value) `,` qualified(type($pointer))
  }];
}

def Host_LoadOp : Host_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "the element of an array";
  let description = [{
    ```mlir
    %offset = host.load %offsets[%i] : !host.ptr<"int64_t"> -> i64
    ```
  }];
  let arguments = (ins Host_PointerType:$pointer, I64:$index);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $pointer `[` $index `]` attr-dict `:` qualified(type($pointer)) `->` type($result)
  }];
}

def Host_StoreOp : Host_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes an element of an array";
  let description = [{
    ```mlir
    host.store %offset, %offsets[%i] : i64, !host.ptr<"int64_t">
    ```
  }];
  let arguments = (ins AnyType:$value, Host_PointerType:$pointer, I64:$index);
  let assemblyFormat = [{
    $value `,` $pointer `[` $index `]` attr-dict `:` type($value) `,` qualified(type($pointer))
  }];
}

def Host_OffsetOp : Host_Op<"offset", [Pure]> {
  let summary = "a pointer some bytes further";
  let description = [{
    ```mlir
    %p = host.offset %base, %bytes
    ```
  }];
  let arguments = (ins Host_PointerType:$pointer, I64:$bytes);
  let results = (outs Host_PointerType:$result);
  let assemblyFormat = "$pointer `,` $bytes attr-dict `:` qualified(type($pointer)) `->` qualified(type($result))";
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def Host_CudaOp : Host_Op<"cuda", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a call of the CUDA runtime";
  let description = [{
    Calls a function of the CUDA runtime. Its results are the status and what
    the function returns through pointers, in the order of its parameters:

    | function | takes | gives beside the status |
    | --- | --- | --- |
    | `cudaFree`, `cudaFreeHost` | pointer | |
    | `cudaMalloc` | bytes | pointer |
    | `cudaHostAlloc` | bytes, flags | pointer |
    | `cudaHostGetDevicePointer` | pointer, flags | pointer |
    | `cudaMemGetInfo` | | free and total bytes |
    | `cudaGetDevice` | | device |
    | `cudaDeviceGetAttribute` | attribute, device | value |
    | `cudaGetLastError` | | |

    ```mlir
    %status, %pool = host.cuda <cudaMalloc>(%bytes) : (i64) -> (i32, !host.ptr)
    ```
  }];
  let arguments = (ins Host_CudaFunctionAttr:$function,
                       Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $function `(` $operands `)` attr-dict `:` functional-type($operands, $outputs)
  }];
  let hasVerifier = 1;
}

def Host_CallOp : Host_Op<"call", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a call of a function that is written in C";
  let description = [{
    Calls a function of the runtime that generated programs carry.

    ```mlir
    %code = host.call "laneCheckCuda"(%error, %name, %status, %bytes)
      : (!host.ptr<"lane_error">, !host.ptr<"const char">, i32, i64) -> i32
    ```
  }];
  let arguments = (ins StrAttr:$callee, Variadic<AnyType>:$operands);
  let results = (outs Optional<AnyType>:$result);
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict `:` functional-type($operands, $result)
  }];
}

def Host_CommentOp : Host_Op<"comment"> {
  let summary = "a comment of the generated source";
  let description = [{
    Stands in C++ where it stands here, so that a person can follow what was
    generated; elsewhere it is nothing.

    ```mlir
    host.comment "The arena does not depend on the budget."
    ```
  }];
  let arguments = (ins StrAttr:$text);
  let assemblyFormat = "$text attr-dict";
}

#endif // LANE_HOST_HOSTOPS_TD

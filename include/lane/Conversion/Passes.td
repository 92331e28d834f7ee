//===- Passes.td - Conversions of lane programs ------------*- tablegen -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CONVERSION_PASSES_TD
#define LANE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ResidenceToHostPass : Pass<"residence-to-host", "::mlir::ModuleOp"> {
  let summary = "Lower a planned program to what it does on the host";
  let description = [{
    Replaces the program of a module, which `residence-plan` has planned, by
    functions that open and close it and by the tables which these walk: the
    bytes of each upload in the plan's order, the place of each pointer, and
    what is copied from where to where. The functions are the same for every
    program; only the tables grow with it.

    ```mlir
    lane.program @tiny ... plan <...> {
    }
    ```

    becomes

    ```mlir
    host.interface @lane_tiny pointers ["LANE_TINY_OUTPUT_WEIGHT", ...] ...
    host.table @upload_bytes = dense<[8704000]> : tensor<1xi64>
    ...
    func.func @lane_tiny_open(%given: !host.ptr<"const lane_options">,
        %out: !host.ptr<"lane_program *">, %error: !host.ptr<"lane_error">) -> i32
    func.func @lane_tiny_close(%program: !host.ptr<"lane_program">)
    ```

    The program places by `policy` when it is opened, as `residence-place` would.
    With `least-traffic` a table says what a decode step reads of each upload,
    and the search is the planner's own code.

    It fails when the module has no program or several, and when the program has
    no plan, has changed since it was planned, or has slots without an offset. A
    placement is not needed and does not matter: the program takes its own when
    it is opened.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::scf::SCFDialect", "::lane::host::HostDialect"];
  let options = [
    Option<"policy", "policy", "::lane::PlacementPolicy",
      /*default=*/"::lane::PlacementPolicy::LastRead",
      "Which uploads leave the device when the program is opened",
      [{::llvm::cl::values(
        clEnumValN(::lane::PlacementPolicy::LastRead, "last-read",
                   "the first of the plan's order"),
        clEnumValN(::lane::PlacementPolicy::LeastTraffic, "least-traffic",
                   "those of which a decode step reads the fewest bytes"))}]>
  ];
}

def ConvertHostToEmitCPass : Pass<"convert-host-to-emitc", "::mlir::ModuleOp"> {
  let summary = "Convert host functions and tables to EmitC";
  let description = [{
    Converts what `residence-to-host` made to EmitC: a file `header`, which is C,
    and a file `source`, which is C++ over the CUDA runtime. Functions of `func`,
    `scf` and `arith` are converted in the same step.

    ```mlir
    %status, %pool = host.cuda <cudaMalloc>(%bytes) : (i64) -> (i32, !host.ptr)
    ```

    becomes

    ```mlir
    %0 = "emitc.variable"() <{value = #emitc.opaque<"nullptr">}> : () -> !emitc.lvalue<!emitc.ptr<!emitc.opaque<"void">>>
    %1 = emitc.address_of %0 : !emitc.lvalue<!emitc.ptr<!emitc.opaque<"void">>>
    %2 = emitc.call_opaque "cudaMalloc"(%1, %bytes) : (!emitc.ptr<!emitc.ptr<!emitc.opaque<"void">>>, i64) -> i32
    ```
  }];
  let dependentDialects = ["::mlir::emitc::EmitCDialect"];
}

def ConvertHostToLLVMPass : Pass<"convert-host-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert host functions and tables to the LLVM dialect";
  let description = [{
    Converts what `residence-to-host` made to the LLVM dialect, functions of
    `func`, `scf` and `arith` in the same step. An object of it calls the CUDA
    runtime and links Lane's own runtime library.

    ```mlir
    %status, %pool = host.cuda <cudaMalloc>(%bytes) : (i64) -> (i32, !host.ptr)
    ```

    becomes

    ```mlir
    %0 = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
    %1 = llvm.call @cudaMalloc(%0, %bytes) : (!llvm.ptr, i64) -> i32
    %2 = llvm.load %0 : !llvm.ptr -> !llvm.ptr
    ```
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect"];
}

def ConvertLinalgToLanePass : Pass<"convert-linalg-to-lane", "::mlir::ModuleOp"> {
  let summary = "Raise bufferized functions to a lane program";
  let description = [{
    Replaces the public functions of a module by one program with a form for
    each, so that programs of other compilers, in upstream's dialects, can be
    planned. The functions are straight-line code over memrefs of static shape,
    as `one-shot-bufferize` makes them.

    ```mlir
    #x = affine_map<(m, n, k) -> (m, k)>
    #w = affine_map<(m, n, k) -> (n, k)>
    #y = affine_map<(m, n, k) -> (m, n)>
    memref.global "private" constant @w : memref<64x32xf32> = uninitialized
    func.func @step(%x: memref<1x32xf32>, %y: memref<1x64xf32>) {
      %w = memref.get_global @w : memref<64x32xf32>
      linalg.matmul indexing_maps = [#x, #w, #y]
        ins(%x, %w : memref<1x32xf32>, memref<64x32xf32>)
        outs(%y : memref<1x64xf32>)
      return
    }
    ```

    becomes

    ```mlir
    lane.program @step context(4096) numerics(one_pass) files(["step.weights"]) {
      lane.matrix @w : !lane.matrix<64x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 64>]
      lane.form @step decode rows(1) {
        %arg0 = lane.param "arg0" plain <pool> : !lane.buffer<1x32xf32>
        %arg1 = lane.param "arg1" plain <pool> : !lane.buffer<1x64xf32>
        %w = lane.ref @w : !lane.matrix<64x32xf32>
        lane.launch "linalg.matmul" ins(%arg0 : !lane.buffer<1x32xf32>, %w : !lane.matrix<64x32xf32>, %arg1 : !lane.buffer<1x64xf32>) outs(%arg1 : !lane.buffer<1x64xf32>)
      }
    }
    ```

    A launch is any operation that implements `LaunchOpInterface`; the pass
    attaches it to linalg's structured operations, to copies, and to
    `gpu.launch_func`. A weight is a constant `memref.global` or an argument with
    `lane.weight`; state is any other `memref.global` or an argument with
    `lane.state`. `docs/Linalg.md` lists what is recognised and what is refused.
  }];
  let dependentDialects = ["::lane::LaneDialect"];
  let options = [
    Option<"contextLength", "context", "int64_t", /*default=*/"4096",
      "Tokens of context of the program">
  ];
}

#endif // LANE_CONVERSION_PASSES_TD

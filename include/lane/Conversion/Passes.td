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
  let summary = "Lower a planned program to the host code that opens and closes it";
  let description = [{
    Replaces the planned program of a module by constants and two functions. The
    constants describe the program: its uploads in the plan's order, its
    pointers, and the segments of files that fill them. `open` calls the steps
    of Lane's runtime (`lane/Runtime/Runtime.h`), and `close` frees what `open`
    allocated. The functions have the same size for every program.

    ```mlir
    module {
      lane.program @tiny context(16) numerics(one_pass) files(["tiny.gguf"])
          plan <arena = 0, fixed = 1024, spare = 33554432, order = [@w]> {
        lane.matrix @w : !lane.matrix<4x16xf32>
          rows [#lane.rows<file = 0, offset = 64, count = 4>]
          residence <class = other, last_read = 0, rank = 0, bytes = 512>
        lane.form @decode decode rows(1) {
        }
      }
    }
    ```

    becomes, with the default `target=llvm`,

    ```mlir
    module {
      llvm.func @laneClose(!llvm.ptr)
      llvm.func @laneFinish(!llvm.ptr, !llvm.ptr) -> i32
      ...
      llvm.func @lane_tiny_open(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) -> i32 {
        %0 = llvm.mlir.addressof @lane_tiny_description : !llvm.ptr
        %1 = llvm.call @laneBegin(%0, %arg0, %arg2) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.ptr
        llvm.call @laneTakeBudget(%1) : (!llvm.ptr) -> ()
        llvm.call @lanePlaceLastRead(%1) : (!llvm.ptr) -> ()
        llvm.call @laneAllocateArena(%1) : (!llvm.ptr) -> ()
        llvm.call @laneAllocatePool(%1) : (!llvm.ptr) -> ()
        llvm.call @laneMapHostPool(%1) : (!llvm.ptr) -> ()
        llvm.call @laneBindPointers(%1) : (!llvm.ptr) -> ()
        llvm.call @laneUpload(%1) : (!llvm.ptr) -> ()
        %2 = llvm.call @laneFinish(%1, %arg1) : (!llvm.ptr, !llvm.ptr) -> i32
        llvm.return %2 : i32
      }
      ...
    }
    ```

    An object compiled from this links Lane's runtime library and the CUDA
    runtime. With `target=cpp` the result is EmitC: a file `header`, which is C,
    and a file `source`, which `lane-translate --emit-cpp` prints as C++ together
    with the runtime's source.

    The generated program uses the policy of the placement that
    `residence-place` wrote, or last-read if there is none. It is an error if
    the option `policy` contradicts the placement. The budget of a placement is
    not used: the generated program computes its own when it is opened.

    The pass fails if the module does not have exactly one program, or if the
    program has no plan, has changed since it was planned, or has slots without
    an offset.
  }];
  let dependentDialects = ["::mlir::emitc::EmitCDialect",
    "::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"target", "target", "::lane::HostTarget",
      /*default=*/"::lane::HostTarget::LLVM", "Dialect of the result",
      [{::llvm::cl::values(
        clEnumValN(::lane::HostTarget::LLVM, "llvm", "the LLVM dialect, for an object"),
        clEnumValN(::lane::HostTarget::Cpp, "cpp", "EmitC, for C++"))}]>,
    Option<"policy", "policy", "::lane::HostPolicy",
      /*default=*/"::lane::HostPolicy::AsPlaced",
      "Which uploads leave the device when the program is opened",
      [{::llvm::cl::values(
        clEnumValN(::lane::HostPolicy::AsPlaced, "as-placed",
                   "those of the placement's policy, or of last-read"),
        clEnumValN(::lane::HostPolicy::LastRead, "last-read",
                   "the first in the plan's order"),
        clEnumValN(::lane::HostPolicy::LeastTraffic, "least-traffic",
                   "those with the fewest bytes read per decode step"))}]>
  ];
}

def ConvertLinalgToLanePass : Pass<"convert-linalg-to-lane", "::mlir::ModuleOp"> {
  let summary = "Raise bufferized functions to a lane program";
  let description = [{
    Replaces the public functions of a module by one program with a form for
    each function, so that Lane can plan programs in upstream's dialects. The
    functions must be straight-line code over memrefs with static shapes, such
    as the results of `one-shot-bufferize`.

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

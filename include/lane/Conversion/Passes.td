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

    A function with `lane.step` becomes the body of an entry point
    `lane_NAME_FORM(program, stream)`: each `lane.get_memref` is a load from the
    program's table of pointers. With `steps=launches`, the default, the body is
    host code that launches kernels: each `gpu.launch_func`, `gpu.memcpy`,
    `gpu.memset` and `memref.copy` depends on a token that is the step's stream, and
    the host waits for none of them. With `steps=kernel` the body computes, and
    runs as one kernel of a CUDA runtime over host memory. With `steps=none` the
    functions are erased: the program only has `open` and `close`. C++ has no
    steps: `target=cpp` declares the entry points in the header, and erases the
    functions.

    The pass fails if the module does not have exactly one program, or if the
    program has no plan, has changed since it was planned, or has slots without
    an offset.
  }];
  let dependentDialects = ["::mlir::emitc::EmitCDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
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
                   "those with the fewest bytes read per decode step"))}]>,
    Option<"steps", "steps", "::lane::HostSteps",
      /*default=*/"::lane::HostSteps::Launches", "What the code of steps is",
      [{::llvm::cl::values(
        clEnumValN(::lane::HostSteps::Launches, "launches",
                   "host code that launches kernels"),
        clEnumValN(::lane::HostSteps::Kernel, "kernel",
                   "code that computes, for a CUDA runtime over host memory"),
        clEnumValN(::lane::HostSteps::None, "none", "erased"))}]>
  ];
}

def ConvertLinalgToLanePass : Pass<"convert-linalg-to-lane", "::mlir::ModuleOp"> {
  let summary = "Raise bufferized functions to a lane program";
  let description = [{
    Makes one program of the public functions of a module, with a form for each,
    so that programs of other compilers, in upstream's dialects, can be planned.
    The functions are straight-line code over memrefs of static shape, as
    `one-shot-bufferize` makes them. They stay, as the steps of the forms: their
    arguments, globals and allocations become buffers of the program.

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
    #map = affine_map<(d0, d1, d2) -> (d0, d2)>
    #map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
    #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
    module {
      func.func @step_step() attributes {lane.step = @step::@step} {
        %arg0 = lane.get_memref @step::@step["arg0"] : memref<1x32xf32>
        %arg1 = lane.get_memref @step::@step["arg1"] : memref<1x64xf32>
        %w = lane.get_memref @step::@w : memref<64x32xf32>
        linalg.matmul indexing_maps = [#map, #map1, #map2] ins(%arg0, %w : memref<1x32xf32>, memref<64x32xf32>) outs(%arg1 : memref<1x64xf32>)
        return
      }
      lane.program @step context(4096) numerics(one_pass) files(["step.weights"]) {
        lane.matrix @w : !lane.matrix<64x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 64>]
        lane.form @step decode rows(1) {
          %arg0 = lane.param "arg0" plain <pool> : !lane.buffer<1x32xf32>
          %arg1 = lane.param "arg1" plain <pool> : !lane.buffer<1x64xf32>
          %w = lane.ref @w : !lane.matrix<64x32xf32>
          lane.launch "linalg.matmul" ins(%arg0 : !lane.buffer<1x32xf32>, %w : !lane.matrix<64x32xf32>, %arg1 : !lane.buffer<1x64xf32>) outs(%arg1 : !lane.buffer<1x64xf32>)
        }
      }
    }
    ```

    A launch is any operation that implements `LaunchOpInterface`; the pass
    attaches it to linalg's structured operations, to copies, and to
    `gpu.launch_func`. A weight is a constant `memref.global` or an argument with
    `lane.weight`; state is any other `memref.global` or an argument with
    `lane.state`. `docs/Linalg.md` lists what is recognised and what is refused.

    With `checkpoint`, the pass finds the tensor of each weight by its name, in
    checkpoints of any format that Lane reads: in the first that has it. A tensor
    of another format or shape is an error, and so is a weight without a tensor.
    The files that have weights are the program's files, without their folder.
  }];
  let dependentDialects = ["::lane::LaneDialect"];
  let options = [
    Option<"contextLength", "context", "int64_t", /*default=*/"4096",
      "Tokens of context of the program, 1 to 1073741824">,
    ListOption<"checkpoints", "checkpoint", "std::string",
      "Paths of the checkpoints, or of one file of each, that have the weights">
  ];
}

def ImportGlobalsPass : Pass<"import-globals", "::mlir::ModuleOp"> {
  let summary = "Make memrefs of the globals of tensors of other dialects";
  let description = [{
    Replaces globals of tensors by `memref.global`, before bufferization:

    - `ml_program.global`, which torch-mlir makes of parameters and buffers;
    - `util.global` of IREE, as an unregistered operation. Its value may be
      `#flow.parameter.named` or `#stream.parameter.named`.

    A load becomes the tensor of a `memref.get_global`, and a store a
    `bufferization.materialize_in_destination`.

    ```mlir
    ml_program.global private @fc.weight(#ml_program.extern : tensor<4x32xf32>) : tensor<4x32xf32>
    ml_program.global private mutable @count(dense<0> : tensor<1xi64>) : tensor<1xi64>
    func.func @forward(%new: tensor<1xi64>) -> tensor<4x32xf32> {
      %w = ml_program.global_load_const @fc.weight : tensor<4x32xf32>
      ml_program.global_store @count = %new : tensor<1xi64>
      return %w : tensor<4x32xf32>
    }
    ```

    becomes

    ```mlir
    module {
      memref.global "private" constant @fc.weight : memref<4x32xf32> = uninitialized {lane.weight = "fc.weight"}
      memref.global "private" @count : memref<1xi64> = dense<0>
      func.func @forward(%arg0: tensor<1xi64>) -> tensor<4x32xf32> {
        %0 = memref.get_global @fc.weight : memref<4x32xf32>
        %1 = bufferization.to_tensor %0 restrict : memref<4x32xf32> to tensor<4x32xf32>
        %2 = memref.get_global @count : memref<1xi64>
        bufferization.materialize_in_destination %arg0 in writable %2 : (tensor<1xi64>, memref<1xi64>) -> ()
        return %1 : tensor<4x32xf32>
      }
    }
    ```

    `lane.weight` is the name of the tensor in a checkpoint: the key of IREE's
    parameter, or else the symbol. A mutable global that is stored to before the
    last use of a load is copied at the load.

    A global whose shape is not static is an error, and so is a mutable one whose
    value is in a checkpoint, two scopes that have the same key, and any other
    operation of these dialects.
  }];
  let dependentDialects = ["::lane::LaneDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::ml_program::MLProgramDialect"];
}

def ExportWeightsPass : Pass<"export-weights", "::mlir::ModuleOp"> {
  let summary = "Write the values of constants to a safetensors file";
  let description = [{
    Moves the values of the constant `memref.global`s of a bufferized module to a
    file, and leaves their names: `convert-linalg-to-lane` finds them there, so
    that the program does not contain its weights.

    ```mlir
    memref.global "private" constant @__constant_2x4xf32 : memref<2x4xf32> = dense<0.5>
    ```

    becomes, with `file=/dev/null`,

    ```mlir
    module {
      memref.global "private" constant @__constant_2x4xf32 : memref<2x4xf32> = uninitialized {lane.weight = "__constant_2x4xf32"}
    }
    ```

    A tensor has the name of the global's `lane.weight`, else of its resource,
    else of the global. Globals that share a resource and a type share a tensor;
    one of another type has the global's name. Booleans are written as bytes.
    Globals without values, and resources whose values are not in the module,
    keep what they have: these are in a checkpoint already.

    The file is written beside its path and then renamed. A type of elements that
    no matrix can have is an error, and so is a resource of another size.
    `lane-translate --export-weights` writes the same file, without `min-bytes`,
    and leaves the module.
  }];
  let dependentDialects = ["::lane::LaneDialect"];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"",
      "Path of the safetensors file">,
    Option<"minBytes", "min-bytes", "int64_t", /*default=*/"0",
      "Bytes of the smallest value that is written">
  ];
}

def ConvertLaneToLinalgPass : Pass<"convert-lane-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Make code of the launches of a lane program";
  let description = [{
    Gives each form of the programs of a module a step, unless it has one: a
    function that calls a kernel for each launch of the form. A kernel is a private
    function of loops over memrefs. Launches that only differ in their buffers share
    a kernel. A launch whose kernel needs memory gets scratch, so run this before
    `arena-plan`.

    ```mlir
    lane.program @tiny context(16) numerics(one_pass) {
      lane.form @decode decode rows(1) {
        %x = lane.param "x" plain <pool> : !lane.buffer<1x32xf32>
        %y = lane.param "y" plain <pool> : !lane.buffer<1x32xf32>
        lane.elementwise add ins(%x, %y : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>)
          outs(%y : !lane.buffer<1x32xf32>)
      }
    }
    ```

    becomes

    ```mlir
    module {
      lane.program @tiny ...
      ...
      func.func @tiny_decode_step() attributes {lane.step = @tiny::@decode} {
        %y = lane.get_memref @tiny::@decode["y"] : memref<1x32xf32>
        %x = lane.get_memref @tiny::@decode["x"] : memref<1x32xf32>
        call @tiny_elementwise_0(%y, %x, %y) : (memref<1x32xf32>, memref<1x32xf32>, memref<1x32xf32>) -> ()
        return
      }
      func.func private @tiny_elementwise_0(%arg0: memref<1x32xf32>, %arg1: memref<1x32xf32>, %arg2: memref<1x32xf32>) {
        ...
      }
    }
    ```

    The operations describe what a launch computes. Matrices are read in their
    number format: floats, q8_0, q4_0, q4_1, q5_0, q5_1, q2_K to q6_K, iq4_nl,
    iq4_xs and mxfp4. The pass fails at a launch that has no code, and at a matrix
    of another format.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numLaunches", "launches", "Launches that got code">,
    Statistic<"numKernels", "kernels", "Kernels that they share">
  ];
}

def HoistAllocasPass : Pass<"hoist-allocas", "::mlir::func::FuncOp"> {
  let summary = "Move allocations on the stack to the start of a function";
  let description = [{
    Moves each `memref.alloca` of static size out of the loops that it is in. A loop
    that runs in one thread can use the same bytes in each iteration; in the LLVM
    dialect, each iteration would take further bytes of the stack.

    ```mlir
    func.func @sum(%x: memref<8xf32>) {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %end = arith.constant 8 : index
      scf.parallel (%i) = (%zero) to (%end) step (%one) {
        %values = memref.alloca() : memref<4xf32>
        %value = memref.load %x[%i] : memref<8xf32>
        memref.store %value, %values[%zero] : memref<4xf32>
      }
      return
    }
    ```

    becomes

    ```mlir
    ...
    func.func @sum(%arg0: memref<8xf32>) {
      %alloca = memref.alloca() : memref<4xf32>
      ...
      scf.parallel ...
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def GpuLaunchesToLoopsPass : Pass<"gpu-launches-to-loops", "::mlir::ModuleOp"> {
  let summary = "Run the kernels of steps as loops on the host";
  let description = [{
    Makes a function of each `gpu.func` that a step launches, which runs one thread
    of the kernel, and replaces each `gpu.launch_func` by loops over its blocks and
    threads. `gpu.memcpy` becomes `memref.copy`, `gpu.memset` becomes `linalg.fill`, and
    `gpu.wait` is erased: the host does everything in order. Each `gpu.module` is
    erased.

    ```mlir
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        gpu.func @scale(%x: memref<256xf32>, %by: f32) kernel {
          %i = gpu.global_id x
          %old = memref.load %x[%i] : memref<256xf32>
          %new = arith.mulf %old, %by : f32
          memref.store %new, %x[%i] : memref<256xf32>
          gpu.return
        }
      }
      func.func @step() attributes {lane.step = @tiny::@decode} {
        %one = arith.constant 1 : index
        %threads = arith.constant 128 : index
        %blocks = arith.constant 2 : index
        %by = arith.constant 0.5 : f32
        %x = lane.get_memref @tiny::@decode["x"] : memref<256xf32>
        gpu.launch_func @kernels::@scale blocks in (%blocks, %one, %one)
          threads in (%threads, %one, %one) args(%x : memref<256xf32>, %by : f32)
        return
      }
      lane.program @tiny context(16) numerics(one_pass) {
        lane.form @decode decode rows(1) {
          %x = lane.param "x" plain <pool> : !lane.buffer<256xf32>
          lane.launch "scale" ins(%x : !lane.buffer<256xf32>) outs(%x : !lane.buffer<256xf32>)
        }
      }
    }
    ```

    becomes

    ```mlir
    ...
    scf.for %arg5 = %c0 to %c128 step %c1_0 {
      func.call @scale(%x, %cst, %arg5, ...
    }
    ...
    func.func private @scale(%arg0: memref<256xf32>, %arg1: f32, %arg2: index, ...
    ```

    A thread runs to its end before the next one starts. The pass fails where threads
    work together: at a barrier, workgroup memory, or any other operation of the
    dialects `gpu` and `nvvm` than the indices of threads, and where a kernel has no body.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def StepToParallelLoopsPass : Pass<"step-to-parallel-loops", "::mlir::func::FuncOp"> {
  let summary = "Make parallel loops of the launches of a step";
  let description = [{
    Lowers each of linalg's operations in a function with `lane.step` to a loop over
    blocks and a loop over threads, which upstream's `convert-parallel-loops-to-gpu`
    makes a `gpu.launch` of. All parallel dimensions of the operation become one,
    and a thread computes one element of the result: it runs the reductions of the
    operation in their order, so that the result has the bits that loops on the host
    have. An operation without parallel dimensions becomes a kernel of one thread.

    Copies of memrefs with a layout, and fills, become kernels too. Copies of
    contiguous memrefs stay: the stream does them.

    ```mlir
    func.func @step() attributes {lane.step = @tiny::@decode} {
      %zero = arith.constant 0.0 : f32
      %x = lane.get_memref @tiny::@decode["x"] : memref<256xf32>
      linalg.fill ins(%zero : f32) outs(%x : memref<256xf32>)
      return
    }
    lane.program @tiny context(16) numerics(one_pass) {
      lane.form @decode decode rows(1) {
        %x = lane.param "x" plain <pool> : !lane.buffer<256xf32>
        lane.launch "linalg.fill" ins() outs(%x : !lane.buffer<256xf32>)
      }
    }
    ```

    becomes

    ```mlir
    ...
    scf.parallel (%arg0) = ...
      scf.parallel (%arg1) = ...
        memref.store %cst, %x[...] : memref<256xf32>
        ...
      } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
      ...
    } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
    ...
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
  let options = [
    Option<"numThreads", "threads", "int64_t", /*default=*/"128",
      "Threads of a block">
  ];
}

def AttachNVVMTargetPass : Pass<"attach-nvvm-target", "::mlir::ModuleOp"> {
  let summary = "Attach a target to the GPU modules that have none";
  let description = [{
    Gives each `gpu.module` without targets the target of an NVIDIA GPU. Unlike
    upstream's `nvvm-attach-target`, it keeps the targets of a module that has some,
    leaves the version of PTX to LLVM, which takes the oldest one that has the chip,
    and fails where LLVM does not know the chip.

    ```mlir
    gpu.module @first {
    }
    gpu.module @second [#nvvm.target<chip = "sm_90">] {
    }
    ```

    becomes

    ```mlir
    module {
      gpu.module @first [#nvvm.target<O = 3, chip = "sm_80">] {
      }
      gpu.module @second [#nvvm.target<chip = "sm_90">] {
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
      "GPU that kernels are compiled for">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
      "Target features, such as +ptx86">
  ];
}

def CheckDeviceCodePass : Pass<"check-device-code", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Refuse kernels whose code is not complete";
  let description = [{
    Fails where a kernel of a `gpu.module` in the LLVM dialect has no body, and where a
    kernel calls a function of CUDA's device library, such as `__nv_expf`, that nothing
    will link: upstream leaves it undefined, and PTX with it fails when it is loaded.
    For example, this kernel is only declared:

    ```mlir
    gpu.module @kernels {
      llvm.func @scale(!llvm.ptr, f32) attributes {gpu.kernel}
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"hasToolkit", "has-toolkit", "bool", /*default=*/"false",
      "Whether a CUDA Toolkit has the device library">
  ];
}

#endif // LANE_CONVERSION_PASSES_TD

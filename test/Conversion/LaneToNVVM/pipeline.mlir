// The pipeline compiles kernels, and leaves host code that launches them on the stream
// of the step.
//
// RUN: lane-opt %s --convert-linalg-to-lane --arena-plan --residence-plan -o %t
// RUN: lane-opt --lane-to-nvvm=chip=sm_90 %t -o %t.nvvm
// RUN: FileCheck %s < %t.nvvm
// RUN: grep "gpu.binary @step_step_kernel " %t.nvvm \
// RUN:   | FileCheck %s --check-prefix=MATMUL --implicit-check-not=fma
// RUN: mlir-translate --mlir-to-llvmir %t.nvvm | FileCheck %s --check-prefix=LLVM

// The oldest PTX of the chip. A module that has a target keeps it.

// CHECK-DAG:  gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_80">, {{.*}}.version 7.0\0A.target sm_80\0A{{.*}}.visible .entry scale(
// CHECK-DAG:  gpu.binary @step_step_kernel [#gpu.object<#nvvm.target<O = 3, chip = "sm_90">, {{.*}}.version 7.8\0A.target sm_90\0A{{.*}}.visible .entry step_step_kernel(

// Contraction would change the bits of results.

// MATMUL: mul.rn.f32 {{.*}}add.rn.f32

// LLVM-LABEL: define internal void @lane_step_step_body(ptr %0, ptr %1)
// LLVM-NOT:     mgpuStream
// LLVM:         call ptr @mgpuModuleGetFunction(
// LLVM-NEXT:    call void @mgpuLaunchKernel(ptr %{{.*}}, i64 1, i64 1, i64 1, i64 128, i64 1, i64 1, i32 0, ptr %1, 
// LLVM:         call void @mgpuLaunchKernel(ptr %{{.*}}, i64 2, i64 1, i64 1, i64 128, i64 1, i64 1, i32 0, ptr %1, 
// LLVM:         call void @mgpuLaunchKernel(ptr %{{.*}}, i64 1, i64 1, i64 1, i64 64, i64 1, i64 1, i32 0, ptr %1, 
// LLVM:         call void @mgpuMemcpy(ptr %{{.*}}, ptr %{{.*}}, i64 1024, ptr %1)
// LLVM-NOT:     mgpuStream
// LLVM:       define i32 @lane_step_step(ptr %0, ptr %1)
// LLVM-NEXT:    %[[CODE:.*]] = call i32 @laneRunStep(ptr %0, ptr %1, ptr @lane_step_step_body)
// LLVM-NEXT:    ret i32 %[[CODE]]

#w = affine_map<(m, n, k) -> (n, k)>
#x = affine_map<(m, n, k) -> (m, k)>
#y = affine_map<(m, n, k) -> (m, n)>
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
    gpu.func @scale(%y: memref<4x64xf32>, %by: f32) kernel {
      %row = arith.constant 0 : index
      %column = gpu.thread_id x
      %old = memref.load %y[%row, %column] : memref<4x64xf32>
      %new = arith.mulf %old, %by : f32
      memref.store %new, %y[%row, %column] : memref<4x64xf32>
      gpu.return
    }
  }
  memref.global "private" constant @w : memref<64x32xf32> = uninitialized
  func.func @step(%x: memref<1x32xf32>, %y: memref<4x64xf32>, %z: memref<4x64xf32>) {
    %one = arith.constant 1 : index
    %threads = arith.constant 64 : index
    %by = arith.constant 0.5 : f32
    %w = memref.get_global @w : memref<64x32xf32>
    %row = memref.subview %y[2, 0] [1, 64] [1, 1] : memref<4x64xf32> to memref<1x64xf32, strided<[64, 1], offset: 128>>
    linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : memref<1x32xf32>, memref<64x32xf32>)
      outs(%row : memref<1x64xf32, strided<[64, 1], offset: 128>>)
    linalg.negf ins(%y : memref<4x64xf32>) outs(%y : memref<4x64xf32>)
    gpu.launch_func @kernels::@scale blocks in (%one, %one, %one) threads in (%threads, %one, %one)
      args(%y : memref<4x64xf32>, %by : f32)
    memref.copy %y, %z : memref<4x64xf32> to memref<4x64xf32>
    return
  }
}

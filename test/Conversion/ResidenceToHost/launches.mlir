// All launches, copies and fills of a step are on the stream that it gets, and the host
// waits for none.
//
// RUN: lane-opt %s --convert-linalg-to-lane --arena-plan --residence-plan --residence-to-host -o %t
// RUN: FileCheck %s < %t
// RUN: mlir-opt %t --convert-gpu-to-nvvm --gpu-to-llvm | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func private @lane_step_step_body(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK:         %[[STREAM:.*]] = builtin.unrealized_conversion_cast %arg1 : !llvm.ptr to !gpu.async.token
// CHECK-NOT:     gpu.wait
// CHECK:         gpu.launch_func async [%[[STREAM]]] @kernels::@embed blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%{{.*}} : memref<1xi32>, %{{.*}} : memref<100x64xf32>, %{{.*}} : memref<1x64xf32>) {tag = 7 : i64}
// CHECK-NEXT:    gpu.launch_func async [%[[STREAM]]] @kernels::@embed clusters in (%c1, %c1, %c1) blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %c256_i32 args(
// CHECK-NOT:     gpu.wait
// CHECK:         gpu.memcpy async [%[[STREAM]]] %[[COPY:.*]], %[[OUT:.*]] : memref<1x64xf32>, memref<1x64xf32>
// CHECK-NEXT:    gpu.memset async [%[[STREAM]]] %[[COPY]], %cst : memref<1x64xf32>, f32
// CHECK-NEXT:    gpu.launch_func async [%[[STREAM]]] @kernels::@embed
// CHECK-NEXT:    gpu.memcpy async [%[[STREAM]]] %[[OUT]], %[[COPY]] : memref<1x64xf32>, memref<1x64xf32>
// CHECK-NEXT:    return

// CHECK-LABEL: func.func @lane_step_step(%arg0: !llvm.ptr, %arg1: !llvm.ptr) -> i32 {
// CHECK-NEXT:    %[[BODY:.*]] = constant @lane_step_step_body : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:    %[[ADDRESS:.*]] = builtin.unrealized_conversion_cast %[[BODY]] : {{.*}} to !llvm.ptr
// CHECK-NEXT:    %[[CODE:.*]] = call @laneRunStep(%arg0, %arg1, %[[ADDRESS]]) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-NEXT:    return %[[CODE]] : i32

// LLVM-NOT:   mgpuStream
// LLVM:       llvm.func internal @lane_step_step_body(%arg0: !llvm.ptr, %arg1: !llvm.ptr)
// LLVM:         gpu.launch_func <%arg1 : !llvm.ptr> @kernels::@embed
// LLVM:         llvm.call @mgpuMemcpy(%{{.*}}, %{{.*}}, %{{.*}}, %arg1)
// LLVM:         llvm.call @mgpuMemset32(%{{.*}}, %{{.*}}, %{{.*}}, %arg1)
// LLVM:         gpu.launch_func <%arg1 : !llvm.ptr> @kernels::@embed
// LLVM:         llvm.call @mgpuMemcpy(%{{.*}}, %{{.*}}, %{{.*}}, %arg1)
// LLVM-NOT:   mgpuStream

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @embed(%ids: memref<1xi32>, %table: memref<100x64xf32>, %out: memref<1x64xf32>) kernel {
      %zero = arith.constant 0 : index
      %column = gpu.thread_id x
      %id = memref.load %ids[%zero] : memref<1xi32>
      %row = arith.index_cast %id : i32 to index
      %value = memref.load %table[%row, %column] : memref<100x64xf32>
      memref.store %value, %out[%zero, %column] : memref<1x64xf32>
      gpu.return
    }
  }
  memref.global "private" constant @table : memref<100x64xf32> = uninitialized
  func.func @step(%ids: memref<1xi32>, %out: memref<1x64xf32>) {
    %one = arith.constant 1 : index
    %threads = arith.constant 64 : index
    %shared = arith.constant 256 : i32
    %zero = arith.constant 0.0 : f32
    %table = memref.get_global @table : memref<100x64xf32>
    gpu.launch_func @kernels::@embed blocks in (%one, %one, %one) threads in (%threads, %one, %one)
        args(%ids : memref<1xi32>, %table : memref<100x64xf32>, %out : memref<1x64xf32>) {tag = 7}
    gpu.launch_func @kernels::@embed clusters in (%one, %one, %one) blocks in (%one, %one, %one)
        threads in (%threads, %one, %one) dynamic_shared_memory_size %shared
        args(%ids : memref<1xi32>, %table : memref<100x64xf32>, %out : memref<1x64xf32>)
    %wait = gpu.wait async
    %copy, %allocated = gpu.alloc async [%wait] () : memref<1x64xf32>
    %copied = gpu.memcpy async [%allocated] %copy, %out : memref<1x64xf32>, memref<1x64xf32>
    %set = gpu.memset async [%copied] %copy, %zero : memref<1x64xf32>, f32
    %launched = gpu.launch_func async [%set] @kernels::@embed
        blocks in (%one, %one, %one) threads in (%threads, %one, %one)
        args(%ids : memref<1xi32>, %table : memref<100x64xf32>, %copy : memref<1x64xf32>)
    gpu.wait [%launched]
    memref.copy %copy, %out : memref<1x64xf32> to memref<1x64xf32>
    return
  }
}

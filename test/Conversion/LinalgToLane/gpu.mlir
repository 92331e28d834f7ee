// RUN: lane-opt %s --convert-linalg-to-lane --split-input-file | FileCheck %s

// A launch reads what its kernel loads from, by rows if the row index comes from data,
// and writes what it stores to. Scalars are not buffers.

// CHECK-LABEL: lane.program @step
// CHECK: lane.launch "embed" ins(%arg0 : !lane.buffer<1xi32>, %table : !lane.matrix<100x64xf32> gather) outs(%arg1 : !lane.buffer<1x64xf32>)
// CHECK: lane.launch "scale" ins(%weight : !lane.matrix<100x64xf32>, %arg1 : !lane.buffer<1x64xf32>) outs(%arg1 : !lane.buffer<1x64xf32>)
// CHECK: lane.launch "gpu.memcpy" ins(%arg1 : !lane.buffer<1x64xf32>) outs(%buffer0 : !lane.buffer<1x64xf32>)
// CHECK: lane.launch "gpu.memset" ins() outs(%buffer0 : !lane.buffer<1x64xf32>)
// CHECK: gpu.module @kernels
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
    gpu.func @scale(%by: f32, %weight: memref<100x64xf32>, %x: memref<1x64xf32>) kernel {
      %zero = arith.constant 0 : index
      %column = gpu.thread_id x
      %first = memref.load %weight[%zero, %column] : memref<100x64xf32>
      %row = memref.subview %x[0, 0] [1, 64] [1, 1] : memref<1x64xf32> to memref<1x64xf32, strided<[64, 1]>>
      %old = memref.load %row[%zero, %column] : memref<1x64xf32, strided<[64, 1]>>
      %sum = arith.addf %old, %first : f32
      %value = arith.mulf %sum, %by : f32
      memref.store %value, %row[%zero, %column] : memref<1x64xf32, strided<[64, 1]>>
      gpu.return
    }
  }
  memref.global "private" constant @table : memref<100x64xf32> = uninitialized
  memref.global "private" constant @weight : memref<100x64xf32> = uninitialized
  func.func @step(%ids: memref<1xi32>, %out: memref<1x64xf32>) {
    %one = arith.constant 1 : index
    %threads = arith.constant 64 : index
    %by = arith.constant 0.5 : f32
    %zero = arith.constant 0.0 : f32
    %table = memref.get_global @table : memref<100x64xf32>
    %weight = memref.get_global @weight : memref<100x64xf32>
    gpu.launch_func @kernels::@embed blocks in (%one, %one, %one) threads in (%threads, %one, %one)
        args(%ids : memref<1xi32>, %table : memref<100x64xf32>, %out : memref<1x64xf32>)
    gpu.launch_func @kernels::@scale blocks in (%one, %one, %one) threads in (%threads, %one, %one)
        args(%by : f32, %weight : memref<100x64xf32>, %out : memref<1x64xf32>)
    %wait = gpu.wait async
    %copy, %allocated = gpu.alloc async [%wait] () : memref<1x64xf32>
    %copied = gpu.memcpy async [%allocated] %copy, %out : memref<1x64xf32>, memref<1x64xf32>
    %set = gpu.memset async [%copied] %copy, %zero : memref<1x64xf32>, f32
    gpu.wait [%set]
    return
  }
}

// -----

// A kernel without a body reads all of its memrefs, and writes those that are not
// weights.

// CHECK-LABEL: lane.program @step
// CHECK: lane.launch "kernel" ins(%weight : !lane.matrix<100x64xf32>, %arg0 : !lane.buffer<1x64xf32>) outs(%arg0 : !lane.buffer<1x64xf32>)
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @kernel(!llvm.ptr, !llvm.ptr) attributes {gpu.kernel}
  }
  memref.global "private" constant @weight : memref<100x64xf32> = uninitialized
  func.func @step(%out: memref<1x64xf32>) {
    %one = arith.constant 1 : index
    %weight = memref.get_global @weight : memref<100x64xf32>
    gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%weight : memref<100x64xf32>, %out : memref<1x64xf32>)
    return
  }
}

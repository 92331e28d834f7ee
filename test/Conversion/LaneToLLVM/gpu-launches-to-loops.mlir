// Kernels run on the host, one thread after the other.
//
// RUN: lane-opt %s --gpu-launches-to-loops | FileCheck %s --implicit-check-not=gpu.
// RUN: lane-opt %s --arena-plan --residence-plan --lane-to-llvm \
// RUN:   | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func @step() attributes {lane.step = @tiny::@decode}
// CHECK: %[[X:.*]] = lane.get_memref @tiny::@decode["x"]
// CHECK: %[[Y:.*]] = lane.get_memref @tiny::@decode["y"]
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[Y]] : memref<8x32xf32>)
// CHECK: scf.for %[[BZ:.*]] = %{{.*}} to %[[ONE:.*]] step
// CHECK: scf.for %[[BY:.*]] = %{{.*}} to %[[ONE]] step
// CHECK: scf.for %[[BX:.*]] = %{{.*}} to %[[BLOCKS:.*]] step
// CHECK: scf.for %[[TZ:.*]] = %{{.*}} to %[[ONE]] step
// CHECK: scf.for %[[TY:.*]] = %{{.*}} to %[[ONE]] step
// CHECK: scf.for %[[TX:.*]] = %{{.*}} to %[[THREADS:.*]] step
// CHECK: func.call @scale(%[[X]], %{{.*}}, %[[TX]], %[[TY]], %[[TZ]], %[[BX]], %[[BY]], %[[BZ]], %[[THREADS]], %[[ONE]], %[[ONE]], %[[BLOCKS]], %[[ONE]], %[[ONE]])
// CHECK: memref.copy %[[X]], %[[Y]]
// CHECK: func.call @scale(%[[Y]]

// CHECK:      func.func private @scale(%[[MEMREF:.*]]: memref<8x32xf32>, %[[FACTOR:.*]]: f32, %[[ID:[^:]*]]: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %[[BLOCK:[^:]*]]: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %[[SIZE:[^:]*]]: index,
// CHECK-NEXT:   %[[START:.*]] = arith.muli %[[BLOCK]], %[[SIZE]]
// CHECK-NEXT:   arith.addi %[[START]], %[[ID]]
// CHECK:        cf.cond_br
// CHECK:        memref.load %[[MEMREF]][%[[BLOCK]], %[[ID]]]
// CHECK-NEXT:   arith.mulf %{{.*}}, %[[FACTOR]]
// CHECK:        cf.br
// CHECK:        return

// LLVM: define i32 @lane_tiny_decode(ptr %0, ptr %1)
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale(%x: memref<8x32xf32>, %by: f32) kernel {
      %i = gpu.global_id x
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %true = arith.constant true
      cf.cond_br %true, ^do, ^end
    ^do:
      %old = memref.load %x[%block, %thread] : memref<8x32xf32>
      %new = arith.mulf %old, %by : f32
      memref.store %new, %x[%block, %thread] : memref<8x32xf32>
      cf.br ^end
    ^end:
      gpu.return
    }
  }
  func.func @step() attributes {lane.step = @tiny::@decode} {
    %one = arith.constant 1 : index
    %threads = arith.constant 32 : index
    %blocks = arith.constant 8 : i32
    %by = arith.constant 0.5 : f32
    %one32 = arith.constant 1 : i32
    %x = lane.get_memref @tiny::@decode["x"] : memref<8x32xf32>
    %y = lane.get_memref @tiny::@decode["y"] : memref<8x32xf32>
    %blocksIndex = arith.index_cast %blocks : i32 to index
    %0 = gpu.wait async
    %1 = gpu.memset async [%0] %y, %by : memref<8x32xf32>, f32
    %2 = gpu.launch_func async [%1] @kernels::@scale blocks in (%blocksIndex, %one, %one)
      threads in (%threads, %one, %one) args(%x : memref<8x32xf32>, %by : f32)
    %3 = gpu.memcpy async [%2] %y, %x : memref<8x32xf32>, memref<8x32xf32>
    gpu.wait [%3]
    %threads32 = arith.constant 32 : i32
    gpu.launch_func @kernels::@scale blocks in (%blocks, %one32, %one32)
      threads in (%threads32, %one32, %one32) : i32 args(%y : memref<8x32xf32>, %by : f32)
    return
  }
  lane.program @tiny context(16) numerics(one_pass) {
    lane.form @decode decode rows(1) {
      %x = lane.param "x" plain <pool> : !lane.buffer<8x32xf32>
      %y = lane.param "y" plain <pool> : !lane.buffer<8x32xf32>
      lane.launch "scale" ins(%x : !lane.buffer<8x32xf32>) outs(%y : !lane.buffer<8x32xf32>)
    }
  }
}

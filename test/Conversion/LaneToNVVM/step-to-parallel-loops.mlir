// Each launch becomes a loop over blocks and a loop over threads.
//
// RUN: lane-opt %s --pass-pipeline="builtin.module(func.func(step-to-parallel-loops{threads=64}))" --split-input-file | FileCheck %s

// Parallel dimensions come first and are one; a thread runs the reductions in order.

// CHECK-LABEL: func.func @reduction_first(
// CHECK-SAME:      %[[X:.*]]: memref<16x6x32xf32>, %[[Y:.*]]: memref<16x32xf32>)
// CHECK:         scf.parallel (%[[BLOCK:.*]]) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) {
// CHECK-NEXT:      scf.parallel (%[[THREAD:.*]]) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) {
// CHECK:             %[[COLUMN:.*]] = arith.remsi %[[FLAT:.*]], %c32
// CHECK:             %[[ROW:.*]] = arith.divsi %[[FLAT]], %c32
// CHECK:             scf.for %[[K:.*]] = %{{.*}} to %c6 step %{{.*}} {
// CHECK-NEXT:          %[[I:.*]] = affine.apply #map(%[[ROW]])
// CHECK-NEXT:          %[[L:.*]] = affine.apply #map(%[[K]])
// CHECK-NEXT:          %[[J:.*]] = affine.apply #map(%[[COLUMN]])
// CHECK-NEXT:          memref.load %[[X]][%[[I]], %[[L]], %[[J]]] : memref<16x6x32xf32>
// CHECK:               %[[SUM:.*]] = arith.addf
// CHECK-NEXT:          memref.store %[[SUM]], %[[Y]][
// CHECK:         } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// CHECK:         } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// CHECK-NOT:     linalg
// CHECK:         return
func.func @reduction_first(%x: memref<16x6x32xf32>, %y: memref<16x32xf32>) attributes {lane.step = @tiny::@decode} {
  linalg.generic {indexing_maps = [affine_map<(k, i, j) -> (i, k, j)>, affine_map<(k, i, j) -> (i, j)>],
      iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%x : memref<16x6x32xf32>) outs(%y : memref<16x32xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %next = arith.addf %sum, %in : f32
    linalg.yield %next : f32
  }
  return
}

// -----

// One thread runs what has no parallel dimension, or no dimension.

// CHECK-LABEL: func.func @not_parallel(
// CHECK:         scf.parallel
// CHECK:           scf.parallel
// CHECK:             scf.for
// CHECK:               memref.load
// CHECK:         scf.parallel
// CHECK:           scf.parallel
// CHECK-NOT:         scf.for
// CHECK:             memref.store
func.func @not_parallel(%x: memref<100xf32>, %y: memref<f32>) attributes {lane.step = @tiny::@decode} {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
      iterator_types = ["reduction"]} ins(%x : memref<100xf32>) outs(%y : memref<f32>) {
  ^bb0(%in: f32, %sum: f32):
    %next = arith.addf %sum, %in : f32
    linalg.yield %next : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<f32>)
  return
}

// -----

// A stream copies contiguous memrefs. Other copies, and fills, are kernels; their tokens
// still order them.

// CHECK-LABEL: func.func @copies(
// CHECK:         memref.copy %[[X:.*]], %{{.*}} : memref<4x8xf64> to memref<4x8xf64>
// CHECK:         %[[FIRST:.*]] = gpu.wait async
// CHECK:         %[[COPIED:.*]] = gpu.memcpy async [%[[FIRST]]] %{{.*}}, %[[X]] : memref<4x8xf64>, memref<4x8xf64>
// CHECK:         scf.parallel
// CHECK:           memref.store %{{.*}}, %[[X]]
// CHECK:         %[[FILLED:.*]] = gpu.wait async [%[[COPIED]]]
// CHECK:         scf.parallel
// CHECK:           memref.store %{{.*}} : memref<4x8xf64, strided<[16, 1]>>
// CHECK:         %[[LAST:.*]] = gpu.wait async [%[[FILLED]]]
// CHECK:         gpu.wait [%[[LAST]]]
// CHECK:         scf.parallel
// CHECK:           memref.load %{{.*}} : memref<4x8xf64, strided<[16, 1]>>
func.func @copies(%x: memref<4x8xf64>, %y: memref<4x8xf64>, %z: memref<4x16xf64>) attributes {lane.step = @tiny::@decode} {
  %zero = arith.constant 0.0 : f64
  memref.copy %x, %y : memref<4x8xf64> to memref<4x8xf64>
  %columns = memref.subview %z[0, 0] [4, 8] [1, 1] : memref<4x16xf64> to memref<4x8xf64, strided<[16, 1]>>
  %first = gpu.wait async
  %copied = gpu.memcpy async [%first] %y, %x : memref<4x8xf64>, memref<4x8xf64>
  %filled = gpu.memset async [%copied] %x, %zero : memref<4x8xf64>, f64
  %last = gpu.memcpy async [%filled] %columns, %x : memref<4x8xf64, strided<[16, 1]>>, memref<4x8xf64>
  gpu.wait [%last]
  memref.copy %columns, %y : memref<4x8xf64, strided<[16, 1]>> to memref<4x8xf64>
  return
}

// -----

// Other functions stay.

// CHECK-LABEL: func.func @helper
// CHECK-NEXT:    linalg.fill
func.func @helper(%x: memref<4xf32>, %zero: f32) {
  linalg.fill ins(%zero : f32) outs(%x : memref<4xf32>)
  return
}

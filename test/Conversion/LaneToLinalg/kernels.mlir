// Launches that only differ in their buffers share a kernel. Matrices are read in their
// format, and a quantized storage is written block by block.

// RUN: lane-opt --convert-lane-to-linalg %s | FileCheck %s
// RUN: lane-opt --convert-lane-to-linalg --arena-plan --residence-plan %s \
// RUN:   | lane-opt --lane-to-llvm | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: lane.program @tiny
// CHECK:         lane.moe
// CHECK-SAME:      scratch [#lane.scratch<tag = 0, bytes = 4, pool>, #lane.scratch<tag = 1, bytes = 4, pool>, #lane.scratch<tag = 2, bytes = 128, pool>]

// CHECK-LABEL: func.func @tiny_decode_step() attributes {lane.step = @tiny::@decode}
// CHECK-DAG:     %[[X:.*]] = lane.get_memref @tiny::@decode["x"] : memref<1x32xf32>
// CHECK-DAG:     %[[Q:.*]] = lane.get_memref @tiny::@decode["n"] quants : memref<1x32xi8>
// CHECK-DAG:     %[[S:.*]] = lane.get_memref @tiny::@decode["n"] scales : memref<1x1xf32>
// CHECK-DAG:     %[[W:.*]] = lane.get_memref @tiny::@a quants : memref<32x32xi8>
// CHECK-DAG:     %[[D:.*]] = lane.get_memref @tiny::@a scales : memref<32x1xf16>
// CHECK:         call @tiny_matmul_[[MATMUL:[0-9]+]](%[[W]], %[[D]], %[[Q]], %[[S]], %{{.*}})
// CHECK:         call @tiny_matmul_[[MATMUL]](
// CHECK:         call @tiny_matmul_[[BLOCKS:[0-9]+]](
// CHECK:         lane.get_memref @tiny::@decode scratch [4, 0] : memref<1x1xi32>
// CHECK:         call @tiny_moe_

// CHECK-LABEL: func.func private @tiny_norm_
// CHECK:         scf.parallel
// CHECK:           %[[VALUES:.*]] = memref.alloca() : memref<32xf32>
// CHECK:           memref.store %{{.*}} : memref<1x1xf32>

// CHECK:       func.func private @tiny_matmul_[[BLOCKS]](%{{.*}}: memref<32x18xi8>

// LLVM: llvm.func internal @lane_tiny_decode_body
lane.program @tiny context(16) numerics(one_pass) {
  lane.matrix @a : !lane.matrix<32x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 32>]
  lane.matrix @b : !lane.matrix<32x32xq8_0> rows [#lane.rows<file = 0, offset = 2048, count = 32>]
  lane.matrix @c : !lane.matrix<32x32xq4_0> rows [#lane.rows<file = 0, offset = 4096, count = 32>]
  lane.matrix @router : !lane.matrix<2x32xf32> rows [#lane.rows<file = 0, offset = 8192, count = 2>]
  lane.matrix @up : !lane.matrix<2x32x32xq8_0> rows [#lane.rows<file = 0, offset = 16384, count = 64>]
  lane.matrix @gate : !lane.matrix<2x32x32xq8_0> rows [#lane.rows<file = 0, offset = 32768, count = 64>]
  lane.matrix @down : !lane.matrix<2x32x32xq8_0> rows [#lane.rows<file = 0, offset = 65536, count = 64>]
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<1x32xf32>
    %scores = lane.param "scores" plain <pool> : !lane.buffer<1x2xf32>
    %a = lane.ref @a : !lane.matrix<32x32xq8_0>
    %b = lane.ref @b : !lane.matrix<32x32xq8_0>
    %c = lane.ref @c : !lane.matrix<32x32xq4_0>
    %up = lane.ref @up : !lane.matrix<2x32x32xq8_0>
    %gate = lane.ref @gate : !lane.matrix<2x32x32xq8_0>
    %down = lane.ref @down : !lane.matrix<2x32x32xq8_0>
    %n = lane.alloc "n" quantized <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %z = lane.alloc "z" plain <pool> : !lane.buffer<1x32xf32>
    lane.norm rms ins(%x : !lane.buffer<1x32xf32>) outs(%n : !lane.buffer<1x32xf32>) epsilon(1.0e-6)
    lane.matmul %n by %a into %y : !lane.buffer<1x32xf32>, !lane.matrix<32x32xq8_0> -> !lane.buffer<1x32xf32>
    lane.matmul %n by %b into %z : !lane.buffer<1x32xf32>, !lane.matrix<32x32xq8_0> -> !lane.buffer<1x32xf32>
    lane.matmul %n by %c into %z : !lane.buffer<1x32xf32>, !lane.matrix<32x32xq4_0> -> !lane.buffer<1x32xf32>
    lane.moe %n routed %scores up %up gate %gate down %down into %y active(1) : !lane.buffer<1x32xf32>, !lane.buffer<1x2xf32>, !lane.matrix<2x32x32xq8_0>, !lane.matrix<2x32x32xq8_0>, !lane.matrix<2x32x32xq8_0> -> !lane.buffer<1x32xf32>
  }
}

// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve experts with and without a gate matrix, and with biases.

// CHECK: lane.moe %x routed %r up %u gate %g down %d into %y active(2) : !lane.buffer<1x32xf32>, !lane.buffer<1x4xf32>, !lane.matrix<4x32x32xq8_0>, !lane.matrix<4x32x32xq8_0>, !lane.matrix<4x32x32xq8_0> -> !lane.buffer<1x32xf32>
// CHECK: lane.moe %x routed %r up %u down %d extra(%b : !lane.buffer<4x32xf32>) into %y active(1) : !lane.buffer<1x32xf32>, !lane.buffer<1x4xf32>, !lane.matrix<4x32x32xq8_0>, !lane.matrix<4x32x32xq8_0> -> !lane.buffer<1x32xf32>

lane.program @p context(64) numerics(one_pass) {
  lane.matrix @u : !lane.matrix<4x32x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 128>]
  lane.matrix @g : !lane.matrix<4x32x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 128>]
  lane.matrix @d : !lane.matrix<4x32x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 128>]
  lane.form @decode decode rows(1) {
    %u = lane.ref @u : !lane.matrix<4x32x32xq8_0>
    %g = lane.ref @g : !lane.matrix<4x32x32xq8_0>
    %d = lane.ref @d : !lane.matrix<4x32x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %r = lane.alloc "r" plain <pool> : !lane.buffer<1x4xf32>
    %b = lane.alloc "b" plain <pool> : !lane.buffer<4x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    lane.moe %x routed %r up %u gate %g down %d into %y active(2) : !lane.buffer<1x32xf32>, !lane.buffer<1x4xf32>, !lane.matrix<4x32x32xq8_0>, !lane.matrix<4x32x32xq8_0>, !lane.matrix<4x32x32xq8_0> -> !lane.buffer<1x32xf32>
    lane.moe %x routed %r up %u down %d extra(%b : !lane.buffer<4x32xf32>) into %y active(1) : !lane.buffer<1x32xf32>, !lane.buffer<1x4xf32>, !lane.matrix<4x32x32xq8_0>, !lane.matrix<4x32x32xq8_0> -> !lane.buffer<1x32xf32>
  }
}

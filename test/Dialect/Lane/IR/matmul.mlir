// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve a matmul, with and without a bias.

// CHECK: lane.matmul %x by %w into %y : !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0> -> !lane.buffer<1x4xf32>
// CHECK: lane.matmul %x by %w plus %b into %y scratch [#lane.scratch<tag = 0, bytes = 64, pool>] : !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0>, !lane.buffer<4xf32> -> !lane.buffer<1x4xf32>

lane.program @p context(64) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %b = lane.alloc "b" plain <pool> : !lane.buffer<4xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x4xf32>
    lane.matmul %x by %w into %y : !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0> -> !lane.buffer<1x4xf32>
    lane.matmul %x by %w plus %b into %y scratch [#lane.scratch<tag = 0, bytes = 64, pool>] : !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0>, !lane.buffer<4xf32> -> !lane.buffer<1x4xf32>
  }
}

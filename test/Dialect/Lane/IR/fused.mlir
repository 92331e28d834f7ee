// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve the parts and the scratch of a fused launch.

// CHECK: lane.fused {
// CHECK: lane.matmul %x by %m into %y : !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0> -> !lane.buffer<1x4xf32>
// CHECK: lane.elementwise silu ins(%y : !lane.buffer<1x4xf32>) outs(%y : !lane.buffer<1x4xf32>)
// CHECK: lane.fused scratch [#lane.scratch<tag = 0, bytes = 16, pool>] {
// CHECK: lane.launch "part" ins(%m : !lane.matrix<4x32xq8_0> gather)

lane.program @p context(64) numerics(one_pass) {
  lane.matrix @m : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %m = lane.ref @m : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x4xf32>
    lane.fused {
      lane.matmul %x by %m into %y : !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0> -> !lane.buffer<1x4xf32>
      lane.elementwise silu ins(%y : !lane.buffer<1x4xf32>) outs(%y : !lane.buffer<1x4xf32>)
    }
    lane.fused scratch [#lane.scratch<tag = 0, bytes = 16, pool>] {
      lane.launch "part" ins(%m : !lane.matrix<4x32xq8_0> gather)
    }
  }
}

// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve a gather.

// CHECK: lane.gather %ids of %t into %x : !lane.buffer<2xi32>, !lane.matrix<4x32xq8_0>, !lane.buffer<2x32xf32>

lane.program @p context(64) numerics(one_pass) {
  lane.matrix @t : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %ids = lane.param "ids" plain <pool> : !lane.buffer<2xi32>
    %t = lane.ref @t : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<2x32xf32>
    lane.gather %ids of %t into %x : !lane.buffer<2xi32>, !lane.matrix<4x32xq8_0>, !lane.buffer<2x32xf32>
  }
}

// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve references to each kind of symbol.

// CHECK: %m = lane.ref @m quantized <pool> : !lane.matrix<4x32xq8_0>
// CHECK: %v = lane.ref @v plain <pool> : !lane.buffer<8xf32>
// CHECK: %s = lane.ref @s plain <pool> quantized <pool> : !lane.buffer<64x32xf16>

lane.program @p context(64) numerics(one_pass) {
  lane.matrix @m : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.values @v : !lane.buffer<8xf32>
  lane.state @s : !lane.buffer<64x32xf16>
  lane.form @decode decode rows(1) {
    %m = lane.ref @m quantized <pool> : !lane.matrix<4x32xq8_0>
    %v = lane.ref @v plain <pool> : !lane.buffer<8xf32>
    %s = lane.ref @s plain <pool> quantized <pool> : !lane.buffer<64x32xf16>
  }
}

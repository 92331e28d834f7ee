// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve launches without operands, with each access, and with scratch.

// CHECK: lane.launch "nothing" ins()
// CHECK: lane.launch "dense" ins(%x : !lane.buffer<1x32xf32>, %m : !lane.matrix<4x32xq8_0>) outs(%x : !lane.buffer<1x32xf32>)
// CHECK: lane.launch "mixed" ins(%m : !lane.matrix<4x32xq8_0> gather, %m : !lane.matrix<4x32xq8_0> expert, %m : !lane.matrix<4x32xq8_0> expert(1 of 4), %x : !lane.buffer<1x32xf32>) outs(%x : !lane.buffer<1x32xf32>, %x : !lane.buffer<1x32xf32>)
// CHECK: lane.launch "scratch" ins() scratch [#lane.scratch<tag = 0, bytes = 16, counter, pool>, #lane.scratch<tag = 7, bytes = 100, arena>, #lane.scratch<tag = 8, bytes = 100, arena[256]>]

lane.program @p context(64) numerics(one_pass) {
  lane.matrix @m : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) arena(512) {
    %m = lane.ref @m : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "nothing" ins()
    lane.launch "dense" ins(%x : !lane.buffer<1x32xf32>, %m : !lane.matrix<4x32xq8_0>) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "mixed" ins(%m : !lane.matrix<4x32xq8_0> gather, %m : !lane.matrix<4x32xq8_0> expert, %m : !lane.matrix<4x32xq8_0> expert(1 of 4), %x : !lane.buffer<1x32xf32>) outs(%x : !lane.buffer<1x32xf32>, %x : !lane.buffer<1x32xf32>)
    lane.launch "scratch" ins() scratch [#lane.scratch<tag = 0, bytes = 16, counter, pool>, #lane.scratch<tag = 7, bytes = 100, arena>, #lane.scratch<tag = 8, bytes = 100, arena[256]>]
  }
}

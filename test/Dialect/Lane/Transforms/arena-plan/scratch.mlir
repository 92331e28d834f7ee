// RUN: lane-opt %s --arena-plan | FileCheck %s

// Scratch is live during its launch. The first launch needs "x" of 256 bytes, 300
// bytes of scratch, which use 512, and 100, which use 256. The second needs 700,
// which use 768 and reuse the slots of the other two: 256 + 768 = 1024. The
// counter must keep its value, so it stays in the pool.

// CHECK-LABEL: lane.form @decode decode rows(1) arena(1024) {
lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // CHECK: lane.alloc "x" plain <arena[0]>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<64xf32>
    // CHECK: lane.launch "k" {{.*}} scratch [#lane.scratch<tag = 0, bytes = 300, arena[256]>,
    // CHECK-SAME: #lane.scratch<tag = 7, bytes = 4, counter, pool>,
    // CHECK-SAME: #lane.scratch<tag = 1, bytes = 100, arena[768]>]
    lane.launch "k" ins() outs(%x : !lane.buffer<64xf32>) scratch [#lane.scratch<tag = 0, bytes = 300, pool>, #lane.scratch<tag = 7, bytes = 4, counter, pool>, #lane.scratch<tag = 1, bytes = 100, arena>]
    // CHECK: lane.launch "k" {{.*}} scratch [#lane.scratch<tag = 0, bytes = 700, arena[256]>]
    lane.launch "k" ins(%x : !lane.buffer<64xf32>) scratch [#lane.scratch<tag = 0, bytes = 700, pool>]
    // CHECK: lane.launch "none" ins(){{ *$}}
    lane.launch "none" ins()
  }
}

// A counter in the arena moves to the pool. Scratch without bytes needs no slot.

// CHECK-LABEL: lane.program @counter
// CHECK: lane.form @decode decode rows(1) arena(0) {
lane.program @counter context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // CHECK: scratch [#lane.scratch<tag = 0, bytes = 4, counter, pool>, #lane.scratch<tag = 1, bytes = 0, arena[0]>]
    lane.launch "k" ins() scratch [#lane.scratch<tag = 0, bytes = 4, counter, arena>, #lane.scratch<tag = 1, bytes = 0, pool>]
  }
}

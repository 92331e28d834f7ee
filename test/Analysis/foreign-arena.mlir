// RUN: lane-opt %s --arena-plan | FileCheck %s

// Scratch of launches of another dialect gets slots too, wherever it is stored.

// CHECK: lane.form @decode decode rows(1) arena(768) {
lane.program @foreign context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // CHECK-NEXT: %x = lane.alloc "x" plain <arena[{{[0-9]+}}]> : !lane.buffer<1x32xf32>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // CHECK-NEXT: foreign.plain %x into %x {lane.scratch = [#lane.scratch<tag = 0, bytes = 300, arena[{{[0-9]+}}]>]}
    foreign.plain %x into %x {lane.scratch = [#lane.scratch<tag = 0, bytes = 300, pool>]} : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    // CHECK-NEXT: foreign.block workspace [#lane.scratch<tag = 0, bytes = 300, arena[{{[0-9]+}}]>] {
    foreign.block workspace [#lane.scratch<tag = 0, bytes = 300, pool>] {
      foreign.plain %x into %x : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    }
  }
}

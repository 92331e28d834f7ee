// RUN: lane-opt %s --arena-plan | FileCheck %s

// The parts of a fused launch run at one launch index. "a" and "b" of 256 bytes
// are both live at launch 0, although the output of one part is dead before the
// next part writes. "c" of launch 1 reuses the slot of "a".

// CHECK-LABEL: lane.form @decode decode rows(1) arena(512) {
lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // CHECK: lane.alloc "a" plain <arena[256]>
    %a = lane.alloc "a" plain <arena> : !lane.buffer<64xf32>
    // CHECK: lane.alloc "b" plain <arena[0]>
    %b = lane.alloc "b" plain <arena> : !lane.buffer<64xf32>
    // CHECK: lane.alloc "c" plain <arena[256]>
    %c = lane.alloc "c" plain <arena> : !lane.buffer<64xf32>
    lane.fused {
      lane.launch "k" ins() outs(%a : !lane.buffer<64xf32>)
      lane.launch "k" ins(%a : !lane.buffer<64xf32>)
      lane.launch "k" ins() outs(%b : !lane.buffer<64xf32>)
    }
    lane.launch "k" ins(%b : !lane.buffer<64xf32>) outs(%c : !lane.buffer<64xf32>)
  }
}

// The scratch of a fused launch is live during the whole launch: 512 + 256.

// CHECK-LABEL: lane.program @scratch
// CHECK: lane.form @decode decode rows(1) arena(768) {
lane.program @scratch context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // CHECK: lane.alloc "a" plain <arena[512]>
    %a = lane.alloc "a" plain <arena> : !lane.buffer<64xf32>
    // CHECK: lane.fused scratch [#lane.scratch<tag = 0, bytes = 512, arena[0]>] {
    lane.fused scratch [#lane.scratch<tag = 0, bytes = 512, pool>] {
      lane.launch "k" ins() outs(%a : !lane.buffer<64xf32>)
      lane.launch "k" ins(%a : !lane.buffer<64xf32>)
    }
  }
}

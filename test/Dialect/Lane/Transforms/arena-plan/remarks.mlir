// RUN: lane-opt %s --arena-plan --remark-format=emitRemark --remarks-filter=arena-plan 2>&1 >/dev/null | FileCheck %s

// "a" and "b" are live at launch 0, and "b" and the scratch of 512 bytes at launch
// 1: the lower bound of 768 bytes is reached.

lane.program @p context(16) numerics(one_pass) {
  // CHECK: remarks.mlir:[[@LINE+1]]:3: remark: [Analysis] Arena | Category:arena-plan | Reason="the arena of 'decode' has 3 slots", bytes=768, lower_bound=768
  lane.form @decode decode rows(1) {
    %a = lane.alloc "a" plain <arena> : !lane.buffer<64xf32>
    %b = lane.alloc "b" plain <arena> : !lane.buffer<64xf32>
    lane.fused {
      lane.launch "k" ins() outs(%a : !lane.buffer<64xf32>)
      lane.launch "k" ins(%a : !lane.buffer<64xf32>) outs(%b : !lane.buffer<64xf32>)
    }
    lane.launch "k" ins(%b : !lane.buffer<64xf32>) scratch [#lane.scratch<tag = 0, bytes = 512, pool>]
  }
}

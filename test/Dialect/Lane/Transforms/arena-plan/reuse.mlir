// RUN: lane-opt %s --arena-plan | FileCheck %s

// Each buffer has 64 x 4 = 256 bytes. "a" is live from launch 0 to 1, "b" from 1
// to 2 and "c" from 2 to the end. At most two are live at a time, and "c" reuses
// the slot of "a": 512 bytes for three.

// CHECK-LABEL: lane.form @decode decode rows(1) arena(512) {
lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %ids = lane.param "ids" plain <pool> : !lane.buffer<1xi32>
    // CHECK: lane.alloc "a" plain <arena[0]> : !lane.buffer<64xf32>
    %a = lane.alloc "a" plain <arena> : !lane.buffer<64xf32>
    // CHECK: lane.alloc "b" plain <arena[256]> : !lane.buffer<64xf32>
    %b = lane.alloc "b" plain <arena> : !lane.buffer<64xf32>
    // CHECK: lane.alloc "c" plain <arena[0]> : !lane.buffer<64xf32>
    %c = lane.alloc "c" plain <arena> : !lane.buffer<64xf32>
    lane.launch "k" ins(%ids : !lane.buffer<1xi32>) outs(%a : !lane.buffer<64xf32>)
    lane.launch "k" ins(%a : !lane.buffer<64xf32>) outs(%b : !lane.buffer<64xf32>)
    lane.launch "k" ins(%b : !lane.buffer<64xf32>) outs(%c : !lane.buffer<64xf32>)
  }
}

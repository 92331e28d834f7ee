// RUN: lane-opt %s --arena-plan | FileCheck %s

// Uses of a view, or of a view of a view, are uses of its base. "x" is written at
// launch 0 and last read through "w" at launch 2, so "y", which is live from 1 to
// 2, cannot share its 512 bytes; "z", written at launch 3, can. A view has no
// offset, since its offset is that of its base, here plus 128 bytes.

// CHECK-LABEL: lane.form @decode decode rows(1) arena(1024) {
lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // CHECK: lane.alloc "x" plain <arena[0]> : !lane.buffer<128xf32>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<128xf32>
    // CHECK: lane.view "v" of %x at 32 plain <arena> : !lane.buffer<128xf32> to !lane.buffer<64xf32>
    %v = lane.view "v" of %x at 32 plain <pool> : !lane.buffer<128xf32> to !lane.buffer<64xf32>
    // CHECK: lane.view "w" of %v at 16 : !lane.buffer<64xf32> to !lane.buffer<16xf32>
    %w = lane.view "w" of %v at 16 : !lane.buffer<64xf32> to !lane.buffer<16xf32>
    // CHECK: lane.alloc "y" plain <arena[512]> : !lane.buffer<128xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<128xf32>
    // CHECK: lane.alloc "z" plain <arena[0]> : !lane.buffer<128xf32>
    %z = lane.alloc "z" plain <pool> : !lane.buffer<128xf32>
    lane.launch "k" ins() outs(%v : !lane.buffer<64xf32>)
    lane.launch "k" ins() outs(%y : !lane.buffer<128xf32>)
    lane.launch "k" ins(%w : !lane.buffer<16xf32>, %y : !lane.buffer<128xf32>)
    lane.launch "k" ins() outs(%z : !lane.buffer<128xf32>)
  }
}

// A view of a buffer in the pool is in the pool too, even if its attribute was
// different before.

// CHECK-LABEL: lane.program @pool
// CHECK: lane.form @decode decode rows(1) arena(0) {
lane.program @pool context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %ids = lane.param "ids" plain <pool> : !lane.buffer<64xi32>
    // CHECK: lane.view "v" of %ids at 0 plain <pool> quantized <pool>
    %v = lane.view "v" of %ids at 0 plain <arena> quantized <arena> : !lane.buffer<64xi32> to !lane.buffer<32xi32>
    // CHECK: lane.view "u" of %ids at 1 plain <pool> quantized <pool>
    %u = lane.view "u" of %ids at 1 plain <pool> quantized <pool> : !lane.buffer<64xi32> to !lane.buffer<32xi32>
    lane.launch "k" ins(%v : !lane.buffer<32xi32>, %u : !lane.buffer<32xi32>)
  }
}

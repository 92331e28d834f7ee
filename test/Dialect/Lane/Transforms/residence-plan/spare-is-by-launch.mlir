// RUN: lane-opt %s --residence-plan | FileCheck %s

// 32 MiB, and 16 KiB for each top-level launch of every form. A fused launch is one.
// 33554432 + 4 * 16384.

// CHECK-LABEL: lane.program @spare
// CHECK-NEXT: plan <arena = 0, fixed = 1280, spare = 33619968, order = []> {
lane.program @spare context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "a" ins(%x : !lane.buffer<1x32xf32>)
    lane.launch "a" ins(%x : !lane.buffer<1x32xf32>)
    lane.fused {
      lane.launch "a" ins(%x : !lane.buffer<1x32xf32>)
      lane.launch "a" ins(%x : !lane.buffer<1x32xf32>)
    }
  }
  lane.form @prefill prefill rows(8) {
    %x = lane.alloc "x" : !lane.buffer<1x32xf32>
    lane.launch "a" ins(%x : !lane.buffer<1x32xf32>)
  }
}

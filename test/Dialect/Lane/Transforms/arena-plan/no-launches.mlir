// RUN: lane-opt %s --arena-plan | FileCheck %s

// A form without launches has an arena of 0 bytes: nothing uses its buffers,
// which are in the pool.

// CHECK-LABEL: lane.form @decode decode rows(1) arena(0) {
// CHECK-NEXT:    lane.alloc "x" plain <pool> : !lane.buffer<64xf32>
lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <arena> : !lane.buffer<64xf32>
  }
  // CHECK: lane.form @prefill prefill rows(4) arena(0) {
  // CHECK-NEXT: }
  lane.form @prefill prefill rows(4) {
  }
}

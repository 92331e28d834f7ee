// RUN: lane-opt %s --residence-plan | FileCheck %s

// State uses aligned(16 * 9 * 2 = 288) = 512 bytes once for all forms that
// reference it, and none if no form uses it.

// CHECK-LABEL: lane.program @shared
// CHECK-NEXT: plan <arena = 0, fixed = 1536, spare = 33554432, order = []> {
lane.program @shared context(16) numerics(one_pass) {
  lane.state @s : !lane.buffer<16x9xf16>
  lane.form @decode decode rows(1) {
    %s = lane.ref @s plain <pool> : !lane.buffer<16x9xf16>
  }
  lane.form @prefill prefill rows(8) {
    %s = lane.ref @s plain <pool> : !lane.buffer<16x9xf16>
  }
}

// CHECK-LABEL: lane.program @untouched
// CHECK-NEXT: plan <arena = 0, fixed = 1024, spare = 33554432, order = []> {
lane.program @untouched context(16) numerics(one_pass) {
  lane.state @s : !lane.buffer<16x9xf16>
  lane.form @decode decode rows(1) {
    %s = lane.ref @s : !lane.buffer<16x9xf16>
  }
}

// State that only prefill uses is counted.

// CHECK-LABEL: lane.program @touched_later
// CHECK-NEXT: plan <arena = 0, fixed = 1536, spare = 33554432, order = []> {
lane.program @touched_later context(16) numerics(one_pass) {
  lane.state @s : !lane.buffer<16x9xf16>
  lane.form @decode decode rows(1) {
    %s = lane.ref @s : !lane.buffer<16x9xf16>
  }
  lane.form @prefill prefill rows(8) {
    %s = lane.ref @s plain <pool> : !lane.buffer<16x9xf16>
  }
  lane.form @prefill_2 prefill rows(4) {
    %s = lane.ref @s plain <pool> : !lane.buffer<16x9xf16>
  }
}

// A layer with a window stores only the positions of the window.

// 256 + 16384 + 256 + 16384 of the loop, 524288 and 16384 of state.
// CHECK-LABEL: lane.program @windowed
// CHECK-NEXT: plan <arena = 0, fixed = 573952, spare = 33554432, order = []> {
lane.program @windowed context(4096) numerics(one_pass) {
  lane.state @full : !lane.buffer<4096x64xf16>
  lane.state @window : !lane.buffer<128x64xf16>
  lane.form @decode decode rows(1) {
    %full = lane.ref @full plain <pool> : !lane.buffer<4096x64xf16>
    %window = lane.ref @window plain <pool> : !lane.buffer<128x64xf16>
  }
}

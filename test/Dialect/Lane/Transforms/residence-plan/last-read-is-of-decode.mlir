// RUN: lane-opt %s --residence-plan | FileCheck %s

// The last read is the index of the last top-level launch of the decode form that
// reads the matrix. It is 0 if there is none, as for a read at launch 0.

// CHECK-LABEL: lane.program @last
lane.program @last context(16) numerics(one_pass) {
  // CHECK: lane.matrix @never {{.*}}] residence <class = other, last_read = 0, rank = 2, bytes = 512>{{$}}
  lane.matrix @never : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @at_0 {{.*}}] residence <class = other, last_read = 0, rank = 1, bytes = 512>{{$}}
  lane.matrix @at_0 : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  // CHECK: lane.matrix @at_2 {{.*}}] residence <class = other, last_read = 2, rank = 0, bytes = 512>{{$}}
  lane.matrix @at_2 : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  lane.form @prefill prefill rows(8) {
    %never = lane.ref @never : !lane.matrix<4x32xq8_0>
    %at_2 = lane.ref @at_2 : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "pad" ins(%x : !lane.buffer<1x32xf32>)
    lane.launch "pad" ins(%x : !lane.buffer<1x32xf32>)
    lane.launch "pad" ins(%x : !lane.buffer<1x32xf32>)
    lane.launch "pad" ins(%x : !lane.buffer<1x32xf32>)
    lane.launch "pad" ins(%x : !lane.buffer<1x32xf32>)
    lane.launch "a" ins(%never : !lane.matrix<4x32xq8_0>)
    lane.launch "a" ins(%at_2 : !lane.matrix<4x32xq8_0>)
  }
  lane.form @decode decode rows(1) {
    %at_0 = lane.ref @at_0 : !lane.matrix<4x32xq8_0>
    %at_2 = lane.ref @at_2 : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "a" ins(%at_0 : !lane.matrix<4x32xq8_0>)
    lane.launch "a" ins(%at_2 : !lane.matrix<4x32xq8_0>)
    lane.launch "a" ins(%at_2 : !lane.matrix<4x32xq8_0>)
    lane.launch "pad" ins(%x : !lane.buffer<1x32xf32>)
  }
}

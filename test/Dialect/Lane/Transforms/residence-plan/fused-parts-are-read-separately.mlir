// RUN: lane-opt %s --residence-plan | FileCheck %s

// A fused launch reads like each of its parts, at the index of the launch.

// CHECK-LABEL: lane.program @fused
lane.program @fused context(16) numerics(one_pass) {
  // CHECK: lane.matrix @gathered {{.*}}] residence <class = gather, last_read = 1, rank = 0, bytes = 512>{{$}}
  lane.matrix @gathered : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @expert {{.*}}] residence <class = expert, last_read = 1, rank = 1, bytes = 512>{{$}}
  lane.matrix @expert : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  // CHECK: lane.matrix @dense {{.*}}] residence <class = other, last_read = 2, rank = 3, bytes = 512>{{$}}
  lane.matrix @dense : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  // CHECK: lane.matrix @last {{.*}}] residence <class = other, last_read = 3, rank = 2, bytes = 512>{{$}}
  lane.matrix @last : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 768, count = 4>]
  lane.form @decode decode rows(1) {
    %gathered = lane.ref @gathered : !lane.matrix<4x32xq8_0>
    %expert = lane.ref @expert : !lane.matrix<2x2x32xq8_0>
    %dense = lane.ref @dense : !lane.matrix<4x32xq8_0>
    %last = lane.ref @last : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "pad" ins(%x : !lane.buffer<1x32xf32>)
    lane.fused {
      lane.launch "a" ins(%gathered : !lane.matrix<4x32xq8_0> gather)
      lane.launch "b" ins(%expert : !lane.matrix<2x2x32xq8_0> expert)
      lane.launch "pad" ins(%x : !lane.buffer<1x32xf32>)
    }
    lane.fused {
      lane.launch "c" ins(%dense : !lane.matrix<4x32xq8_0>)
    }
    lane.launch "d" ins(%last : !lane.matrix<4x32xq8_0>)
  }
}

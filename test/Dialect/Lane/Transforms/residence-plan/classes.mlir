// RUN: lane-opt %s --residence-plan | FileCheck %s

// A matrix that is only gathered from is gather-only, one that is read by expert is
// an expert, and all others are other.

// CHECK-LABEL: lane.program @classes
lane.program @classes context(16) numerics(one_pass) {
  // CHECK: lane.matrix @gathered {{.*}}] residence <class = gather, last_read = 0, rank = 0, bytes = 512>{{$}}
  lane.matrix @gathered : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @expert {{.*}}] residence <class = expert, last_read = 1, rank = 1, bytes = 512>{{$}}
  lane.matrix @expert : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  // CHECK: lane.matrix @dense {{.*}}] residence <class = other, last_read = 2, rank = 2, bytes = 512>{{$}}
  lane.matrix @dense : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  // CHECK: lane.matrix @unread {{.*}}] residence <class = other, last_read = 0, rank = 3, bytes = 512>{{$}}
  lane.matrix @unread : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 768, count = 4>]
  lane.form @decode decode rows(1) {
    %gathered = lane.ref @gathered : !lane.matrix<4x32xq8_0>
    %expert = lane.ref @expert : !lane.matrix<2x2x32xq8_0>
    %dense = lane.ref @dense : !lane.matrix<4x32xq8_0>
    %unread = lane.ref @unread : !lane.matrix<4x32xq8_0>
    lane.launch "a" ins(%gathered : !lane.matrix<4x32xq8_0> gather)
    lane.launch "b" ins(%expert : !lane.matrix<2x2x32xq8_0> expert(1 of 2))
    lane.launch "c" ins(%dense : !lane.matrix<4x32xq8_0>)
  }
}

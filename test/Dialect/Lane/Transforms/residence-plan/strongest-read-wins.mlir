// RUN: lane-opt %s --residence-plan | FileCheck %s

// The strongest read of a matrix determines its class, wherever it is.

// CHECK-LABEL: lane.program @strongest
lane.program @strongest context(16) numerics(one_pass) {
  // CHECK: lane.matrix @gather_expert {{.*}}] residence <class = expert, last_read = 1, rank = 1, bytes = 512>{{$}}
  lane.matrix @gather_expert : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @expert_gather {{.*}}] residence <class = expert, last_read = 3, rank = 0, bytes = 512>{{$}}
  lane.matrix @expert_gather : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  // CHECK: lane.matrix @gather_dense {{.*}}] residence <class = other, last_read = 5, rank = 4, bytes = 512>{{$}}
  lane.matrix @gather_dense : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  // CHECK: lane.matrix @dense_gather {{.*}}] residence <class = other, last_read = 7, rank = 3, bytes = 512>{{$}}
  lane.matrix @dense_gather : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 768, count = 4>]
  // CHECK: lane.matrix @expert_dense {{.*}}] residence <class = other, last_read = 9, rank = 2, bytes = 512>{{$}}
  lane.matrix @expert_dense : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 1024, count = 4>]
  lane.form @decode decode rows(1) {
    %gather_expert = lane.ref @gather_expert : !lane.matrix<2x2x32xq8_0>
    %expert_gather = lane.ref @expert_gather : !lane.matrix<2x2x32xq8_0>
    %gather_dense = lane.ref @gather_dense : !lane.matrix<4x32xq8_0>
    %dense_gather = lane.ref @dense_gather : !lane.matrix<4x32xq8_0>
    %expert_dense = lane.ref @expert_dense : !lane.matrix<2x2x32xq8_0>
    lane.launch "a" ins(%gather_expert : !lane.matrix<2x2x32xq8_0> gather)
    lane.launch "a" ins(%gather_expert : !lane.matrix<2x2x32xq8_0> expert)
    lane.launch "a" ins(%expert_gather : !lane.matrix<2x2x32xq8_0> expert(1 of 2))
    lane.launch "a" ins(%expert_gather : !lane.matrix<2x2x32xq8_0> gather)
    lane.launch "a" ins(%gather_dense : !lane.matrix<4x32xq8_0> gather)
    lane.launch "a" ins(%gather_dense : !lane.matrix<4x32xq8_0>)
    lane.launch "a" ins(%dense_gather : !lane.matrix<4x32xq8_0>)
    lane.launch "a" ins(%dense_gather : !lane.matrix<4x32xq8_0> gather)
    lane.launch "a" ins(%expert_dense : !lane.matrix<2x2x32xq8_0> expert)
    lane.launch "a" ins(%expert_dense : !lane.matrix<2x2x32xq8_0>)
  }
}

// One launch can read a matrix in two ways.

// CHECK-LABEL: lane.program @at_once
lane.program @at_once context(16) numerics(one_pass) {
  // CHECK: lane.matrix @both {{.*}}] residence <class = other, last_read = 0, rank = 0, bytes = 512>{{$}}
  lane.matrix @both : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %both = lane.ref @both : !lane.matrix<4x32xq8_0>
    lane.launch "a" ins(%both : !lane.matrix<4x32xq8_0> gather, %both : !lane.matrix<4x32xq8_0>)
  }
}

// RUN: lane-opt %s --residence-plan | FileCheck %s

// Launches that do not read densely: a gather reads its table by rows, and a
// mixture its three stacks by expert. They read their other operands densely.

// CHECK-LABEL: lane.program @gather
lane.program @gather context(16) numerics(one_pass) {
  // CHECK: lane.matrix @ids {{.*}}] residence <class = other, last_read = 0, rank = 1, bytes = 512>{{$}}
  lane.matrix @ids : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @table {{.*}}] residence <class = gather, last_read = 0, rank = 0, bytes = 512>{{$}}
  lane.matrix @table : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  lane.form @decode decode rows(1) {
    %ids = lane.ref @ids : !lane.matrix<4x32xq8_0>
    %table = lane.ref @table : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<128x32xf32>
    lane.gather %ids of %table into %x : !lane.matrix<4x32xq8_0>, !lane.matrix<4x32xq8_0>, !lane.buffer<128x32xf32>
  }
}

// CHECK-LABEL: lane.program @moe
lane.program @moe context(16) numerics(one_pass) {
  // CHECK: lane.matrix @up {{.*}}] residence <class = expert, last_read = 0, rank = 2, bytes = 512>{{$}}
  lane.matrix @up : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @gate {{.*}}] residence <class = expert, last_read = 0, rank = 1, bytes = 512>{{$}}
  lane.matrix @gate : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  // CHECK: lane.matrix @down {{.*}}] residence <class = expert, last_read = 0, rank = 0, bytes = 512>{{$}}
  lane.matrix @down : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  // CHECK: lane.matrix @x {{.*}}] residence <class = other, last_read = 0, rank = 5, bytes = 512>{{$}}
  lane.matrix @x : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 768, count = 4>]
  // CHECK: lane.matrix @router {{.*}}] residence <class = other, last_read = 0, rank = 4, bytes = 512>{{$}}
  lane.matrix @router : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 1024, count = 4>]
  // CHECK: lane.matrix @bias {{.*}}] residence <class = other, last_read = 0, rank = 3, bytes = 512>{{$}}
  lane.matrix @bias : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 1280, count = 4>]
  lane.form @decode decode rows(1) {
    %up = lane.ref @up : !lane.matrix<2x2x32xq8_0>
    %gate = lane.ref @gate : !lane.matrix<2x2x32xq8_0>
    %down = lane.ref @down : !lane.matrix<2x2x32xq8_0>
    %x = lane.ref @x : !lane.matrix<4x32xq8_0>
    %router = lane.ref @router : !lane.matrix<4x32xq8_0>
    %bias = lane.ref @bias : !lane.matrix<4x32xq8_0>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<4x32xf32>
    lane.moe %x routed %router up %up gate %gate down %down extra(%bias : !lane.matrix<4x32xq8_0>) into %y active(1) : !lane.matrix<4x32xq8_0>, !lane.matrix<4x32xq8_0>, !lane.matrix<2x2x32xq8_0>, !lane.matrix<2x2x32xq8_0>, !lane.matrix<2x2x32xq8_0> -> !lane.buffer<4x32xf32>
  }
}

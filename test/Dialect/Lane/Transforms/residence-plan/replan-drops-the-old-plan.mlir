// RUN: lane-opt %s --residence-plan | FileCheck %s

// A plan replaces an old, possibly wrong plan, with its placement and extents, and
// removes a `shares` that no longer applies.

// CHECK-LABEL: lane.program @stale
// CHECK-NEXT: plan <arena = 0, fixed = 1024, spare = 33554432, order = [@a, @b]> {
lane.program @stale context(16) numerics(one_pass)
    plan <arena = 4096, fixed = 1, spare = 1, order = [@b]>
    placement <budget = 5000, moved = 1, device_bytes = 4097, host_bytes = 512> {
  // CHECK: lane.matrix @a {{.*}}] residence <class = other, last_read = 0, rank = 0, bytes = 512>{{$}}
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] shares @b extents [<host, offset = 0, bytes = 512>]
  // CHECK: lane.matrix @b {{.*}}] residence <class = other, last_read = 0, rank = 1, bytes = 512>{{$}}
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>] residence <class = gather, last_read = 9, rank = 0, bytes = 512> extents [<host, offset = 0, bytes = 512>]
  // CHECK: lane.matrix @c {{.*}}] shares @b{{$}}
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>] residence <class = gather, last_read = 9, rank = 0, bytes = 512> extents [<device 0, offset = 0, bytes = 512>]
  lane.form @decode decode rows(1) {
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %c = lane.ref @c : !lane.matrix<4x32xq8_0>
  }
}

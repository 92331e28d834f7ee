// RUN: lane-opt %s --residence-plan | FileCheck %s

// The first matrix in form order, then name order, owns the upload, wherever the
// matrices are defined. A matrix without references comes last.

// CHECK-LABEL: lane.program @by_name
lane.program @by_name context(16) numerics(one_pass) {
  // CHECK: lane.matrix @c {{.*}}] shares @a{{$}}
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @a {{.*}}] residence <class = other, last_read = 1, rank = 0, bytes = 512>{{$}}
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @b {{.*}}] shares @a{{$}}
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %c = lane.ref @c : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    lane.launch "a" ins(%b : !lane.matrix<4x32xq8_0> gather)
    lane.launch "a" ins(%c : !lane.matrix<4x32xq8_0>)
  }
}

// CHECK-LABEL: lane.program @by_form
lane.program @by_form context(16) numerics(one_pass) {
  // CHECK: lane.matrix @a {{.*}}] shares @b{{$}}
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @b {{.*}}] residence <class = other, last_read = 0, rank = 0, bytes = 512>{{$}}
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    lane.launch "a" ins(%b : !lane.matrix<4x32xq8_0> gather)
  }
  lane.form @prefill prefill rows(8) {
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    lane.launch "a" ins(%a : !lane.matrix<4x32xq8_0>)
  }
}

// CHECK-LABEL: lane.program @unheld
lane.program @unheld context(16) numerics(one_pass) {
  // CHECK: lane.matrix @a {{.*}}] shares @z{{$}}
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @z {{.*}}] residence <class = gather, last_read = 0, rank = 0, bytes = 512>{{$}}
  lane.matrix @z : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %z = lane.ref @z : !lane.matrix<4x32xq8_0>
    lane.launch "a" ins(%z : !lane.matrix<4x32xq8_0> gather)
  }
}

// RUN: lane-opt %s --residence-plan | FileCheck %s

// Reads of all forms count: a matrix is other if any form reads it densely, even if
// decode only gathers from it or does not reference it. Last reads are of decode.

// CHECK-LABEL: lane.program @forms
lane.program @forms context(16) numerics(one_pass) {
  // CHECK: lane.matrix @embd {{.*}}] residence <class = other, last_read = 1, rank = 0, bytes = 512>{{$}}
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @vision {{.*}}] residence <class = other, last_read = 0, rank = 2, bytes = 512>{{$}}
  lane.matrix @vision : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  // CHECK: lane.matrix @draft {{.*}}] residence <class = other, last_read = 0, rank = 1, bytes = 512>{{$}}
  lane.matrix @draft : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  lane.form @decode decode rows(1) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "pad" ins(%x : !lane.buffer<1x32xf32>)
    lane.launch "a" ins(%embd : !lane.matrix<4x32xq8_0> gather)
  }
  lane.form @prefill prefill rows(8) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %vision = lane.ref @vision : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "pad" ins(%x : !lane.buffer<1x32xf32>)
    lane.launch "pad" ins(%x : !lane.buffer<1x32xf32>)
    lane.launch "pad" ins(%x : !lane.buffer<1x32xf32>)
    lane.launch "a" ins(%embd : !lane.matrix<4x32xq8_0>)
    lane.launch "a" ins(%vision : !lane.matrix<4x32xq8_0>)
  }
  lane.form @batch batch rows(2) {
    %draft = lane.ref @draft : !lane.matrix<4x32xq8_0>
    lane.launch "a" ins(%draft : !lane.matrix<4x32xq8_0>)
  }
}

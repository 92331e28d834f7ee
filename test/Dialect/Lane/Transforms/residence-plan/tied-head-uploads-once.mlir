// RUN: lane-opt %s --residence-plan | FileCheck %s

// A tied output head and its embedding table are one upload. Its class and last
// read consider the reads of both.

// CHECK-LABEL: lane.program @tied
// CHECK-NEXT: plan <arena = 0, fixed = 1024, spare = 33603584, order = [@output]> {
lane.program @tied context(16) numerics(one_pass) {
  // CHECK: lane.matrix @output {{.*}}] residence <class = other, last_read = 2, rank = 0, bytes = 512>{{$}}
  lane.matrix @output : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @token_embd {{.*}}] shares @output{{$}}
  lane.matrix @token_embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %output = lane.ref @output : !lane.matrix<4x32xq8_0>
    %token_embd = lane.ref @token_embd : !lane.matrix<4x32xq8_0>
    lane.launch "a" ins(%token_embd : !lane.matrix<4x32xq8_0> gather)
    lane.launch "a" ins(%output : !lane.matrix<4x32xq8_0>)
    lane.launch "a" ins(%token_embd : !lane.matrix<4x32xq8_0> gather)
  }
}

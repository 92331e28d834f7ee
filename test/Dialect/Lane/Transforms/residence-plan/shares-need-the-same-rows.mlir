// RUN: lane-opt %s --residence-plan | FileCheck %s

// Matrices share an upload only if they have the same runs in the same order of the
// same file, with the same format and width. Their other dimensions may differ.

// CHECK-LABEL: lane.program @rows
lane.program @rows context(16) numerics(one_pass) {
  // CHECK: lane.matrix @a {{.*}}] residence <class = other, last_read = 0, rank = 0, bytes = 512>{{$}}
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 2>, #lane.rows<file = 0, offset = 512, count = 2>]
  // CHECK: lane.matrix @split {{.*}}] residence <class = other, last_read = 0, rank = 5, bytes = 512>{{$}}
  lane.matrix @split : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 1>, #lane.rows<file = 0, offset = 34, count = 1>, #lane.rows<file = 0, offset = 512, count = 2>]
  // CHECK: lane.matrix @swapped {{.*}}] residence <class = other, last_read = 0, rank = 6, bytes = 512>{{$}}
  lane.matrix @swapped : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 2>, #lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK: lane.matrix @file {{.*}}] residence <class = other, last_read = 0, rank = 2, bytes = 512>{{$}}
  lane.matrix @file : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 1, offset = 0, count = 2>, #lane.rows<file = 0, offset = 512, count = 2>]
  // CHECK: lane.matrix @format {{.*}}] residence <class = other, last_read = 0, rank = 3, bytes = 256>{{$}}
  lane.matrix @format : !lane.matrix<4x32xq4_0> rows [#lane.rows<file = 0, offset = 0, count = 2>, #lane.rows<file = 0, offset = 512, count = 2>]
  // CHECK: lane.matrix @width {{.*}}] residence <class = other, last_read = 0, rank = 7, bytes = 512>{{$}}
  lane.matrix @width : !lane.matrix<4x64xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 2>, #lane.rows<file = 0, offset = 512, count = 2>]
  // CHECK: lane.matrix @offset {{.*}}] residence <class = other, last_read = 0, rank = 4, bytes = 512>{{$}}
  lane.matrix @offset : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 2>, #lane.rows<file = 0, offset = 256, count = 2>]
  // CHECK: lane.matrix @count {{.*}}] residence <class = other, last_read = 0, rank = 1, bytes = 512>{{$}}
  lane.matrix @count : !lane.matrix<5x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 2>, #lane.rows<file = 0, offset = 512, count = 3>]
  // CHECK: lane.matrix @stack {{.*}}] shares @a{{$}}
  lane.matrix @stack : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 2>, #lane.rows<file = 0, offset = 512, count = 2>]
  lane.form @decode decode rows(1) {
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
  }
}

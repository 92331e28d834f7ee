// RUN: lane-opt %s --residence-plan | FileCheck %s

// A read of a view, or of a view of a view, is a read of the matrix.

// CHECK-LABEL: lane.program @views
lane.program @views context(16) numerics(one_pass) {
  // CHECK: lane.matrix @gathered {{.*}}] residence <class = gather, last_read = 0, rank = 0, bytes = 512>{{$}}
  lane.matrix @gathered : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @dense {{.*}}] residence <class = other, last_read = 2, rank = 1, bytes = 512>{{$}}
  lane.matrix @dense : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  lane.form @decode decode rows(1) {
    %gathered = lane.ref @gathered : !lane.matrix<4x32xq8_0>
    %dense = lane.ref @dense : !lane.matrix<4x32xq8_0>
    %rows = lane.view "rows" of %gathered at 32 : !lane.matrix<4x32xq8_0> to !lane.buffer<2x32xf32>
    %half = lane.view "half" of %dense at 0 : !lane.matrix<4x32xq8_0> to !lane.buffer<2x32xf32>
    %quarter = lane.view "quarter" of %half at 32 : !lane.buffer<2x32xf32> to !lane.buffer<1x32xf32>
    lane.launch "a" ins(%rows : !lane.buffer<2x32xf32> gather)
    lane.launch "a" ins(%half : !lane.buffer<2x32xf32> gather)
    lane.launch "a" ins(%quarter : !lane.buffer<1x32xf32>)
  }
}

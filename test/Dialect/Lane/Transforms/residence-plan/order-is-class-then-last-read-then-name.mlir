// RUN: lane-opt %s --residence-plan | FileCheck %s

// The order is by class, then by descending last read, then by name in byte order.

// CHECK-LABEL: lane.program @order
// CHECK-NEXT: plan <arena = 0, fixed = 1024, spare = 33652736, order = [@g3, @g1, @e2, @e1, @d10, @d9, @dB, @da, @d0]> {
lane.program @order context(16) numerics(one_pass) {
  lane.matrix @d0 : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @d10 : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  lane.matrix @d9 : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  lane.matrix @dB : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 768, count = 4>]
  lane.matrix @da : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 1024, count = 4>]
  lane.matrix @e1 : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 1280, count = 4>]
  lane.matrix @e2 : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 1536, count = 4>]
  lane.matrix @g1 : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 1792, count = 4>]
  lane.matrix @g3 : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 2048, count = 4>]
  lane.form @decode decode rows(1) {
    %g1 = lane.ref @g1 : !lane.matrix<2x2x32xq8_0>
    %g3 = lane.ref @g3 : !lane.matrix<2x2x32xq8_0>
    %e1 = lane.ref @e1 : !lane.matrix<2x2x32xq8_0>
    %e2 = lane.ref @e2 : !lane.matrix<2x2x32xq8_0>
    %d0 = lane.ref @d0 : !lane.matrix<2x2x32xq8_0>
    %d9 = lane.ref @d9 : !lane.matrix<2x2x32xq8_0>
    %d10 = lane.ref @d10 : !lane.matrix<2x2x32xq8_0>
    %dB = lane.ref @dB : !lane.matrix<2x2x32xq8_0>
    %da = lane.ref @da : !lane.matrix<2x2x32xq8_0>
    lane.launch "0" ins(%d0 : !lane.matrix<2x2x32xq8_0>)
    lane.launch "1" ins(%e1 : !lane.matrix<2x2x32xq8_0> expert)
    lane.launch "2" ins(%g1 : !lane.matrix<2x2x32xq8_0> gather)
    lane.fused {
      lane.launch "3" ins(%da : !lane.matrix<2x2x32xq8_0>)
      lane.launch "3" ins(%d9 : !lane.matrix<2x2x32xq8_0>)
      lane.launch "3" ins(%dB : !lane.matrix<2x2x32xq8_0>)
      lane.launch "3" ins(%d10 : !lane.matrix<2x2x32xq8_0>)
    }
    lane.launch "4" ins(%e2 : !lane.matrix<2x2x32xq8_0> expert)
    lane.launch "5" ins(%g3 : !lane.matrix<2x2x32xq8_0> gather)
  }
}

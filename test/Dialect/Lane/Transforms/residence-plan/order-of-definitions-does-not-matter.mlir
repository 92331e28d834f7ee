// RUN: split-file %s %t
// RUN: lane-opt %t/sorted.mlir --residence-plan | grep -v lane.ref | sort > %t/sorted.txt
// RUN: lane-opt %t/shuffled.mlir --residence-plan | grep -v lane.ref | sort > %t/shuffled.txt
// RUN: diff %t/sorted.txt %t/shuffled.txt
// RUN: FileCheck %s < %t/sorted.txt

// CHECK: plan <arena = 0, fixed = 1024, spare = 33636352, order = [@e, @a, @c]> {

//--- sorted.mlir
lane.program @p context(16) numerics(one_pass) {
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  lane.matrix @d : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  lane.matrix @e : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  lane.matrix @f : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  lane.form @decode decode rows(1) {
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %c = lane.ref @c : !lane.matrix<4x32xq8_0>
    %d = lane.ref @d : !lane.matrix<4x32xq8_0>
    %e = lane.ref @e : !lane.matrix<4x32xq8_0>
    %f = lane.ref @f : !lane.matrix<4x32xq8_0>
    lane.launch "1" ins(%b : !lane.matrix<4x32xq8_0> gather)
    lane.launch "2" ins(%c : !lane.matrix<4x32xq8_0>)
    lane.launch "3" ins(%f : !lane.matrix<4x32xq8_0> gather)
    lane.launch "4" ins(%e : !lane.matrix<4x32xq8_0> expert)
  }
  lane.form @prefill prefill rows(8) {
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    lane.launch "5" ins(%a : !lane.matrix<4x32xq8_0> expert)
  }
}

//--- shuffled.mlir
lane.program @p context(16) numerics(one_pass) {
  lane.matrix @f : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  lane.matrix @e : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  lane.matrix @d : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %d = lane.ref @d : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %f = lane.ref @f : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %c = lane.ref @c : !lane.matrix<4x32xq8_0>
    %e = lane.ref @e : !lane.matrix<4x32xq8_0>
    lane.launch "1" ins(%b : !lane.matrix<4x32xq8_0> gather)
    lane.launch "2" ins(%c : !lane.matrix<4x32xq8_0>)
    lane.launch "3" ins(%f : !lane.matrix<4x32xq8_0> gather)
    lane.launch "4" ins(%e : !lane.matrix<4x32xq8_0> expert)
  }
  lane.form @prefill prefill rows(8) {
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    lane.launch "5" ins(%a : !lane.matrix<4x32xq8_0> expert)
  }
}

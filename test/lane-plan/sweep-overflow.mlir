// RUN: not lane-plan %s --sweep 2>&1 | FileCheck %s

// The bytes that a step reads may overflow int64 although the sizes do not.

// CHECK: lane-plan: error: {{.*}}sweep-overflow.mlir:[[#@LINE+2]]:1: 'lane.program' op the bytes that a step of 'p' reads overflow int64
// CHECK-NOT: {{.}}
lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<72057594037927936x32xi8> rows [#lane.rows<file = 0, offset = 0, count = 72057594037927936>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<72057594037927936x32xi8>
    lane.launch "a" ins(%w : !lane.matrix<72057594037927936x32xi8>)
    lane.launch "b" ins(%w : !lane.matrix<72057594037927936x32xi8>)
    lane.launch "c" ins(%w : !lane.matrix<72057594037927936x32xi8>)
    lane.launch "d" ins(%w : !lane.matrix<72057594037927936x32xi8>)
  }
}

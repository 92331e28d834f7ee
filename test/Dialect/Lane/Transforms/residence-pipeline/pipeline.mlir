// RUN: lane-opt %s --arena-plan --residence-plan \
// RUN:   --residence-place="budget=1791 policy=least-traffic" -o %t.passes
// RUN: lane-opt %s --residence-pipeline="budget=1791 policy=least-traffic" \
// RUN:   | diff %t.passes -
// RUN: lane-opt %s --pass-pipeline='builtin.module(residence-pipeline{budget=1791})' \
// RUN:   | FileCheck %s --check-prefixes=ALL,LAST
// RUN: lane-opt %s --residence-pipeline="device-bytes=33572607" \
// RUN:   | FileCheck %s --check-prefixes=ALL,LAST
// RUN: lane-opt %s --residence-pipeline=place=false \
// RUN:   | FileCheck %s --check-prefixes=ALL,PLAN
// RUN: not lane-opt %s --residence-pipeline 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE

// The pipeline is the three passes: 1024 bytes of the loop, 256 of the arena and
// 512 of the matrix.

// ALL: plan <arena = 256, fixed = 1024, spare = 33570816, order = [@w]>
// LAST: placement <budget = {{.*}}, moved = 1, device_bytes = 1280, host_bytes = 512> {
// PLAN-NOT: placement
// NONE: error: 'lane.program' op residence-place takes either budget or device-bytes, and the module describes no device
lane.program @p context(16) numerics(one_pass) {
  // LAST: lane.matrix @w {{.*}} extents [<host, offset = 0, bytes = 512>]{{$}}
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <arena> : !lane.buffer<32xf32>
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    lane.launch "a" ins(%w : !lane.matrix<4x32xq8_0>) outs(%x : !lane.buffer<32xf32>)
  }
}

// RUN: lane-opt %s --residence-plan --residence-place=budget=1536 | FileCheck %s --check-prefix=DEVICE
// RUN: lane-opt %s --residence-plan --residence-place=budget=1535 | FileCheck %s --check-prefix=HOST

// All matrices that share an upload move with it, and its bytes are counted once:
// 1024 of the loop and 512.

// DEVICE: placement <budget = 1536, moved = 0, device_bytes = 1536, host_bytes = 0> {
// HOST: placement <budget = 1535, moved = 1, device_bytes = 1024, host_bytes = 512> {
lane.program @tied context(16) numerics(one_pass) {
  // DEVICE: lane.matrix @c {{.*}} side device{{$}}
  // HOST: lane.matrix @c {{.*}} side host{{$}}
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // DEVICE: lane.matrix @a {{.*}} side device{{$}}
  // HOST: lane.matrix @a {{.*}} side host{{$}}
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // DEVICE: lane.matrix @b {{.*}} side device{{$}}
  // HOST: lane.matrix @b {{.*}} side host{{$}}
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %c = lane.ref @c : !lane.matrix<4x32xq8_0>
    lane.launch "x" ins(%c : !lane.matrix<4x32xq8_0> gather)
  }
}

// RUN: lane-opt %s --residence-plan --residence-place=budget=1536 | FileCheck %s --check-prefix=DEVICE
// RUN: lane-opt %s --residence-plan --residence-place=budget=1535 | FileCheck %s --check-prefix=HOST

// An alias has the extents of its owner, and their bytes count once: 1024 of the
// loop and 512.

// DEVICE: placement <budget = 1536, moved = 0, device_bytes = 1536, host_bytes = 0> {
// HOST: placement <budget = 1535, moved = 1, device_bytes = 1024, host_bytes = 512> {
lane.program @tied context(16) numerics(one_pass) {
  // DEVICE: lane.matrix @c {{.*}} extents [<device 0, offset = 0, bytes = 512>]{{$}}
  // HOST: lane.matrix @c {{.*}} extents [<host, offset = 0, bytes = 512>]{{$}}
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // DEVICE: lane.matrix @a {{.*}} extents [<device 0, offset = 0, bytes = 512>]{{$}}
  // HOST: lane.matrix @a {{.*}} extents [<host, offset = 0, bytes = 512>]{{$}}
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // DEVICE: lane.matrix @b {{.*}} extents [<device 0, offset = 0, bytes = 512>]{{$}}
  // HOST: lane.matrix @b {{.*}} extents [<host, offset = 0, bytes = 512>]{{$}}
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %c = lane.ref @c : !lane.matrix<4x32xq8_0>
    lane.launch "x" ins(%c : !lane.matrix<4x32xq8_0> gather)
  }
}

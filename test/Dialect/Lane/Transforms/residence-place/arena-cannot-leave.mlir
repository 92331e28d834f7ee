// RUN: lane-opt %s --residence-plan --residence-place=budget=5120 | FileCheck %s
// RUN: not lane-opt %s --residence-plan --residence-place=budget=5119 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERR

// An arena of 4096 and 1024 of the loop: 5120 bytes are resident.

// CHECK: placement <budget = 5120, moved = 1, device_bytes = 5120, host_bytes = 512> {
// ERR: 'arena' is refused: the program needs 5120 bytes on the device at least, but the budget is 5119 bytes
lane.program @arena context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) arena(4096) {
    %x = lane.alloc "x" plain <arena> : !lane.buffer<1x32xf32>
  }
}

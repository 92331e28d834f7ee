// RUN: lane-opt %s --residence-plan --residence-place=budget=1024 | FileCheck %s
// RUN: not lane-opt %s --residence-plan --residence-place=budget=1023 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERR

// A program without uploads can be placed or refused.

// CHECK: placement <budget = 1024, moved = 0, device_bytes = 1024, host_bytes = 0> {
// ERR: 'none' is refused: the program needs 1024 bytes on the device at least, but the budget is 1023 bytes
lane.program @none context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

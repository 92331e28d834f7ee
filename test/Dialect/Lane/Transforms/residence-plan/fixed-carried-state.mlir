// RUN: lane-opt %s --residence-plan | FileCheck %s

// State of one form uses aligned(3 * 33 * 4 = 396) = 512 bytes in each form: state
// of the same name in two forms is two buffers.

// CHECK-LABEL: lane.program @carried
// CHECK-NEXT: plan <arena = 0, fixed = 2048, spare = 33554432, order = []> {
lane.program @carried context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %c = lane.alloc "c" carried plain <pool> : !lane.buffer<3x33xf32>
  }
  lane.form @prefill prefill rows(8) {
    %c = lane.alloc "c" carried plain <pool> : !lane.buffer<3x33xf32>
  }
}

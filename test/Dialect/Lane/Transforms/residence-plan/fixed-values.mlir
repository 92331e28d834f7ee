// RUN: lane-opt %s --residence-plan | FileCheck %s

// Values that a form references use aligned(4 * 65 = 260) = 512 bytes once for all
// forms, regardless of their storages. Values without references use none.

// CHECK-LABEL: lane.program @held
// CHECK-NEXT: plan <arena = 0, fixed = 1536, spare = 33554432, order = []> {
lane.program @held context(16) numerics(one_pass) {
  lane.values @v : !lane.buffer<65xf32>
  lane.values @unheld : !lane.buffer<65xf32>
  lane.form @decode decode rows(1) {
    %v = lane.ref @v plain <pool> : !lane.buffer<65xf32>
  }
  lane.form @prefill prefill rows(8) {
    %v = lane.ref @v plain <pool> : !lane.buffer<65xf32>
  }
  lane.form @batch prefill rows(2) {
  }
}

// CHECK-LABEL: lane.program @untouched
// CHECK-NEXT: plan <arena = 0, fixed = 1536, spare = 33554432, order = []> {
lane.program @untouched context(16) numerics(one_pass) {
  lane.values @v : !lane.buffer<65xf32>
  lane.form @decode decode rows(1) {
    %v = lane.ref @v : !lane.buffer<65xf32>
  }
}

// CHECK-LABEL: lane.program @only_prefill
// CHECK-NEXT: plan <arena = 0, fixed = 1536, spare = 33554432, order = []> {
lane.program @only_prefill context(16) numerics(one_pass) {
  lane.values @v : !lane.buffer<65xf32>
  lane.form @decode decode rows(1) {
  }
  lane.form @prefill prefill rows(8) {
    %v = lane.ref @v plain <pool> : !lane.buffer<65xf32>
  }
}

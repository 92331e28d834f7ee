// RUN: lane-opt %s --residence-plan | FileCheck %s

// A used parameter has aligned(4 * 65 = 260) = 512 bytes in each form. A position
// belongs to the loop.

// CHECK-LABEL: lane.program @params
// CHECK-NEXT: plan <arena = 0, fixed = 2048, spare = 33554432, order = []> {
lane.program @params context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %ids = lane.param "ids" plain <pool> : !lane.buffer<65xi32>
    %pos = lane.param "pos" position plain <pool> quantized <pool> : !lane.buffer<65xi32>
    %untouched = lane.param "untouched" : !lane.buffer<65xi32>
  }
  lane.form @prefill prefill rows(8) {
    %ids = lane.param "ids" plain <pool> : !lane.buffer<65xi32>
  }
}

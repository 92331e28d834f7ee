// RUN: lane-opt %s --residence-plan | FileCheck %s

// Quants and scales of 300 elements, 9 whole blocks: aligned(300) + aligned(9 * 4) =
// 512 + 256; two-pass numerics add aligned(300) = 512. Plain: aligned(1200) = 1280.

// CHECK-LABEL: lane.program @one_pass
// CHECK-NEXT: plan <arena = 0, fixed = 1792, spare = 33554432, order = []> {
lane.program @one_pass context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" quantized <pool> : !lane.buffer<300xf32>
  }
}

// CHECK-LABEL: lane.program @two_pass
// CHECK-NEXT: plan <arena = 0, fixed = 2304, spare = 33554432, order = []> {
lane.program @two_pass context(16) numerics(two_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" quantized <pool> : !lane.buffer<300xf32>
  }
}

// CHECK-LABEL: lane.program @both
// CHECK-NEXT: plan <arena = 0, fixed = 3072, spare = 33554432, order = []> {
lane.program @both context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> quantized <pool> : !lane.buffer<300xf32>
  }
}

// CHECK-LABEL: lane.program @plain_has_a_slot
// CHECK-NEXT: plan <arena = 0, fixed = 1792, spare = 33554432, order = []> {
lane.program @plain_has_a_slot context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(0) {
    %x = lane.alloc "x" plain <arena> quantized <pool> : !lane.buffer<300xf32>
  }
}

// CHECK-LABEL: lane.program @quantized_has_a_slot
// CHECK-NEXT: plan <arena = 0, fixed = 2304, spare = 33554432, order = []> {
lane.program @quantized_has_a_slot context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(0) {
    %x = lane.alloc "x" plain <pool> quantized <arena> : !lane.buffer<300xf32>
  }
}

// CHECK-LABEL: lane.program @param
// CHECK-NEXT: plan <arena = 0, fixed = 3072, spare = 33554432, order = []> {
lane.program @param context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> quantized <pool> : !lane.buffer<300xf32>
  }
}

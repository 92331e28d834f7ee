// RUN: lane-opt %s --residence-plan | FileCheck %s

// A view uses no bytes, unless it has its own quants and scales because its offset
// is not a multiple of 32: aligned(64) + aligned(64 / 32 * 4) = 512.

// CHECK-LABEL: lane.program @plain
// CHECK-NEXT: plan <arena = 0, fixed = 1024, spare = 33554432, order = []> {
lane.program @plain context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(0) {
    %x = lane.alloc "x" plain <arena> quantized <arena> : !lane.buffer<1x128xf32>
    %v = lane.view "v" of %x at 5 plain <pool> : !lane.buffer<1x128xf32> to !lane.buffer<64xf32>
  }
}

// CHECK-LABEL: lane.program @at_blocks
// CHECK-NEXT: plan <arena = 0, fixed = 1024, spare = 33554432, order = []> {
lane.program @at_blocks context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(0) {
    %x = lane.alloc "x" plain <arena> quantized <arena> : !lane.buffer<1x128xf32>
    %v = lane.view "v" of %x at 0 plain <pool> quantized <pool> : !lane.buffer<1x128xf32> to !lane.buffer<64xf32>
    %u = lane.view "u" of %x at 32 quantized <pool> : !lane.buffer<1x128xf32> to !lane.buffer<64xf32>
  }
}

// CHECK-LABEL: lane.program @within_a_block
// CHECK-NEXT: plan <arena = 0, fixed = 2048, spare = 33554432, order = []> {
lane.program @within_a_block context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(0) {
    %x = lane.alloc "x" plain <arena> quantized <arena> : !lane.buffer<1x128xf32>
    %v = lane.view "v" of %x at 16 quantized <pool> : !lane.buffer<1x128xf32> to !lane.buffer<64xf32>
    %u = lane.view "u" of %x at 33 plain <pool> quantized <pool> : !lane.buffer<1x128xf32> to !lane.buffer<64xf32>
  }
}

// CHECK-LABEL: lane.program @slot
// CHECK-NEXT: plan <arena = 0, fixed = 1024, spare = 33554432, order = []> {
lane.program @slot context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(0) {
    %x = lane.alloc "x" plain <arena> quantized <arena> : !lane.buffer<1x128xf32>
    %v = lane.view "v" of %x at 16 quantized <arena> : !lane.buffer<1x128xf32> to !lane.buffer<64xf32>
  }
}

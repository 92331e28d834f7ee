// RUN: lane-opt %s --residence-plan | FileCheck %s

// Quants and scales of constants are counted once for all forms: aligned(320) +
// aligned(10 * 4) = 512 + 256 of the matrix, which also uploads its rows:
// 10 * 18 + 32 = 212.

// CHECK-LABEL: lane.program @matrix
// CHECK-NEXT: plan <arena = 0, fixed = 1792, spare = 33554432, order = [@w]> {
lane.program @matrix context(16) numerics(one_pass) {
  // CHECK: lane.matrix @w {{.*}}] residence <class = other, last_read = 0, rank = 0, bytes = 256>{{$}}
  lane.matrix @w : !lane.matrix<10x32xq4_0> rows [#lane.rows<file = 0, offset = 0, count = 10>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w quantized <pool> : !lane.matrix<10x32xq4_0>
  }
  lane.form @prefill prefill rows(8) {
    %w = lane.ref @w quantized <pool> : !lane.matrix<10x32xq4_0>
  }
}

// CHECK-LABEL: lane.program @matrix_two_pass
// CHECK-NEXT: plan <arena = 0, fixed = 2304, spare = 33554432, order = [@w]> {
lane.program @matrix_two_pass context(16) numerics(two_pass) {
  // CHECK: lane.matrix @w {{.*}}] residence <class = other, last_read = 0, rank = 0, bytes = 256>{{$}}
  lane.matrix @w : !lane.matrix<10x32xq4_0> rows [#lane.rows<file = 0, offset = 0, count = 10>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w quantized <pool> : !lane.matrix<10x32xq4_0>
  }
}

// CHECK-LABEL: lane.program @slot
// CHECK-NEXT: plan <arena = 0, fixed = 1024, spare = 33554432, order = [@w]> {
lane.program @slot context(16) numerics(one_pass) {
  // CHECK: lane.matrix @w {{.*}}] residence <class = other, last_read = 0, rank = 0, bytes = 256>{{$}}
  lane.matrix @w : !lane.matrix<10x32xq4_0> rows [#lane.rows<file = 0, offset = 0, count = 10>]
  lane.form @decode decode rows(1) arena(0) {
    %w = lane.ref @w quantized <arena> : !lane.matrix<10x32xq4_0>
  }
}

// One form has a slot for them and another does not.

// CHECK-LABEL: lane.program @slot_in_one
// CHECK-NEXT: plan <arena = 0, fixed = 1792, spare = 33554432, order = [@w]> {
lane.program @slot_in_one context(16) numerics(one_pass) {
  // CHECK: lane.matrix @w {{.*}}] residence <class = other, last_read = 0, rank = 0, bytes = 256>{{$}}
  lane.matrix @w : !lane.matrix<10x32xq4_0> rows [#lane.rows<file = 0, offset = 0, count = 10>]
  lane.form @decode decode rows(1) arena(0) {
    %w = lane.ref @w quantized <arena> : !lane.matrix<10x32xq4_0>
  }
  lane.form @prefill prefill rows(8) {
    %w = lane.ref @w quantized <pool> : !lane.matrix<10x32xq4_0>
  }
}

// 64 values: aligned(256), and aligned(64) + aligned(8). The same for state, whose
// plain storage is f16: aligned(128).

// CHECK-LABEL: lane.program @values
// CHECK-NEXT: plan <arena = 0, fixed = 1792, spare = 33554432, order = []> {
lane.program @values context(16) numerics(one_pass) {
  lane.values @v : !lane.buffer<64xf32>
  lane.form @decode decode rows(1) {
    %v = lane.ref @v plain <pool> quantized <pool> : !lane.buffer<64xf32>
  }
}

// CHECK-LABEL: lane.program @state
// CHECK-NEXT: plan <arena = 0, fixed = 1792, spare = 33554432, order = []> {
lane.program @state context(16) numerics(one_pass) {
  lane.state @s : !lane.buffer<64xf16>
  lane.form @decode decode rows(1) {
    %s = lane.ref @s plain <pool> quantized <pool> : !lane.buffer<64xf16>
  }
  lane.form @prefill prefill rows(8) {
    %s = lane.ref @s quantized <pool> : !lane.buffer<64xf16>
  }
}

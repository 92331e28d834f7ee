// RUN: lane-opt %s --residence-plan --residence-place=budget=3583 | FileCheck %s

// With a deficit of one byte, only the first upload of the order moves.

// Arena 0, fixed 1280 (1024 of the loop, 256 of "x"); uploads 512, 768 and 1024, in
// that order: 3584 bytes as a whole.

// CHECK: placement <budget = 3583, moved = 1, device_bytes = 3072, host_bytes = 512> {
// CHECK: lane.matrix @embd {{.*}} extents [<host, offset = 0, bytes = 512>]{{$}}
// CHECK: lane.matrix @up {{.*}} extents [<device 0, offset = 0, bytes = 768>]{{$}}
// CHECK: lane.matrix @w {{.*}} extents [<device 0, offset = 0, bytes = 1024>]{{$}}
// CHECK: lane.matrix @tied {{.*}} extents [<device 0, offset = 0, bytes = 1024>]{{$}}
lane.program @three context(16) numerics(one_pass) {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @up : !lane.matrix<2x4x32xf16> rows [#lane.rows<file = 0, offset = 4096, count = 8>]
  lane.matrix @w : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 8192, count = 6>]
  lane.matrix @tied : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 8192, count = 6>]
  lane.form @decode decode rows(1) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %up = lane.ref @up : !lane.matrix<2x4x32xf16>
    %w = lane.ref @w : !lane.matrix<6x32xf32>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "experts" ins(%x : !lane.buffer<1x32xf32>, %up : !lane.matrix<2x4x32xf16> expert(1 of 2)) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%x : !lane.buffer<1x32xf32>, %w : !lane.matrix<6x32xf32>)
  }
}

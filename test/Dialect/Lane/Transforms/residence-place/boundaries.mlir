// RUN: lane-opt %s --residence-plan --residence-place=budget=3072 | FileCheck %s --check-prefix=B3072
// RUN: lane-opt %s --residence-plan --residence-place=budget=3071 | FileCheck %s --check-prefix=B3071
// RUN: lane-opt %s --residence-plan --residence-place=budget=2304 | FileCheck %s --check-prefix=B2304
// RUN: lane-opt %s --residence-plan --residence-place=budget=2303 | FileCheck %s --check-prefix=B2303
// RUN: lane-opt %s --residence-plan --residence-place=budget=1280 | FileCheck %s --check-prefix=B1280

// Budgets on both sides of every boundary of the order, down to the resident bytes.

// Arena 0, fixed 1280 (1024 of the loop, 256 of "x"); uploads 512, 768 and 1024, in
// that order: 3584 bytes as a whole.

// B3072: placement <budget = 3072, moved = 1, device_bytes = 3072, host_bytes = 512> {
// B3072: lane.matrix @embd {{.*}} extents [<host, offset = 0, bytes = 512>]{{$}}
// B3072: lane.matrix @up {{.*}} extents [<device 0, offset = 0, bytes = 768>]{{$}}
// B3072: lane.matrix @w {{.*}} extents [<device 0, offset = 0, bytes = 1024>]{{$}}
// B3072: lane.matrix @tied {{.*}} extents [<device 0, offset = 0, bytes = 1024>]{{$}}

// B3071: placement <budget = 3071, moved = 2, device_bytes = 2304, host_bytes = 1280> {
// B3071: lane.matrix @embd {{.*}} extents [<host, offset = 0, bytes = 512>]{{$}}
// B3071: lane.matrix @up {{.*}} extents [<host, offset = 0, bytes = 768>]{{$}}
// B3071: lane.matrix @w {{.*}} extents [<device 0, offset = 0, bytes = 1024>]{{$}}
// B3071: lane.matrix @tied {{.*}} extents [<device 0, offset = 0, bytes = 1024>]{{$}}

// B2304: placement <budget = 2304, moved = 2, device_bytes = 2304, host_bytes = 1280> {
// B2304: lane.matrix @embd {{.*}} extents [<host, offset = 0, bytes = 512>]{{$}}
// B2304: lane.matrix @up {{.*}} extents [<host, offset = 0, bytes = 768>]{{$}}
// B2304: lane.matrix @w {{.*}} extents [<device 0, offset = 0, bytes = 1024>]{{$}}
// B2304: lane.matrix @tied {{.*}} extents [<device 0, offset = 0, bytes = 1024>]{{$}}

// B2303: placement <budget = 2303, moved = 3, device_bytes = 1280, host_bytes = 2304> {
// B2303: lane.matrix @embd {{.*}} extents [<host, offset = 0, bytes = 512>]{{$}}
// B2303: lane.matrix @up {{.*}} extents [<host, offset = 0, bytes = 768>]{{$}}
// B2303: lane.matrix @w {{.*}} extents [<host, offset = 0, bytes = 1024>]{{$}}
// B2303: lane.matrix @tied {{.*}} extents [<host, offset = 0, bytes = 1024>]{{$}}

// B1280: placement <budget = 1280, moved = 3, device_bytes = 1280, host_bytes = 2304> {
// B1280: lane.matrix @embd {{.*}} extents [<host, offset = 0, bytes = 512>]{{$}}
// B1280: lane.matrix @up {{.*}} extents [<host, offset = 0, bytes = 768>]{{$}}
// B1280: lane.matrix @w {{.*}} extents [<host, offset = 0, bytes = 1024>]{{$}}
// B1280: lane.matrix @tied {{.*}} extents [<host, offset = 0, bytes = 1024>]{{$}}

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

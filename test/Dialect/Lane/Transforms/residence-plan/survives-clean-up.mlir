// RUN: lane-opt %s --residence-plan --residence-place=budget=3583 --canonicalize --cse --symbol-dce --canonicalize | FileCheck %s
// RUN: lane-opt %s --residence-plan --residence-place=budget=3583 --emit-bytecode | lane-opt --canonicalize --cse --symbol-dce | FileCheck %s
// RUN: lane-opt %s --residence-plan --residence-place=budget=3583 --canonicalize --cse --symbol-dce | lane-opt --residence-place=budget=3583 | FileCheck %s

// Clean-up passes and bytecode preserve a plan: buffers without uses still have
// bytes in it, and it still matches the program.

// CHECK-LABEL: lane.program @three
// CHECK-NEXT: plan <arena = 0, fixed = 1280, spare = 33603584, order = [@embd, @up, @w]>
// CHECK-NEXT: placement <budget = 3583, moved = 1, device_bytes = 3072, host_bytes = 512> {
lane.program @three context(16) numerics(one_pass) {
  // CHECK: lane.matrix @embd {{.*}}] residence <class = gather, last_read = 0, rank = 0, bytes = 512> extents [<host, offset = 0, bytes = 512>]{{$}}
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @up {{.*}}] residence <class = expert, last_read = 1, rank = 1, bytes = 768> extents [<device 0, offset = 0, bytes = 768>]{{$}}
  lane.matrix @up : !lane.matrix<2x4x32xf16> rows [#lane.rows<file = 0, offset = 4096, count = 8>]
  // CHECK: lane.matrix @w {{.*}}] residence <class = other, last_read = 2, rank = 2, bytes = 1024> extents [<device 0, offset = 0, bytes = 1024>]{{$}}
  lane.matrix @w : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 8192, count = 6>]
  // CHECK: lane.matrix @tied {{.*}}] shares @w extents [<device 0, offset = 0, bytes = {{[0-9]+}}>]{{$}}
  lane.matrix @tied : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 8192, count = 6>]
  lane.form @decode decode rows(1) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %up = lane.ref @up : !lane.matrix<2x4x32xf16>
    %w = lane.ref @w : !lane.matrix<6x32xf32>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // CHECK: lane.alloc "unused"
    %unused = lane.alloc "unused" : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "experts" ins(%x : !lane.buffer<1x32xf32>, %up : !lane.matrix<2x4x32xf16> expert(1 of 2)) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%x : !lane.buffer<1x32xf32>, %w : !lane.matrix<6x32xf32>)
  }
}

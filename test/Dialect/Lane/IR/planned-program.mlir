// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve the results of residence-plan and
// residence-place.

// CHECK: lane.program @planned context(16) numerics(two_pass) files(["model.gguf"])
lane.program @planned context(16) numerics(two_pass) files(["model.gguf"])
// CHECK-NEXT: plan <arena = 1024, fixed = 2048, spare = 33587200, order = [@embd, @up, @w]>
plan <arena = 1024, fixed = 2048, spare = 33587200, order = [@embd, @up, @w]>
// CHECK-NEXT: placement <budget = 6000, moved = 1, device_bytes = 5888, host_bytes = 512> {
placement <budget = 6000, moved = 1, device_bytes = 5888, host_bytes = 512> {
  // CHECK-NEXT: lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512> extents [<host, offset = 0, bytes = 512>]
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512> extents [<host, offset = 0, bytes = 512>]
  // CHECK-NEXT: lane.matrix @up : !lane.matrix<2x4x32xf16> rows [#lane.rows<file = 0, offset = 4096, count = 8>] residence <class = expert, last_read = 1, rank = 1, bytes = 768> extents [<device 0, offset = 0, bytes = 768>]
  lane.matrix @up : !lane.matrix<2x4x32xf16> rows [#lane.rows<file = 0, offset = 4096, count = 8>] residence <class = expert, last_read = 1, rank = 1, bytes = 768> extents [<device 0, offset = 0, bytes = 768>]
  // CHECK-NEXT: lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 0, rank = 2, bytes = 512> extents [<device 0, offset = 0, bytes = 512>]
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 0, rank = 2, bytes = 512> extents [<device 0, offset = 0, bytes = 512>]
  // CHECK-NEXT: lane.matrix @tied : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @w extents [<device 0, offset = 0, bytes = 512>]
  lane.matrix @tied : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @w extents [<device 0, offset = 0, bytes = 512>]
  // CHECK-NEXT: lane.form @decode decode rows(1) arena(1024) {
  lane.form @decode decode rows(1) arena(1024) {
    // CHECK-NEXT: %ids = lane.param "ids" position plain <pool> : !lane.buffer<1xi32>
    %ids = lane.param "ids" position plain <pool> : !lane.buffer<1xi32>
    // CHECK-NEXT: %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    // CHECK-NEXT: %up = lane.ref @up : !lane.matrix<2x4x32xf16>
    %up = lane.ref @up : !lane.matrix<2x4x32xf16>
    // CHECK-NEXT: %x = lane.alloc "x" plain <arena[0]> quantized <arena[256]> : !lane.buffer<1x32xf32>
    %x = lane.alloc "x" plain <arena[0]> quantized <arena[256]> : !lane.buffer<1x32xf32>
    // CHECK-NEXT: lane.gather %ids of %embd into %x : !lane.buffer<1xi32>, !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>
    lane.gather %ids of %embd into %x : !lane.buffer<1xi32>, !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>
    // CHECK-NEXT: lane.fused scratch [#lane.scratch<tag = 0, bytes = 4, counter, pool>] {
    lane.fused scratch [#lane.scratch<tag = 0, bytes = 4, counter, pool>] {
      // CHECK-NEXT: lane.launch "experts" ins(%x : !lane.buffer<1x32xf32>, %up : !lane.matrix<2x4x32xf16> expert(1 of 2)) outs(%x : !lane.buffer<1x32xf32>)
      lane.launch "experts" ins(%x : !lane.buffer<1x32xf32>, %up : !lane.matrix<2x4x32xf16> expert(1 of 2)) outs(%x : !lane.buffer<1x32xf32>)
    // CHECK-NEXT: }
    }
  // CHECK-NEXT: }
  }
// CHECK-NEXT: }
}

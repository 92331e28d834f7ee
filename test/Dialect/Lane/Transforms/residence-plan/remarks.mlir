// RUN: lane-opt %s --residence-plan --residence-place=budget=3583 --remark-format=emitRemark --remarks-filter='residence-.*' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:

// Remarks have the class of each upload and the read that determines it, each
// matrix that shares an upload and its owner, and each matrix that moves.

// CHECK: remarks.mlir:[[#@LINE+12]]:3: remark: [Passed] Residence | Category:residence-plan | Reason="'embd' is gather: only gathered from by 'lane.launch'; last decode read is launch 0", bytes=512, rank=0
// CHECK: remarks.mlir:[[#@LINE+12]]:3: remark: [Passed] Residence | Category:residence-plan | Reason="'up' is expert: read as experts by 'lane.launch'; last decode read is launch 1", bytes=768, rank=1
// CHECK: remarks.mlir:[[#@LINE+12]]:3: remark: [Passed] Residence | Category:residence-plan | Reason="'w' is other: read densely by 'lane.launch'; last decode read is launch 2", bytes=1024, rank=2
// CHECK: remarks.mlir:[[#@LINE+13]]:3: remark: [Passed] Residence | Category:residence-plan | Reason="'z' is other: nothing reads it; last decode read is launch 0", bytes=512, rank=3
// CHECK: remarks.mlir:[[#@LINE+11]]:3: remark: [Passed] Residence | Category:residence-plan | Reason="'tied' uploads nothing: it reads the rows of 'w'"
// CHECK: remarks.mlir:[[#@LINE+7]]:3: remark: [Passed] Placement | Category:residence-place | Reason="'embd' lives on the host", bytes=512
// CHECK: remarks.mlir:[[#@LINE+7]]:3: remark: [Passed] Placement | Category:residence-place | Reason="'up' lives on the host", bytes=768

// A program without uploads has no remarks.
lane.program @empty context(16) numerics(one_pass) { lane.form @decode decode rows(1) {} }

lane.program @three context(16) numerics(one_pass) {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @up : !lane.matrix<2x4x32xf16> rows [#lane.rows<file = 0, offset = 4096, count = 8>]
  lane.matrix @w : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 8192, count = 6>]
  lane.matrix @tied : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 8192, count = 6>]
  lane.matrix @z : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 16384, count = 4>]
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

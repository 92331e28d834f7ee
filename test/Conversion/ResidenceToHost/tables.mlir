// The tables of a program: what is where, and what is copied from where to where.
//
// RUN: lane-opt %s --residence-plan --residence-to-host | FileCheck %s

// Uploads in the plan's order: gather-only first, then what is read last. 96 rows
// of q8_0 are 6144 levels and 384 bytes of scales, pooled to 512; 8 rows of q4_K
// are 1152 bytes and 32 of slack, pooled to 1280.
//
// CHECK-LABEL: host.interface @lane_a_model
// CHECK-SAME: "LANE_A_MODEL_W", "LANE_A_MODEL_EMBD", "LANE_A_MODEL_EMBD_SCALES", "LANE_A_MODEL_TIED", "LANE_A_MODEL_TIED_SCALES", "LANE_A_MODEL_LOOP_POSITION"
// CHECK-SAME: "LANE_A_MODEL_DECODE_X", "LANE_A_MODEL_DECODE_X_LEVELS", "LANE_A_MODEL_DECODE_X_SCALES", "LANE_A_MODEL_DECODE_V", "LANE_A_MODEL_DECODE_V_LEVELS", "LANE_A_MODEL_DECODE_V_SCALES"
// CHECK-SAME: "w: q4_K, 1152 bytes of upload 0", "embd: q8_0, 6144 bytes of upload 1", "embd.scales: q8_0, 384 bytes of upload 1", "tied: q8_0, 6144 bytes of upload 1"
// CHECK-SAME: "decode.x: 256 bytes in the arena"
// CHECK: host.table @upload_bytes = dense<[1280, 6656]> : tensor<2xi64>

// Pointers, by the upload or -1 for the pool, -2 for the arena. The view v is 32
// elements into x: 128 bytes of it, 32 levels and one scale.
//
// CHECK-NEXT: host.table @pointer_bases = dense<[0, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1, -1, -2, -2, -2, -2, -2, -2, -2]> : tensor<20xi64>
// CHECK-NEXT: host.table @pointer_offsets = dense<[0, 0, 6144, 0, 6144, 0, 256, 512, 768, 1024, 1280, 1536, 1792, 0, 256, 512, 128, 288, 516, 768]> : tensor<20xi64>
// CHECK-NEXT: host.table @file_names = "a.gguf\00b.gguf\00"

// Ten figures each: file, offset, bytes, type, columns, row bytes, upload,
// destination, the scales' destination, name. First zeros: the arena, the fixed
// part, the slack of w, and what its scales leave of embd. Then values that are
// known; then the files in the order of their offsets: w, which has two runs in
// two files, embd in levels and scales, and the norm.
//
// CHECK: host.table @segments = dense<[
// CHECK-SAME: -2, 0, 1024, 0, 0, 0, -2, 0, 0, 0,
// CHECK-SAME: -2, 0, 2048, 0, 0, 0, -1, 0, 0, 0,
// CHECK-SAME: -2, 0, 128, 0, 0, 0, 0, 1152, 0, 0,
// CHECK-SAME: -2, 0, 128, 0, 0, 0, 1, 6528, 0, 0,
// CHECK-SAME: -1, 0, 8, 0, 0, 0, -1, 1536, 0, 0,
// CHECK-SAME: 0, 4096, 6528, 8, 64, 68, 1, 0, 6144, 2,
// CHECK-SAME: 0, 20000, 432, 12, 256, 144, 0, 720, 0, 0,
// CHECK-SAME: 1, 64, 720, 12, 256, 144, 0, 0, 0, 0,
// CHECK-SAME: 1, 4096, 256, 0, 64, 256, -1, 1280, 0, 7]>
// CHECK: host.table @segment_names = "w\00embd\00norm\00"
// CHECK: host.table @values = dense<[1.000000e+00, 5.000000e-01]> : tensor<2xf32>
// CHECK: func.func @lane_a_model_close(
// CHECK: func.func @lane_a_model_open(
// CHECK-NOT: lane.
lane.program @"a-model" context(16) numerics(one_pass) files(["a.gguf", "b.gguf"]) {
  lane.matrix @embd : !lane.matrix<96x64xq8_0>
    rows [#lane.rows<file = 0, offset = 4096, count = 96>]
  lane.matrix @tied : !lane.matrix<96x64xq8_0>
    rows [#lane.rows<file = 0, offset = 4096, count = 96>]
  lane.matrix @w : !lane.matrix<8x256xq4_K>
    rows [#lane.rows<file = 1, offset = 64, count = 5>, #lane.rows<file = 0, offset = 20000, count = 3>]
  lane.values @norm : !lane.buffer<64xf32>
    rows [#lane.rows<file = 1, offset = 4096, count = 1>]
  lane.values @scale : !lane.buffer<2xf32> data dense<[1.0, 0.5]> : tensor<2xf32>
  lane.values @zeros : !lane.buffer<4xf32>
  lane.form @decode decode rows(1) arena(1024) {
    %ids = lane.param "ids" plain <pool> : !lane.buffer<1xi32>
    %e = lane.ref @embd : !lane.matrix<96x64xq8_0>
    %t = lane.ref @tied : !lane.matrix<96x64xq8_0>
    %w = lane.ref @w : !lane.matrix<8x256xq4_K>
    %n = lane.ref @norm plain <pool> : !lane.buffer<64xf32>
    %s = lane.ref @scale plain <pool> : !lane.buffer<2xf32>
    %z = lane.ref @zeros plain <pool> : !lane.buffer<4xf32>
    %x = lane.alloc "x" plain <arena[0]> quantized <arena[256]> : !lane.buffer<1x64xf32>
    %v = lane.view "v" of %x at 32 plain <arena> quantized <arena> : !lane.buffer<1x64xf32> to !lane.buffer<32xf32>
    %y = lane.alloc "y" plain <arena[768]> : !lane.buffer<1x64xf32>
    lane.launch "head" ins(%t : !lane.matrix<96x64xq8_0>) outs(%y : !lane.buffer<1x64xf32>)
    lane.launch "body" ins(%w : !lane.matrix<8x256xq4_K>) outs(%y : !lane.buffer<1x64xf32>)
  }
}

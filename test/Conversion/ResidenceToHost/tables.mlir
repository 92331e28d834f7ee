// The description of a program: its uploads, pointers, files and segments.
//
// RUN: lane-opt %s --residence-plan -o %t.mlir
// RUN: lane-opt %t.mlir --residence-to-host | FileCheck %s
// RUN: lane-opt %t.mlir --residence-to-host=target=cpp | FileCheck %s --check-prefix=CPP

// Bytes of the uploads in the plan's order: gather-only first, then the latest
// read. 96 rows of q8_0 are 6144 quants and 384 bytes of scales, aligned to 512; 8
// rows of q4_K are 1152 bytes and 32 of slack, aligned to 1280. Only the policy
// least-traffic needs the bytes that a step reads.
//
// CHECK: llvm.mlir.global internal constant @lane_a_model_uploads(dense<
// CHECK-SAME: {{\[\[}}1280, 0], [6656, 0]]> : tensor<2x2xi64>)
// CPP-DAG: global static const @lane_a_model_uploads : {{.*}}{\0A  {1280, 0},\0A  {6656, 0},\0A}

// Pointers: the upload, -1 for the fixed part or -2 for the arena, and the offset.
// The view v starts at element 32 of x: 128 bytes, 32 quants and one scale.
//
// CHECK: llvm.mlir.global internal constant @lane_a_model_pointers(dense<
// CHECK-SAME: {{\[\[}}0, 0], [1, 0], [1, 6144], [1, 0], [1, 6144],
// CHECK-SAME: [-1, 0], [-1, 256], [-1, 512], [-1, 768], [-1, 1024], [-1, 1280], [-1, 1536], [-1, 1792],
// CHECK-SAME: [-2, 0], [-2, 256], [-2, 512], [-2, 128], [-2, 288], [-2, 516], [-2, 768]]> : tensor<20x2xi64>)
// CPP-DAG: /* w: q4_K, 1152 bytes of upload 0 */\0A  LANE_A_MODEL_W,
// CPP-DAG: /* embd: q8_0, 6144 bytes of upload 1 */\0A  LANE_A_MODEL_EMBD,
// CPP-DAG: /* embd.scales: q8_0, 384 bytes of upload 1 */\0A  LANE_A_MODEL_EMBD_SCALES,
// CPP-DAG: /* tied: q8_0, 6144 bytes of upload 1 */\0A  LANE_A_MODEL_TIED,
// CPP-DAG: /* decode.x: 256 bytes in the arena */\0A  LANE_A_MODEL_DECODE_X,
// CPP-DAG: @lane_a_model_pointers : {{.*}}{0, 0},\0A  {1, 0},\0A  {1, 6144},

// CHECK: @lane_a_model_file_names("a.gguf\00b.gguf\00\00")
// CPP-DAG: @lane_a_model_file_names : {{.*}}\22a.gguf\\000\22\0A  \22b.gguf\\000\22

// Segments: source, offset, bytes, type, columns, row bytes, base, destination,
// destination of the scales, name, name in the file. Zeros come first: the arena, the fixed part, the
// slack of w, and the rest of embd's scales. Then known values; then the files by
// offset: w, which has two runs in two files, embd in quants and scales, and norm.
//
// CHECK: @lane_a_model_segments(dense<
// CHECK-SAME: [-2, 0, 1024, 0, 0, 0, -2, 0, 0, 0, 0],
// CHECK-SAME: [-2, 0, 2048, 0, 0, 0, -1, 0, 0, 0, 0],
// CHECK-SAME: [-2, 0, 128, 0, 0, 0, 0, 1152, 0, 0, 0],
// CHECK-SAME: [-2, 0, 128, 0, 0, 0, 1, 6528, 0, 0, 0],
// CHECK-SAME: [-1, 0, 8, 0, 0, 0, -1, 1536, 0, 0, 0],
// CHECK-SAME: [0, 4096, 6528, 8, 64, 68, 1, 0, 6144, 2, -1],
// CHECK-SAME: [0, 20000, 432, 12, 256, 144, 0, 720, 0, 0, -1],
// CHECK-SAME: [1, 64, 720, 12, 256, 144, 0, 0, 0, 0, -1],
// CHECK-SAME: [1, 4096, 256, 0, 64, 256, -1, 1280, 0, 7, 12]]> : tensor<9x11xi64>)
// CPP-DAG: {0, 4096, 6528, 8, 64, 68, 1, 0, 6144, 2, -1},\0A
// CHECK: @lane_a_model_tensor_names("w\00embd\00norm\00output_norm.weight\00\00")
// CHECK: @lane_a_model_values(dense<[1.000000e+00, 5.000000e-01, 0.000000e+00]> : tensor<3xf32>)

// The numbers of the description: arena, fixed part, spare, uploads, pointers,
// files and segments.
//
// CHECK: @lane_a_model_description() {{.*}} !llvm.struct<(i64, i64, i64, i64, i64, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr)>
// CHECK: llvm.mlir.constant(1024 : i64)
// CHECK: llvm.mlir.constant(2048 : i64)
// CHECK: llvm.mlir.constant(33587200 : i64)
// CHECK: llvm.mlir.constant(2 : i64)
// CHECK: llvm.mlir.constant(20 : i64)
// CHECK: llvm.mlir.constant(2 : i64)
// CHECK: llvm.mlir.constant(9 : i64)
// CHECK: llvm.mlir.addressof @lane_a_model_uploads
// CHECK: llvm.mlir.addressof @lane_a_model_pointers
// CHECK: llvm.mlir.addressof @lane_a_model_file_names
// CHECK: llvm.mlir.addressof @lane_a_model_segments
// CHECK: llvm.mlir.addressof @lane_a_model_tensor_names
// CHECK: llvm.mlir.addressof @lane_a_model_values
// CHECK-NOT: lane.
// CPP-DAG: @lane_a_model_description : {{.*}}{\0A  1024, 2048, 33587200, 2, 20, 2, 9,\0A  lane_a_model_uploads,
lane.program @"a-model" context(16) numerics(one_pass) files(["a.gguf", "b.gguf"]) {
  lane.matrix @embd : !lane.matrix<96x64xq8_0>
    rows [#lane.rows<file = 0, offset = 4096, count = 96>]
  lane.matrix @tied : !lane.matrix<96x64xq8_0>
    rows [#lane.rows<file = 0, offset = 4096, count = 96>]
  lane.matrix @w : !lane.matrix<8x256xq4_K>
    rows [#lane.rows<file = 1, offset = 64, count = 5>, #lane.rows<file = 0, offset = 20000, count = 3>]
  lane.values @norm : !lane.buffer<64xf32>
    rows [#lane.rows<file = 1, offset = 4096, count = 1, tensor = "output_norm.weight">]
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

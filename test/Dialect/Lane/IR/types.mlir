// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines

// Every number format of a matrix, with rows of one block, and shapes and element
// types of buffers.

lane.program @types context(16) numerics(one_pass) {
  // CHECK: lane.matrix @f32 : !lane.matrix<2x1xf32> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @f32 : !lane.matrix<2x1xf32> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @f16 : !lane.matrix<2x1xf16> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @f16 : !lane.matrix<2x1xf16> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q4_0 : !lane.matrix<2x32xq4_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q4_0 : !lane.matrix<2x32xq4_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q4_1 : !lane.matrix<2x32xq4_1> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q4_1 : !lane.matrix<2x32xq4_1> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q5_0 : !lane.matrix<2x32xq5_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q5_0 : !lane.matrix<2x32xq5_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q5_1 : !lane.matrix<2x32xq5_1> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q5_1 : !lane.matrix<2x32xq5_1> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q8_0 : !lane.matrix<2x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q8_0 : !lane.matrix<2x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q8_1 : !lane.matrix<2x32xq8_1> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q8_1 : !lane.matrix<2x32xq8_1> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q2_K : !lane.matrix<2x256xq2_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q2_K : !lane.matrix<2x256xq2_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q3_K : !lane.matrix<2x256xq3_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q3_K : !lane.matrix<2x256xq3_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q4_K : !lane.matrix<2x256xq4_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q4_K : !lane.matrix<2x256xq4_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q5_K : !lane.matrix<2x256xq5_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q5_K : !lane.matrix<2x256xq5_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q6_K : !lane.matrix<2x256xq6_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q6_K : !lane.matrix<2x256xq6_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q8_K : !lane.matrix<2x256xq8_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q8_K : !lane.matrix<2x256xq8_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @iq2_xxs : !lane.matrix<2x256xiq2_xxs> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @iq2_xxs : !lane.matrix<2x256xiq2_xxs> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @iq2_xs : !lane.matrix<2x256xiq2_xs> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @iq2_xs : !lane.matrix<2x256xiq2_xs> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @iq3_xxs : !lane.matrix<2x256xiq3_xxs> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @iq3_xxs : !lane.matrix<2x256xiq3_xxs> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @iq1_s : !lane.matrix<2x256xiq1_s> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @iq1_s : !lane.matrix<2x256xiq1_s> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @iq4_nl : !lane.matrix<2x32xiq4_nl> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @iq4_nl : !lane.matrix<2x32xiq4_nl> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @iq3_s : !lane.matrix<2x256xiq3_s> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @iq3_s : !lane.matrix<2x256xiq3_s> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @iq2_s : !lane.matrix<2x256xiq2_s> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @iq2_s : !lane.matrix<2x256xiq2_s> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @iq4_xs : !lane.matrix<2x256xiq4_xs> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @iq4_xs : !lane.matrix<2x256xiq4_xs> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @i8 : !lane.matrix<2x1xi8> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @i8 : !lane.matrix<2x1xi8> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @i16 : !lane.matrix<2x1xi16> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @i16 : !lane.matrix<2x1xi16> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @i32 : !lane.matrix<2x1xi32> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @i32 : !lane.matrix<2x1xi32> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @i64 : !lane.matrix<2x1xi64> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @i64 : !lane.matrix<2x1xi64> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @f64 : !lane.matrix<2x1xf64> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @f64 : !lane.matrix<2x1xf64> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @iq1_m : !lane.matrix<2x256xiq1_m> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @iq1_m : !lane.matrix<2x256xiq1_m> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @bf16 : !lane.matrix<2x1xbf16> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @bf16 : !lane.matrix<2x1xbf16> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @tq1_0 : !lane.matrix<2x256xtq1_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @tq1_0 : !lane.matrix<2x256xtq1_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @tq2_0 : !lane.matrix<2x256xtq2_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @tq2_0 : !lane.matrix<2x256xtq2_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @mxfp4 : !lane.matrix<2x32xmxfp4> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @mxfp4 : !lane.matrix<2x32xmxfp4> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @nvfp4 : !lane.matrix<2x64xnvfp4> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @nvfp4 : !lane.matrix<2x64xnvfp4> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q1_0 : !lane.matrix<2x128xq1_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q1_0 : !lane.matrix<2x128xq1_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @q2_0 : !lane.matrix<2x64xq2_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  lane.matrix @q2_0 : !lane.matrix<2x64xq2_0> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK-NEXT: lane.matrix @rank_3 : !lane.matrix<2x3x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 6>]
  lane.matrix @rank_3 : !lane.matrix<2x3x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 6>]
  // CHECK-NEXT: lane.matrix @rank_4 : !lane.matrix<2x3x4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 24>]
  lane.matrix @rank_4 : !lane.matrix<2x3x4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 24>]
  // CHECK-NEXT: lane.state @s_4_i8 : !lane.buffer<4xi8>
  lane.state @s_4_i8 : !lane.buffer<4xi8>
  // CHECK-NEXT: lane.state @s_4_i16 : !lane.buffer<4xi16>
  lane.state @s_4_i16 : !lane.buffer<4xi16>
  // CHECK-NEXT: lane.state @s_4_i32 : !lane.buffer<4xi32>
  lane.state @s_4_i32 : !lane.buffer<4xi32>
  // CHECK-NEXT: lane.state @s_4_i64 : !lane.buffer<4xi64>
  lane.state @s_4_i64 : !lane.buffer<4xi64>
  // CHECK-NEXT: lane.state @s_4_f16 : !lane.buffer<4xf16>
  lane.state @s_4_f16 : !lane.buffer<4xf16>
  // CHECK-NEXT: lane.state @s_4_bf16 : !lane.buffer<4xbf16>
  lane.state @s_4_bf16 : !lane.buffer<4xbf16>
  // CHECK-NEXT: lane.state @s_4_f32 : !lane.buffer<4xf32>
  lane.state @s_4_f32 : !lane.buffer<4xf32>
  // CHECK-NEXT: lane.state @s_4_f64 : !lane.buffer<4xf64>
  lane.state @s_4_f64 : !lane.buffer<4xf64>
  // CHECK-NEXT: lane.state @s_4_f8E4M3FN : !lane.buffer<4xf8E4M3FN>
  lane.state @s_4_f8E4M3FN : !lane.buffer<4xf8E4M3FN>
  // CHECK-NEXT: lane.state @s_4_i24 : !lane.buffer<4xi24>
  lane.state @s_4_i24 : !lane.buffer<4xi24>
  // CHECK-NEXT: lane.state @s_4_ui8 : !lane.buffer<4xui8>
  lane.state @s_4_ui8 : !lane.buffer<4xui8>
  // CHECK-NEXT: lane.state @s_4_si32 : !lane.buffer<4xsi32>
  lane.state @s_4_si32 : !lane.buffer<4xsi32>
  // CHECK-NEXT: lane.state @s_1_2_3_4_5_f32 : !lane.buffer<1x2x3x4x5xf32>
  lane.state @s_1_2_3_4_5_f32 : !lane.buffer<1x2x3x4x5xf32>
  // CHECK-NEXT: lane.state @s_0_f32 : !lane.buffer<0xf32>
  lane.state @s_0_f32 : !lane.buffer<0xf32>
  // CHECK-NEXT: lane.state @s_4_0_f32 : !lane.buffer<4x0xf32>
  lane.state @s_4_0_f32 : !lane.buffer<4x0xf32>
  lane.form @decode decode rows(1) {
  }
}

// RUN: lane-opt %s --residence-plan | FileCheck %s

// A q8_0 upload is two arrays, quants and fp16 scales: aligned(3 * 64) +
// aligned(3 * 2 * 2) = 256 + 256. Other formats are their blocks and the 32 bytes
// of a staged read. All experts of a stack count, not only the active ones.

// CHECK-LABEL: lane.program @bytes
lane.program @bytes context(16) numerics(one_pass) {
  // CHECK: lane.matrix @q8 {{.*}}] residence <class = other, last_read = 0, rank = 8, bytes = 512>{{$}}
  lane.matrix @q8 : !lane.matrix<3x64xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 3>]
  // 257 * 32 = 8224 quants, 257 * 2 = 514 bytes of scales: 8448 + 768.
  // CHECK: lane.matrix @q8_more {{.*}}] residence <class = other, last_read = 0, rank = 9, bytes = 9216>{{$}}
  lane.matrix @q8_more : !lane.matrix<257x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 257>]
  // 3 * 36 + 32 = 140.
  // CHECK: lane.matrix @q4 {{.*}}] residence <class = other, last_read = 0, rank = 7, bytes = 256>{{$}}
  lane.matrix @q4 : !lane.matrix<3x64xq4_0> rows [#lane.rows<file = 0, offset = 0, count = 3>]
  // 7 * 32 + 32 = 256 fits exactly; one row more does not.
  // CHECK: lane.matrix @exact {{.*}}] residence <class = other, last_read = 0, rank = 1, bytes = 256>{{$}}
  lane.matrix @exact : !lane.matrix<7x16xbf16> rows [#lane.rows<file = 0, offset = 0, count = 7>]
  // CHECK: lane.matrix @over {{.*}}] residence <class = other, last_read = 0, rank = 6, bytes = 512>{{$}}
  lane.matrix @over : !lane.matrix<8x16xbf16> rows [#lane.rows<file = 0, offset = 0, count = 8>]
  // 2 * 144 + 32 = 320; 2 * 176 + 32 = 384; 2 * 210 + 32 = 452; 2 * 17 + 32 = 66.
  // CHECK: lane.matrix @kq4 {{.*}}] residence <class = other, last_read = 0, rank = 2, bytes = 512>{{$}}
  lane.matrix @kq4 : !lane.matrix<2x256xq4_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK: lane.matrix @kq5 {{.*}}] residence <class = other, last_read = 0, rank = 3, bytes = 512>{{$}}
  lane.matrix @kq5 : !lane.matrix<2x256xq5_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK: lane.matrix @kq6 {{.*}}] residence <class = other, last_read = 0, rank = 4, bytes = 512>{{$}}
  lane.matrix @kq6 : !lane.matrix<2x256xq6_K> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // CHECK: lane.matrix @mx4 {{.*}}] residence <class = other, last_read = 0, rank = 5, bytes = 256>{{$}}
  lane.matrix @mx4 : !lane.matrix<2x32xmxfp4> rows [#lane.rows<file = 0, offset = 0, count = 2>]
  // All of a stack's experts: 128 * 4 * 64 + 32 = 32800.
  // CHECK: lane.matrix @stack {{.*}}] residence <class = expert, last_read = 0, rank = 0, bytes = 33024>{{$}}
  lane.matrix @stack : !lane.matrix<128x4x32xf16> rows [#lane.rows<file = 0, offset = 0, count = 512>]
  lane.form @decode decode rows(1) {
    %stack = lane.ref @stack : !lane.matrix<128x4x32xf16>
    lane.launch "a" ins(%stack : !lane.matrix<128x4x32xf16> expert(1 of 128))
  }
}

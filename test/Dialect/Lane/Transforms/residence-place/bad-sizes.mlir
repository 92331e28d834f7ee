// RUN: not lane-opt %s --residence-plan --residence-place=budget=12XiB -o /dev/null 2>&1 | FileCheck %s -DSIZE=12XiB -DWHY='expected bytes, or a number with K, M, G, T, KiB, MiB, GiB, TiB, KB, MB, GB or TB'
// RUN: not lane-opt %s --residence-plan --residence-place=budget=-1 -o /dev/null 2>&1 | FileCheck %s -DSIZE=-1 -DWHY='expected bytes, or a number with K, M, G, T, KiB, MiB, GiB, TiB, KB, MB, GB or TB'
// RUN: not lane-opt %s --residence-plan --residence-place=budget=1.5 -o /dev/null 2>&1 | FileCheck %s -DSIZE=1.5 -DWHY='expected bytes, or a number with K, M, G, T, KiB, MiB, GiB, TiB, KB, MB, GB or TB'
// RUN: not lane-opt %s --residence-plan --residence-place=budget=0x10 -o /dev/null 2>&1 | FileCheck %s -DSIZE=0x10 -DWHY='expected bytes, or a number with K, M, G, T, KiB, MiB, GiB, TiB, KB, MB, GB or TB'
// RUN: not lane-opt %s --residence-plan --residence-place=budget=GiB -o /dev/null 2>&1 | FileCheck %s -DSIZE=GiB -DWHY='expected bytes, or a number with K, M, G, T, KiB, MiB, GiB, TiB, KB, MB, GB or TB'
// RUN: not lane-opt %s --residence-plan --residence-place=budget=1e9 -o /dev/null 2>&1 | FileCheck %s -DSIZE=1e9 -DWHY='expected bytes, or a number with K, M, G, T, KiB, MiB, GiB, TiB, KB, MB, GB or TB'
// RUN: not lane-opt %s --residence-plan --residence-place=budget=4kib -o /dev/null 2>&1 | FileCheck %s -DSIZE=4kib -DWHY='expected bytes, or a number with K, M, G, T, KiB, MiB, GiB, TiB, KB, MB, GB or TB'
// RUN: not lane-opt %s --residence-plan --residence-place=budget=9223372036854775808 -o /dev/null 2>&1 | FileCheck %s -DSIZE=9223372036854775808 -DWHY='it exceeds 2^63 - 1 bytes'
// RUN: not lane-opt %s --residence-plan --residence-place=budget=9223372036GiB -o /dev/null 2>&1 | FileCheck %s -DSIZE=9223372036GiB -DWHY='it exceeds 2^63 - 1 bytes'

// An error quotes each string that is not a size.

// CHECK: error: 'lane.program' op residence-place: '[[SIZE]]' is not a size: [[WHY]]{{$}}
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

// RUN: lane-opt %s --verify-roundtrip -o /dev/null
// RUN: lane-opt %s --residence-plan --residence-place=budget=4863 | FileCheck %s
// RUN: lane-opt %s --residence-plan --residence-place=budget=4863 --remark-format=emitRemark --remarks-filter='residence-.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:
// RUN: lane-opt %s --residence-plan --residence-place=budget=4863 --emit-bytecode | lane-opt --canonicalize --cse --residence-place=budget=4863 | FileCheck %s

// Launches of an unknown dialect are planned and placed like those of lane, with
// an interface of their own or an attached one.
//
// Fixed: 1024 of the loop, 256 of "x", and scratch of 256, 512 and 256, one of
// them the counter. Uploads: five of 512. 2304 + 2560 = 4864.

// CHECK: plan <arena = 0, fixed = 2304, spare = 33636352, order = [@table, @stack, @plain, @sparse, @part]>
// CHECK: placement <budget = 4863, moved = 1, device_bytes = 4352, host_bytes = 512> {
lane.program @foreign context(16) numerics(one_pass) {
  // CHECK: lane.matrix @sparse {{.*}}] residence <class = other, last_read = 2, rank = 3, bytes = 512> extents [<device 0, offset = 0, bytes = 512>]{{$}}
  // REMARK-DAG: remark: {{.*}} Reason="'sparse' is other: read densely by 'foreign.spmm'; last decode read is launch 2", bytes=512, rank=3
  lane.matrix @sparse : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @table {{.*}}] residence <class = gather, last_read = 0, rank = 0, bytes = 512> extents [<host, offset = 0, bytes = 512>]{{$}}
  // REMARK-DAG: remark: {{.*}} Reason="'table' is gather: only gathered from by 'foreign.lookup'; last decode read is launch 0", bytes=512, rank=0
  // REMARK-DAG: remark: {{.*}} Reason="'table' lives on the host", bytes=512
  lane.matrix @table : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  // CHECK: lane.matrix @stack {{.*}}] residence <class = expert, last_read = 4, rank = 1, bytes = 512> extents [<device 0, offset = 0, bytes = 512>]{{$}}
  // REMARK-DAG: remark: {{.*}} Reason="'stack' is expert: read as experts by 'foreign.experts'; last decode read is launch 4", bytes=512, rank=1
  lane.matrix @stack : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  // CHECK: lane.matrix @plain {{.*}}] residence <class = other, last_read = 3, rank = 2, bytes = 512> extents [<device 0, offset = 0, bytes = 512>]{{$}}
  // REMARK-DAG: remark: {{.*}} Reason="'plain' is other: read densely by 'foreign.plain'; last decode read is launch 3", bytes=512, rank=2
  lane.matrix @plain : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 768, count = 4>]
  // CHECK: lane.matrix @part {{.*}}] residence <class = other, last_read = 1, rank = 4, bytes = 512> extents [<device 0, offset = 0, bytes = 512>]{{$}}
  // REMARK-DAG: remark: {{.*}} Reason="'part' is other: read densely by 'foreign.spmm'; last decode read is launch 1", bytes=512, rank=4
  lane.matrix @part : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 1024, count = 4>]
  lane.form @decode decode rows(1) arena(0) {
    %sparse = lane.ref @sparse : !lane.matrix<4x32xq8_0>
    %table = lane.ref @table : !lane.matrix<4x32xq8_0>
    %stack = lane.ref @stack : !lane.matrix<2x2x32xq8_0>
    %plain = lane.ref @plain : !lane.matrix<4x32xq8_0>
    %part = lane.ref @part : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    foreign.lookup %table, %x into %x : !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    foreign.block workspace [#lane.scratch<tag = 0, bytes = 4, counter, pool>] {
      foreign.experts 1 of 2 in %stack, %x into %x : !lane.matrix<2x2x32xq8_0>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
      foreign.spmm %part, %x into %x : !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    }
    // CHECK: foreign.spmm %sparse, %x into %x {lane.scratch = [#lane.scratch<tag = 0, bytes = 300, pool>, #lane.scratch<tag = 1, bytes = 300, arena>]}
    foreign.spmm %sparse, %x into %x {lane.scratch = [#lane.scratch<tag = 0, bytes = 300, pool>, #lane.scratch<tag = 1, bytes = 300, arena>]} : !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    foreign.plain %plain into %x {lane.scratch = [#lane.scratch<tag = 0, bytes = 4, pool>]} : !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>
    lane.fused {
      foreign.experts 1 of 2 in %stack, %x into %x : !lane.matrix<2x2x32xq8_0>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    }
  }
}

// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve runs of rows and the results of the passes.

// CHECK: lane.matrix @one : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
// CHECK: lane.matrix @runs : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 1>, #lane.rows<file = 1, offset = 4096, count = 3>]
// CHECK: lane.matrix @stack : !lane.matrix<2x4x256xq4_K> rows [#lane.rows<file = 0, offset = 8192, count = 8>]
// CHECK: lane.matrix @planned : !lane.matrix<4x32xf16> rows [#lane.rows<file = 0, offset = 64, count = 4>] residence <class = gather, last_read = 3, rank = 0, bytes = 512> extents [<host, offset = 0, bytes = 512>]
// CHECK: lane.matrix @shared : !lane.matrix<4x32xf16> rows [#lane.rows<file = 0, offset = 64, count = 4>] shares @planned extents [<host, offset = 0, bytes = 512>]

lane.program @p context(64) numerics(one_pass) {
  lane.matrix @one : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @runs : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 1>, #lane.rows<file = 1, offset = 4096, count = 3>]
  lane.matrix @stack : !lane.matrix<2x4x256xq4_K> rows [#lane.rows<file = 0, offset = 8192, count = 8>]
  lane.matrix @planned : !lane.matrix<4x32xf16> rows [#lane.rows<file = 0, offset = 64, count = 4>] residence <class = gather, last_read = 3, rank = 0, bytes = 512> extents [<host, offset = 0, bytes = 512>]
  lane.matrix @shared : !lane.matrix<4x32xf16> rows [#lane.rows<file = 0, offset = 64, count = 4>] shares @planned extents [<host, offset = 0, bytes = 512>]
  lane.form @decode decode rows(1) {
  }
}

// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve values with rows, with data, and with neither.

// CHECK: lane.values @none : !lane.buffer<8xf32>
// CHECK: lane.values @rows : !lane.buffer<8xf32> rows [#lane.rows<file = 0, offset = 32, count = 1>]
// CHECK: lane.values @given : !lane.buffer<2xf32> data dense<[1.000000e+00, 5.000000e-01]> : tensor<2xf32>

lane.program @p context(64) numerics(one_pass) {
  lane.values @none : !lane.buffer<8xf32>
  lane.values @rows : !lane.buffer<8xf32> rows [#lane.rows<file = 0, offset = 32, count = 1>]
  lane.values @given : !lane.buffer<2xf32> data dense<[1.000000e+00, 5.000000e-01]> : tensor<2xf32>
  lane.form @decode decode rows(1) {
  }
}

// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve both kinds of sampling.

// CHECK: lane.sample argmax %x into %t : !lane.buffer<1x32xf32>, !lane.buffer<1xi32>
// CHECK: lane.sample top_k %x into %t : !lane.buffer<1x32xf32>, !lane.buffer<1xi32>

lane.program @p context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %t = lane.alloc "t" plain <pool> : !lane.buffer<1xi32>
    lane.sample argmax %x into %t : !lane.buffer<1x32xf32>, !lane.buffer<1xi32>
    lane.sample top_k %x into %t : !lane.buffer<1x32xf32>, !lane.buffer<1xi32>
  }
}

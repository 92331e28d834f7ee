// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve each kind of norm, with its weights and bias.

// CHECK: lane.norm rms ins(%x, %w : !lane.buffer<1x32xf32>, !lane.buffer<32xf32>) outs(%y : !lane.buffer<1x32xf32>) epsilon(1.000000e-05)
// CHECK: lane.norm layer ins(%x, %w, %w : !lane.buffer<1x32xf32>, !lane.buffer<32xf32>, !lane.buffer<32xf32>) outs(%y : !lane.buffer<1x32xf32>) epsilon(1.000000e-05)
// CHECK: lane.norm l2 ins(%x : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>) epsilon(1.000000e-05)

lane.program @p context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %w = lane.alloc "w" plain <pool> : !lane.buffer<32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    lane.norm rms ins(%x, %w : !lane.buffer<1x32xf32>, !lane.buffer<32xf32>) outs(%y : !lane.buffer<1x32xf32>) epsilon(1.000000e-05)
    lane.norm layer ins(%x, %w, %w : !lane.buffer<1x32xf32>, !lane.buffer<32xf32>, !lane.buffer<32xf32>) outs(%y : !lane.buffer<1x32xf32>) epsilon(1.000000e-05)
    lane.norm l2 ins(%x : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>) epsilon(1.000000e-05)
  }
}

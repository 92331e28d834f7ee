// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve each recurrence.

// CHECK: lane.recurrent convolution ins(%x : !lane.buffer<1x32xf32>) state(%s : !lane.buffer<3x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
// CHECK: lane.recurrent selective_scan ins(%x : !lane.buffer<1x32xf32>) state(%s : !lane.buffer<3x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
// CHECK: lane.recurrent gated_delta ins(%x : !lane.buffer<1x32xf32>) state(%s : !lane.buffer<3x32xf32>) outs(%y : !lane.buffer<1x32xf32>)

lane.program @p context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %s = lane.alloc "s" plain <pool> : !lane.buffer<3x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    lane.recurrent convolution ins(%x : !lane.buffer<1x32xf32>) state(%s : !lane.buffer<3x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    lane.recurrent selective_scan ins(%x : !lane.buffer<1x32xf32>) state(%s : !lane.buffer<3x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
    lane.recurrent gated_delta ins(%x : !lane.buffer<1x32xf32>) state(%s : !lane.buffer<3x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
  }
}

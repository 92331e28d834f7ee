// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve buffers of any integer or float of whole bytes, and of any rank.

// CHECK: %b0 = lane.alloc "b0" plain <pool> : !lane.buffer<4xi8>
// CHECK: %b1 = lane.alloc "b1" plain <pool> : !lane.buffer<4xi16>
// CHECK: %b2 = lane.alloc "b2" plain <pool> : !lane.buffer<4xi32>
// CHECK: %b3 = lane.alloc "b3" plain <pool> : !lane.buffer<4xi64>
// CHECK: %b4 = lane.alloc "b4" plain <pool> : !lane.buffer<4xf16>
// CHECK: %b5 = lane.alloc "b5" plain <pool> : !lane.buffer<4xbf16>
// CHECK: %b6 = lane.alloc "b6" plain <pool> : !lane.buffer<4xf32>
// CHECK: %b7 = lane.alloc "b7" plain <pool> : !lane.buffer<4xf64>
// CHECK: %b8 = lane.alloc "b8" plain <pool> : !lane.buffer<4xf8E4M3FN>
// CHECK: %b9 = lane.alloc "b9" plain <pool> : !lane.buffer<0xf32>
// CHECK: %b10 = lane.alloc "b10" plain <pool> : !lane.buffer<2x3x4x5xf32>

lane.program @p context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %b0 = lane.alloc "b0" plain <pool> : !lane.buffer<4xi8>
    %b1 = lane.alloc "b1" plain <pool> : !lane.buffer<4xi16>
    %b2 = lane.alloc "b2" plain <pool> : !lane.buffer<4xi32>
    %b3 = lane.alloc "b3" plain <pool> : !lane.buffer<4xi64>
    %b4 = lane.alloc "b4" plain <pool> : !lane.buffer<4xf16>
    %b5 = lane.alloc "b5" plain <pool> : !lane.buffer<4xbf16>
    %b6 = lane.alloc "b6" plain <pool> : !lane.buffer<4xf32>
    %b7 = lane.alloc "b7" plain <pool> : !lane.buffer<4xf64>
    %b8 = lane.alloc "b8" plain <pool> : !lane.buffer<4xf8E4M3FN>
    %b9 = lane.alloc "b9" plain <pool> : !lane.buffer<0xf32>
    %b10 = lane.alloc "b10" plain <pool> : !lane.buffer<2x3x4x5xf32>
  }
}

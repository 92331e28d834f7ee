// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve a conversion, and rows appended to a cache.

// CHECK: lane.copy %x into %h : !lane.buffer<1x32xf32> -> !lane.buffer<1x32xf16>
// CHECK: lane.copy %x into %c at %p : !lane.buffer<1x32xf32>, !lane.buffer<1xi32> -> !lane.buffer<64x32xf16>

lane.program @p context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %h = lane.alloc "h" plain <pool> : !lane.buffer<1x32xf16>
    %c = lane.alloc "c" plain <pool> : !lane.buffer<64x32xf16>
    %p = lane.alloc "p" plain <pool> : !lane.buffer<1xi32>
    lane.copy %x into %h : !lane.buffer<1x32xf32> -> !lane.buffer<1x32xf16>
    lane.copy %x into %c at %p : !lane.buffer<1x32xf32>, !lane.buffer<1xi32> -> !lane.buffer<64x32xf16>
  }
}

// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve both layouts, with and without factors.

// CHECK: lane.rope normal %x at %p into %y dimensions(32) base(1.000000e+04) : !lane.buffer<1x2x32xf32>, !lane.buffer<1xi32> -> !lane.buffer<1x2x32xf32>
// CHECK: lane.rope neox %x at %p factors %f into %y dimensions(16) base(1.000000e+06) : !lane.buffer<1x2x32xf32>, !lane.buffer<1xi32>, !lane.buffer<16xf32> -> !lane.buffer<1x2x32xf32>

lane.program @p context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x2x32xf32>
    %p = lane.alloc "p" plain <pool> : !lane.buffer<1xi32>
    %f = lane.alloc "f" plain <pool> : !lane.buffer<16xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x2x32xf32>
    lane.rope normal %x at %p into %y dimensions(32) base(1.000000e+04) : !lane.buffer<1x2x32xf32>, !lane.buffer<1xi32> -> !lane.buffer<1x2x32xf32>
    lane.rope neox %x at %p factors %f into %y dimensions(16) base(1.000000e+06) : !lane.buffer<1x2x32xf32>, !lane.buffer<1xi32>, !lane.buffer<16xf32> -> !lane.buffer<1x2x32xf32>
  }
}

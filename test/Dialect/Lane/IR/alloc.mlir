// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve storages in the pool, in the arena, and at an arena offset.

// CHECK: %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
// CHECK: %q = lane.alloc "q" quantized <arena> : !lane.buffer<1x64xf32>
// CHECK: %both = lane.alloc "both" plain <arena[256]> quantized <arena[512]> : !lane.buffer<1x64xf32>
// CHECK: %s = lane.alloc "s" carried plain <pool> : !lane.buffer<3x64xf32>

lane.program @p context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(1024) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    %q = lane.alloc "q" quantized <arena> : !lane.buffer<1x64xf32>
    %both = lane.alloc "both" plain <arena[256]> quantized <arena[512]> : !lane.buffer<1x64xf32>
    %s = lane.alloc "s" carried plain <pool> : !lane.buffer<3x64xf32>
  }
}

// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve views, including those of another element type and with an overrun.

// CHECK: %v = lane.view "v" of %x at 32 plain <pool> : !lane.buffer<1x64xf32> to !lane.buffer<32xf32>
// CHECK: %w = lane.view "w" of %x at 32 overrun 16 quantized <pool> : !lane.buffer<1x64xf32> to !lane.buffer<48xf32>
// CHECK: %b = lane.view "b" of %x at 0 : !lane.buffer<1x64xf32> to !lane.buffer<256xi8>
// CHECK: %vv = lane.view "vv" of %v at 16 : !lane.buffer<32xf32> to !lane.buffer<16xf32>

lane.program @p context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    %v = lane.view "v" of %x at 32 plain <pool> : !lane.buffer<1x64xf32> to !lane.buffer<32xf32>
    %w = lane.view "w" of %x at 32 overrun 16 quantized <pool> : !lane.buffer<1x64xf32> to !lane.buffer<48xf32>
    %b = lane.view "b" of %x at 0 : !lane.buffer<1x64xf32> to !lane.buffer<256xi8>
    %vv = lane.view "vv" of %v at 16 : !lane.buffer<32xf32> to !lane.buffer<16xf32>
  }
}

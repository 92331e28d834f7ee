// RUN: lane-opt %s --verify-roundtrip | FileCheck %s --match-full-lines
// RUN: lane-opt %s --mlir-print-op-generic | lane-opt | FileCheck %s --match-full-lines
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s --match-full-lines

// Text, generic form and bytecode preserve full, windowed and chunked attention.

// CHECK: lane.attention ins(%q, %k, %v, %p : !lane.buffer<1x64xf32>, !lane.buffer<64x32xf16>, !lane.buffer<64x32xf16>, !lane.buffer<1xi32>) outs(%y : !lane.buffer<1x64xf32>) heads(4) kv_heads(2)
// CHECK: lane.attention ins(%q, %k, %v, %p : !lane.buffer<1x64xf32>, !lane.buffer<64x32xf16>, !lane.buffer<64x32xf16>, !lane.buffer<1xi32>) outs(%y : !lane.buffer<1x64xf32>) heads(4) kv_heads(2) window(32)
// CHECK: lane.attention ins(%q, %k, %v, %p : !lane.buffer<1x64xf32>, !lane.buffer<64x32xf16>, !lane.buffer<64x32xf16>, !lane.buffer<1xi32>) outs(%y : !lane.buffer<1x64xf32>) heads(4) kv_heads(2) window(32) chunked

lane.program @p context(64) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %q = lane.alloc "q" plain <pool> : !lane.buffer<1x64xf32>
    %k = lane.alloc "k" plain <pool> : !lane.buffer<64x32xf16>
    %v = lane.alloc "v" plain <pool> : !lane.buffer<64x32xf16>
    %p = lane.alloc "p" plain <pool> : !lane.buffer<1xi32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x64xf32>
    lane.attention ins(%q, %k, %v, %p : !lane.buffer<1x64xf32>, !lane.buffer<64x32xf16>, !lane.buffer<64x32xf16>, !lane.buffer<1xi32>) outs(%y : !lane.buffer<1x64xf32>) heads(4) kv_heads(2)
    lane.attention ins(%q, %k, %v, %p : !lane.buffer<1x64xf32>, !lane.buffer<64x32xf16>, !lane.buffer<64x32xf16>, !lane.buffer<1xi32>) outs(%y : !lane.buffer<1x64xf32>) heads(4) kv_heads(2) window(32)
    lane.attention ins(%q, %k, %v, %p : !lane.buffer<1x64xf32>, !lane.buffer<64x32xf16>, !lane.buffer<64x32xf16>, !lane.buffer<1xi32>) outs(%y : !lane.buffer<1x64xf32>) heads(4) kv_heads(2) window(32) chunked
  }
}

// RUN: lane-opt %s | FileCheck %s
// RUN: lane-opt %s | lane-opt | FileCheck %s
// RUN: lane-opt %s -mlir-print-op-generic | lane-opt | FileCheck %s
// RUN: lane-opt %s --emit-bytecode | lane-opt | FileCheck %s
// RUN: lane-opt %s --residence-plan | FileCheck %s --check-prefix=PLAN

// Buffers of quantized formats. Each row is whole blocks: 16 rows of two blocks of
// 34 bytes are 1,088 bytes, padded to 1,280; 16 of two of 18 are 576, padded to 768.
// The loop has 1,024 bytes.

// CHECK:      lane.program @p context(16) numerics(one_pass) {
// CHECK-NEXT:   lane.state @cache_k : !lane.buffer<16x64xq8_0>
// CHECK-NEXT:   lane.state @cache_v : !lane.buffer<16x64xiq4_nl>
// CHECK-NEXT:   lane.form @decode decode rows(1) {
// CHECK-NEXT:     %cache_k = lane.ref @cache_k plain <pool> : !lane.buffer<16x64xq8_0>
// CHECK-NEXT:     %cache_v = lane.ref @cache_v plain <pool> : !lane.buffer<16x64xiq4_nl>
// CHECK-NEXT:     %half = lane.view "half" of %cache_k at 512 plain <pool> : !lane.buffer<16x64xq8_0> to !lane.buffer<8x64xq8_0>
// CHECK-NEXT:     lane.launch "attend" ins(%half : !lane.buffer<8x64xq8_0>, %cache_v : !lane.buffer<16x64xiq4_nl>)

// PLAN: fixed = 3072,

lane.program @p context(16) numerics(one_pass) {
  lane.state @cache_k : !lane.buffer<16x64x!lane.block<q8_0>>
  lane.state @cache_v : !lane.buffer<16x64xiq4_nl>
  lane.form @decode decode rows(1) {
    %cache_k = lane.ref @cache_k plain <pool> : !lane.buffer<16x64xq8_0>
    %cache_v = lane.ref @cache_v plain <pool> : !lane.buffer<16x64xiq4_nl>
    %half = lane.view "half" of %cache_k at 512 plain <pool> : !lane.buffer<16x64xq8_0> to !lane.buffer<8x64xq8_0>
    lane.launch "attend" ins(%half : !lane.buffer<8x64xq8_0>, %cache_v : !lane.buffer<16x64xiq4_nl>)
  }
}

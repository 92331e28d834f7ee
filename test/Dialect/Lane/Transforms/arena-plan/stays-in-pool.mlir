// RUN: lane-opt %s --arena-plan | FileCheck %s

// Buffers that the host writes, that belong to the program, or that are carried
// stay in the pool, or move there. So do buffers that no launch uses, since they
// have no lifetime. A storage that is not used has no slot.

// CHECK-LABEL: lane.form @decode decode rows(1) arena(0) {
lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<1x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.values @norm : !lane.buffer<32xf32>
  lane.state @cache : !lane.buffer<16x32xf16>
  lane.form @decode decode rows(1) {
    // CHECK: lane.param "ids" plain <pool> quantized <pool> : !lane.buffer<1xi32>
    %ids = lane.param "ids" plain <arena> quantized <pool> : !lane.buffer<1xi32>
    // CHECK: lane.ref @w quantized <pool>
    %w = lane.ref @w quantized <arena> : !lane.matrix<1x32xf32>
    // CHECK: lane.ref @norm plain <pool>
    %norm = lane.ref @norm plain <pool> : !lane.buffer<32xf32>
    // CHECK: lane.ref @cache plain <pool>
    %cache = lane.ref @cache plain <pool> : !lane.buffer<16x32xf16>
    // CHECK: lane.alloc "conv" carried plain <pool>
    %conv = lane.alloc "conv" carried plain <pool> : !lane.buffer<3x32xf32>
    // CHECK: lane.alloc "unused" plain <pool>
    %unused = lane.alloc "unused" plain <arena> : !lane.buffer<32xf32>
    // CHECK: lane.alloc "untouched" : !lane.buffer<32xf32>
    %untouched = lane.alloc "untouched" : !lane.buffer<32xf32>
    lane.launch "k"
      ins(%ids : !lane.buffer<1xi32>, %w : !lane.matrix<1x32xf32>, %norm : !lane.buffer<32xf32>)
      outs(%cache : !lane.buffer<16x32xf16>, %conv : !lane.buffer<3x32xf32>, %untouched : !lane.buffer<32xf32>)
  }
}

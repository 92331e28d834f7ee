// RUN: lane-opt %s --arena-plan | FileCheck %s

// 1024 elements are 4096 bytes plain. Quantized, they are 1024 bytes of quants and
// 1024 / 32 x 4 = 128 bytes of scales, which use 256: 1280. Two-pass numerics have
// a second plane of quants: 2304. Both storages have the same lifetime.

// CHECK-LABEL: lane.program @one_pass
// CHECK: lane.form @decode decode rows(1) arena(5376) {
// CHECK: lane.alloc "x" plain <arena[0]> quantized <arena[4096]>
lane.program @one_pass context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <arena> quantized <pool> : !lane.buffer<1024xf32>
    lane.launch "k" ins() outs(%x : !lane.buffer<1024xf32>)
  }
}

// CHECK-LABEL: lane.program @two_pass
// CHECK: lane.form @decode decode rows(1) arena(6400) {
// CHECK: lane.alloc "x" plain <arena[0]> quantized <arena[4096]>
lane.program @two_pass context(16) numerics(two_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <arena> quantized <pool> : !lane.buffer<1024xf32>
    lane.launch "k" ins() outs(%x : !lane.buffer<1024xf32>)
  }
}

// A storage that no launch uses has no slot.

// CHECK-LABEL: lane.program @quantized_alone
// CHECK: lane.form @decode decode rows(1) arena(1280) {
// CHECK: lane.alloc "x" quantized <arena[0]>
lane.program @quantized_alone context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" quantized <pool> : !lane.buffer<1024xf32>
    lane.launch "k" ins() outs(%x : !lane.buffer<1024xf32>)
  }
}

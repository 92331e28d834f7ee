// RUN: lane-opt %s --arena-plan | FileCheck %s

// 1024 elements are 4096 bytes plain. Quantized they are 1024 bytes of levels
// and 1024 / 32 x 4 = 128 bytes of scales, which take 256: 1280. With two
// passes there is a second plane of levels: 2304. Both storages have one life.

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

// A storage that is not touched takes nothing.

// CHECK-LABEL: lane.program @quantized_alone
// CHECK: lane.form @decode decode rows(1) arena(1280) {
// CHECK: lane.alloc "x" quantized <arena[0]>
lane.program @quantized_alone context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" quantized <pool> : !lane.buffer<1024xf32>
    lane.launch "k" ins() outs(%x : !lane.buffer<1024xf32>)
  }
}

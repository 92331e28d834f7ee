// RUN: lane-opt %s --arena-plan | FileCheck %s

// Offsets and the arena are multiples of 256: 65 x 4 = 260 bytes use 512, and one
// byte uses 256. A buffer without elements uses no bytes.

// CHECK-LABEL: lane.form @decode decode rows(1) arena(768) {
lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // CHECK: lane.alloc "a" plain <arena[0]> : !lane.buffer<65xf32>
    %a = lane.alloc "a" plain <arena> : !lane.buffer<65xf32>
    // CHECK: lane.alloc "b" plain <arena[512]> : !lane.buffer<1xi8>
    %b = lane.alloc "b" plain <arena> : !lane.buffer<1xi8>
    // CHECK: lane.alloc "empty" plain <arena[0]> : !lane.buffer<0xf32>
    %empty = lane.alloc "empty" plain <arena> : !lane.buffer<0xf32>
    lane.launch "k" ins() outs(%a : !lane.buffer<65xf32>, %b : !lane.buffer<1xi8>, %empty : !lane.buffer<0xf32>)
    lane.launch "k" ins(%a : !lane.buffer<65xf32>, %b : !lane.buffer<1xi8>)
  }
}

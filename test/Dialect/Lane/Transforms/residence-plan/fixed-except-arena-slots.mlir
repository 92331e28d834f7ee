// RUN: lane-opt %s --residence-plan | FileCheck %s

// A storage with a slot in the arena uses no pool bytes, whether it has an offset
// or not. 1024 of the loop and aligned(4 * 65 = 260) = 512 of "p".

// CHECK-LABEL: lane.program @slots
// CHECK-NEXT: plan <arena = 1024, fixed = 1536, spare = 33554432, order = []> {
lane.program @slots context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(1024) {
    %p = lane.alloc "p" plain <pool> : !lane.buffer<65xf32>
    %a = lane.alloc "a" plain <arena> : !lane.buffer<65xf32>
    %o = lane.alloc "o" plain <arena[0]> quantized <arena[512]> : !lane.buffer<65xf32>
    %i = lane.param "i" plain <arena> : !lane.buffer<65xi32>
    %untouched = lane.alloc "untouched" : !lane.buffer<65xf32>
  }
}

// RUN: lane-opt %s | lane-opt | FileCheck %s

// CHECK: lane.split %x into %a, %b : !lane.buffer<1x96xf32> -> !lane.buffer<1x64xf32>, !lane.buffer<1x32xf32>
// CHECK: lane.split %x into %a, %b groups(4) : !lane.buffer<1x96xf32> -> !lane.buffer<1x64xf32>, !lane.buffer<1x32xf32>
// CHECK: lane.join %a, %b into %x groups(4) : !lane.buffer<1x64xf32>, !lane.buffer<1x32xf32> -> !lane.buffer<1x96xf32>
lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<1x96xf32>
    %a = lane.alloc "a" plain <pool> : !lane.buffer<1x64xf32>
    %b = lane.alloc "b" plain <pool> : !lane.buffer<1x32xf32>
    lane.split %x into %a, %b : !lane.buffer<1x96xf32> -> !lane.buffer<1x64xf32>, !lane.buffer<1x32xf32>
    lane.split %x into %a, %b groups(4) : !lane.buffer<1x96xf32> -> !lane.buffer<1x64xf32>, !lane.buffer<1x32xf32>
    lane.join %a, %b into %x groups(4) : !lane.buffer<1x64xf32>, !lane.buffer<1x32xf32> -> !lane.buffer<1x96xf32>
  }
}

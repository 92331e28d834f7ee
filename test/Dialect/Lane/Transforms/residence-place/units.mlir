// RUN: lane-opt %s --residence-plan --residence-place=budget=4KiB | FileCheck %s -DBUDGET=4096
// RUN: lane-opt %s --residence-plan --residence-place=budget=1MiB | FileCheck %s -DBUDGET=1048576
// RUN: lane-opt %s --residence-plan --residence-place=budget=2GiB | FileCheck %s -DBUDGET=2147483648
// RUN: lane-opt %s --residence-plan --residence-place=budget=1.5GiB | FileCheck %s -DBUDGET=1610612736
// RUN: lane-opt %s --residence-plan --residence-place=budget=4KB | FileCheck %s -DBUDGET=4000
// RUN: lane-opt %s --residence-plan --residence-place=budget=1MB | FileCheck %s -DBUDGET=1000000
// RUN: lane-opt %s --residence-plan --residence-place=budget=12GB | FileCheck %s -DBUDGET=12000000000
// RUN: lane-opt %s --residence-plan --residence-place=budget=305GB | FileCheck %s -DBUDGET=305000000000

// Budgets with units.

// CHECK: placement <budget = [[BUDGET]], moved = 0, device_bytes = 3584, host_bytes = 0> {
lane.program @three context(16) numerics(one_pass) {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @up : !lane.matrix<2x4x32xf16> rows [#lane.rows<file = 0, offset = 4096, count = 8>]
  lane.matrix @w : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 8192, count = 6>]
  lane.matrix @tied : !lane.matrix<6x32xf32> rows [#lane.rows<file = 0, offset = 8192, count = 6>]
  lane.form @decode decode rows(1) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %up = lane.ref @up : !lane.matrix<2x4x32xf16>
    %w = lane.ref @w : !lane.matrix<6x32xf32>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "experts" ins(%x : !lane.buffer<1x32xf32>, %up : !lane.matrix<2x4x32xf16> expert(1 of 2)) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%x : !lane.buffer<1x32xf32>, %w : !lane.matrix<6x32xf32>)
  }
}

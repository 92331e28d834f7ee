// RUN: lane-opt %s --arena-plan --residence-plan | FileCheck %s
// RUN: lane-opt %s --residence-plan | FileCheck %s --check-prefix=BEFORE
// RUN: lane-opt %s --arena-plan --residence-plan --residence-place=budget=100KiB | FileCheck %s --check-prefix=PLACED

// Each form has its own arena, and the program's is the largest of them. With 1
// row, "x" and "y" have 256 bytes each; with 16 rows, 4096 each.
//
// Fixed are 256 + 256 + 256 + 256 of the generation loop, and 256 bytes for the
// ids of each form (1 and 16 i32): 1024 + 512 = 1536. Without arenas the pool
// would also have the activations: 2 x 256 + 2 x 4096 = 8704 bytes. The spare is
// 32 MiB and 16 KiB for each of 4 launches.

// CHECK: lane.program @p context(64) numerics(one_pass)
// CHECK-NEXT: plan <arena = 8192, fixed = 1536, spare = 33619968, order = []> {
// BEFORE: lane.program @p context(64) numerics(one_pass)
// BEFORE-NEXT: plan <arena = 0, fixed = 10240, spare = 33619968, order = []> {
// PLACED: placement <budget = 102400, moved = 0, device_bytes = 9728, host_bytes = 0> {
lane.program @p context(64) numerics(one_pass) {
  // CHECK: lane.form @decode decode rows(1) arena(512) {
  lane.form @decode decode rows(1) {
    %ids = lane.param "ids" plain <pool> : !lane.buffer<1xi32>
    // CHECK: lane.alloc "x" plain <arena[0]> : !lane.buffer<1x64xf32>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // CHECK: lane.alloc "y" plain <arena[256]> : !lane.buffer<1x64xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x64xf32>
    lane.launch "k" ins(%ids : !lane.buffer<1xi32>) outs(%x : !lane.buffer<1x64xf32>)
    lane.launch "k" ins(%x : !lane.buffer<1x64xf32>) outs(%y : !lane.buffer<1x64xf32>)
  }
  // CHECK: lane.form @prefill prefill rows(16) arena(8192) {
  lane.form @prefill prefill rows(16) {
    %ids = lane.param "ids" plain <pool> : !lane.buffer<16xi32>
    // CHECK: lane.alloc "x" plain <arena[0]> : !lane.buffer<16x64xf32>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<16x64xf32>
    // CHECK: lane.alloc "y" plain <arena[4096]> : !lane.buffer<16x64xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<16x64xf32>
    lane.launch "k" ins(%ids : !lane.buffer<16xi32>) outs(%x : !lane.buffer<16x64xf32>)
    lane.launch "k" ins(%x : !lane.buffer<16x64xf32>) outs(%y : !lane.buffer<16x64xf32>)
  }
}

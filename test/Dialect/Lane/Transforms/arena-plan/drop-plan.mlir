// RUN: lane-opt %s --residence-plan --residence-place=budget=1MiB --arena-plan | FileCheck %s
// RUN: lane-opt %s --arena-plan --residence-plan --residence-place=budget=1MiB --arena-plan=replan=true | FileCheck %s --check-prefix=KEPT

// A new arena invalidates the plan and the placement, so both are dropped. If
// arena-plan assigns the same offsets again, both are kept.

// CHECK: lane.program @p context(16) numerics(one_pass) {
// CHECK-NEXT: lane.matrix @w : !lane.matrix<1x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 1>]{{$}}
// KEPT: lane.program @p context(16) numerics(one_pass)
// KEPT-NEXT: plan <{{.*}}>
// KEPT-NEXT: placement <{{.*}}> {
// KEPT-NEXT: lane.matrix @w {{.*}} residence <{{.*}}> extents [<device 0, offset = 0, bytes = {{[0-9]+}}>]{{$}}
lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<1x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<1x32xf32>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<64xf32>
    lane.launch "k" ins(%w : !lane.matrix<1x32xf32>) outs(%x : !lane.buffer<64xf32>)
  }
}

// RUN: lane-opt %s --arena-plan | FileCheck %s --check-prefixes=CHECK,KEEP
// RUN: lane-opt %s --arena-plan=replan=true | FileCheck %s --check-prefixes=CHECK,REPLAN

// A form that has an arena keeps it, with or without offsets, and the program keeps
// its plan; only other forms are planned. With replan, all forms are planned: the
// arena has only "x" of 256 bytes, and storage that cannot be in the arena moves to
// the pool.

// KEEP-LABEL: lane.form @decode decode rows(1) arena(4096) {
// REPLAN-LABEL: lane.form @decode decode rows(1) arena(256) {
lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(4096) {
    // KEEP: lane.param "ids" plain <arena[2048]>
    // REPLAN: lane.param "ids" plain <pool>
    %ids = lane.param "ids" plain <arena[2048]> : !lane.buffer<1xi32>
    // KEEP: lane.alloc "x" plain <arena[1024]>
    // REPLAN: lane.alloc "x" plain <arena[0]>
    %x = lane.alloc "x" plain <arena[1024]> : !lane.buffer<64xf32>
    // KEEP: lane.view "v" of %x at 32 plain <arena[1280]>
    // REPLAN: lane.view "v" of %x at 32 plain <arena> :
    %v = lane.view "v" of %x at 32 plain <arena[1280]> : !lane.buffer<64xf32> to !lane.buffer<32xf32>
    lane.launch "k" ins(%ids : !lane.buffer<1xi32>) outs(%x : !lane.buffer<64xf32>)
  }
  // CHECK-LABEL: lane.form @prefill prefill rows(16) arena(256) {
  lane.form @prefill prefill rows(16) {
    // CHECK: lane.alloc "x" plain <arena[0]>
    %x = lane.alloc "x" plain <arena> : !lane.buffer<64xf32>
    lane.launch "k" ins() outs(%x : !lane.buffer<64xf32>)
  }
}

// An arena without assigned slots, as from another compiler.

// CHECK-LABEL: lane.program @unassigned
// KEEP: lane.form @decode decode rows(1) arena(4096) {
// KEEP: lane.alloc "x" plain <arena> :
// REPLAN: lane.form @decode decode rows(1) arena(256) {
// REPLAN: lane.alloc "x" plain <arena[0]> :
lane.program @unassigned context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(4096) {
    %x = lane.alloc "x" plain <arena> : !lane.buffer<64xf32>
    lane.launch "k" ins() outs(%x : !lane.buffer<64xf32>)
  }
}

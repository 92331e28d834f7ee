// RUN: lane-opt %s --arena-plan | FileCheck %s

// No launch reads "logits" after launch 0, so the host may read it. It is live to
// the end, and "y" and "z" of launches 1 and 2 share no byte with it. Each has 256
// bytes: 512 in all.

// CHECK-LABEL: lane.program @to_the_end
// CHECK: lane.form @decode decode rows(1) arena(512) {
lane.program @to_the_end context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // CHECK: lane.alloc "logits" plain <arena[0]>
    %logits = lane.alloc "logits" plain <arena> : !lane.buffer<64xf32>
    // CHECK: lane.alloc "y" plain <arena[256]>
    %y = lane.alloc "y" plain <arena> : !lane.buffer<64xf32>
    // CHECK: lane.alloc "z" plain <arena[256]>
    %z = lane.alloc "z" plain <arena> : !lane.buffer<64xf32>
    lane.launch "k" ins() outs(%logits : !lane.buffer<64xf32>)
    lane.fused {
      lane.launch "k" ins() outs(%y : !lane.buffer<64xf32>)
      lane.launch "k" ins(%y : !lane.buffer<64xf32>)
    }
    lane.launch "k" ins() outs(%z : !lane.buffer<64xf32>)
  }
}

// "table" is read at launch 1 and not written before, so it is live from the
// start and shares no byte with "x" of launch 0. "y" is written when both are
// dead.

// CHECK-LABEL: lane.program @from_the_start
// CHECK: lane.form @decode decode rows(1) arena(512) {
lane.program @from_the_start context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // CHECK: lane.alloc "x" plain <arena[256]>
    %x = lane.alloc "x" plain <arena> : !lane.buffer<64xf32>
    // CHECK: lane.alloc "table" plain <arena[0]>
    %table = lane.alloc "table" plain <arena> : !lane.buffer<64xf32>
    // CHECK: lane.alloc "y" plain <arena[0]>
    %y = lane.alloc "y" plain <arena> : !lane.buffer<64xf32>
    lane.fused {
      lane.launch "k" ins() outs(%x : !lane.buffer<64xf32>)
      lane.launch "k" ins(%x : !lane.buffer<64xf32>)
    }
    lane.launch "k" ins(%table : !lane.buffer<64xf32>)
    lane.launch "k" ins() outs(%y : !lane.buffer<64xf32>)
  }
}

// A launch reads before it writes, so launch 1 reads the value of "sum" from
// before the form. A buffer that is first read and then written may be for the
// next step, so it is live during the whole form, though its last use is a read.

// CHECK-LABEL: lane.program @in_place
// CHECK: lane.form @decode decode rows(1) arena(512) {
lane.program @in_place context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // CHECK: lane.alloc "x" plain <arena[256]>
    %x = lane.alloc "x" plain <arena> : !lane.buffer<64xf32>
    // CHECK: lane.alloc "sum" plain <arena[0]>
    %sum = lane.alloc "sum" plain <arena> : !lane.buffer<64xf32>
    // CHECK: lane.alloc "y" plain <arena[256]>
    %y = lane.alloc "y" plain <arena> : !lane.buffer<64xf32>
    lane.launch "k" ins() outs(%x : !lane.buffer<64xf32>)
    lane.elementwise add ins(%sum, %x : !lane.buffer<64xf32>, !lane.buffer<64xf32>) outs(%sum : !lane.buffer<64xf32>)
    lane.launch "k" ins(%sum : !lane.buffer<64xf32>)
    lane.launch "k" ins() outs(%y : !lane.buffer<64xf32>)
  }
}

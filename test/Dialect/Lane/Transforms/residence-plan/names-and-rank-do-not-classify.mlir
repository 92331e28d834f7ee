// RUN: lane-opt %s --residence-plan | FileCheck %s

// The class of a matrix depends on its reads, and not on its name or rank.

// CHECK-LABEL: lane.program @names
lane.program @names context(16) numerics(one_pass) {
  // CHECK: lane.matrix @blk.0.ffn_up_exps.weight {{.*}}] residence <class = other, last_read = 0, rank = 4, bytes = 512>{{$}}
  lane.matrix @blk.0.ffn_up_exps.weight : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // CHECK: lane.matrix @token_embd.weight {{.*}}] residence <class = other, last_read = 3, rank = 3, bytes = 512>{{$}}
  lane.matrix @token_embd.weight : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 256, count = 4>]
  // CHECK: lane.matrix @blk.0.attn_q.weight {{.*}}] residence <class = expert, last_read = 2, rank = 1, bytes = 512>{{$}}
  lane.matrix @blk.0.attn_q.weight : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 512, count = 4>]
  // CHECK: lane.matrix @output.weight {{.*}}] residence <class = gather, last_read = 1, rank = 0, bytes = 512>{{$}}
  lane.matrix @output.weight : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 768, count = 4>]
  // CHECK: lane.matrix @blk.0.attn_k_b.weight {{.*}}] residence <class = other, last_read = 4, rank = 2, bytes = 512>{{$}}
  lane.matrix @blk.0.attn_k_b.weight : !lane.matrix<2x2x32xq8_0> rows [#lane.rows<file = 0, offset = 1024, count = 4>]
  lane.form @decode decode rows(1) {
    %up = lane.ref @blk.0.ffn_up_exps.weight : !lane.matrix<2x2x32xq8_0>
    %embd = lane.ref @token_embd.weight : !lane.matrix<4x32xq8_0>
    %q = lane.ref @blk.0.attn_q.weight : !lane.matrix<4x32xq8_0>
    %out = lane.ref @output.weight : !lane.matrix<4x32xq8_0>
    %kb = lane.ref @blk.0.attn_k_b.weight : !lane.matrix<2x2x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<2x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<2x2xf32>
    lane.launch "a" ins(%up : !lane.matrix<2x2x32xq8_0>)
    lane.launch "a" ins(%out : !lane.matrix<4x32xq8_0> gather)
    lane.launch "a" ins(%q : !lane.matrix<4x32xq8_0> expert(1 of 4))
    lane.launch "a" ins(%embd : !lane.matrix<4x32xq8_0>)
    lane.batch_matmul %x by %kb into %y : !lane.buffer<2x32xf32>, !lane.matrix<2x2x32xq8_0> -> !lane.buffer<2x2xf32>
  }
}

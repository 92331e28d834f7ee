// RUN: lane-opt %s --residence-place=budget=4096 --verify-diagnostics

// A plan that orders an erased matrix is invalid, so no pass runs.

// expected-error @+1 {{'lane.program' op 'p' orders @a, which is not a matrix of the program}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// RUN: lane-opt %s --arena-plan --verify-diagnostics

// Two buffers of 2^61 bytes reach the limit of 2^62.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @below {{'lane.form' op the arena of 'decode' cannot be planned: the bytes reach 2^62 at item 1}}
  lane.form @decode decode rows(1) {
    %a = lane.alloc "a" plain <arena> : !lane.buffer<2305843009213693952xi8>
    %b = lane.alloc "b" plain <arena> : !lane.buffer<2305843009213693952xi8>
    lane.launch "k" ins() outs(%a : !lane.buffer<2305843009213693952xi8>)
    lane.launch "k" ins() outs(%b : !lane.buffer<2305843009213693952xi8>)
  }
}

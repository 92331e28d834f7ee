// RUN: lane-opt %s --split-input-file --residence-place=budget=4096 --verify-diagnostics

// A program that has changed since planning is not placed: a planned program, then
// the same program with one edit at a time.

lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// -----

// A buffer has another shape.

// expected-error @+1 {{'lane.program' op the plan is stale, run residence-plan again: fixed was 1536 bytes and is 1792}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x65xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x65xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// -----

// The arena has grown.

// expected-error @+1 {{'lane.program' op the plan is stale, run residence-plan again: arena was 512 bytes and is 768}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(768) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// -----

// A launch was added.

// expected-error @+1 {{'lane.program' op the plan is stale, run residence-plan again: spare was 33587200 bytes and is 33603584}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "more" ins()
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// -----

// A launch has more scratch.

// expected-error @+1 {{'lane.program' op the plan is stale, run residence-plan again: fixed was 1536 bytes and is 1792}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 257, pool>]
  }
}

// -----

// Launches run in another order.

lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  // expected-error @+1 {{'lane.matrix' op the plan is stale, run residence-plan again: 'embd' should have #lane.residence<class = gather, last_read = 1, rank = 0, bytes = 512>}}
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
  }
}

// -----

// The context is longer.

// expected-error @+1 {{'lane.program' op the plan is stale, run residence-plan again: fixed was 1536 bytes and is 2048}}
lane.program @p context(65) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// -----

// A matrix was added.

// expected-error @+1 {{'lane.program' op the plan is stale, run residence-plan again: the order had 3 uploads and has 4}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.matrix @d : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 16384, count = 4>]
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// -----

// A matrix that had an upload now shares another.

// expected-error @+1 {{'lane.program' op the plan is stale, run residence-plan again: the order had 3 uploads and has 2}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// -----

// The order is different.

lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @b, @a]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  // expected-error @+1 {{'lane.matrix' op the plan is stale, run residence-plan again: rank 1 was @b and is 'a'}}
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// -----

// A matrix has another format, and so other bytes.

lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  // expected-error @+1 {{'lane.matrix' op the plan is stale, run residence-plan again: 'a' should have #lane.residence<class = other, last_read = 1, rank = 1, bytes = 256>}}
  lane.matrix @a : !lane.matrix<4x32xq4_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq4_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq4_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// -----

// A matrix is read in another way.

lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  // expected-error @+1 {{'lane.matrix' op the plan is stale, run residence-plan again: rank 0 was @embd and is 'a'}}
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0>) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// -----

// A residence was removed.

lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  // expected-error @+1 {{'lane.matrix' op the plan is stale, run residence-plan again: 'b' should have #lane.residence<class = other, last_read = 1, rank = 2, bytes = 512>}}
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>]
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @b
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// -----

// A `shares` was removed.

lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  // expected-error @+1 {{'lane.matrix' op the plan is stale, run residence-plan again: 'c' should share 'b'}}
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>]
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

// -----

// A `shares` refers to another matrix.

lane.program @p context(16) numerics(one_pass)
    plan <arena = 512, fixed = 1536, spare = 33587200, order = [@embd, @a, @b]> {
  lane.matrix @embd : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = gather, last_read = 0, rank = 0, bytes = 512>
  lane.matrix @a : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 4096, count = 4>] residence <class = other, last_read = 1, rank = 1, bytes = 512>
  lane.matrix @b : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] residence <class = other, last_read = 1, rank = 2, bytes = 512>
  // expected-error @+1 {{'lane.matrix' op the plan is stale, run residence-plan again: 'c' should share 'b'}}
  lane.matrix @c : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 8192, count = 4>] shares @a
  lane.form @decode decode rows(1) arena(512) {
    %embd = lane.ref @embd : !lane.matrix<4x32xq8_0>
    %a = lane.ref @a : !lane.matrix<4x32xq8_0>
    %b = lane.ref @b : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.launch "gather" ins(%embd : !lane.matrix<4x32xq8_0> gather) outs(%x : !lane.buffer<1x32xf32>)
    lane.launch "head" ins(%a : !lane.matrix<4x32xq8_0>, %b : !lane.matrix<4x32xq8_0>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
  }
}

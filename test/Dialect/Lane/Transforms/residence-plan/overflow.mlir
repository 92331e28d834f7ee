// RUN: lane-opt %s --split-input-file --residence-plan --verify-diagnostics

// Each term fits in int64, but their sum does not.

// expected-error @+1 {{'lane.program' op the bytes of 'uploads' overflow int64}}
lane.program @uploads context(16) numerics(one_pass) {
  lane.matrix @a : !lane.matrix<2305843009213693952x1xi8> rows [#lane.rows<file = 0, offset = 0, count = 2305843009213693952>]
  lane.matrix @b : !lane.matrix<2305843009213693952x1xi8> rows [#lane.rows<file = 0, offset = 1, count = 2305843009213693952>]
  lane.matrix @c : !lane.matrix<2305843009213693952x1xi8> rows [#lane.rows<file = 0, offset = 2, count = 2305843009213693952>]
  lane.matrix @d : !lane.matrix<2305843009213693952x1xi8> rows [#lane.rows<file = 0, offset = 3, count = 2305843009213693952>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op the bytes of 'context' overflow int64}}
lane.program @context context(4611686018427387904) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op the bytes of 'batch' overflow int64}}
lane.program @batch context(4294967296) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
  lane.form @batch batch rows(4294967296) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op the bytes of 'rows' overflow int64}}
lane.program @rows context(1) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
  lane.form @batch batch rows(9223372036854775807) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op the bytes of 'arena' overflow int64}}
lane.program @arena context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(9223372036854775807) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op the bytes of 'buffers' overflow int64}}
lane.program @buffers context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<4000000000000000000xi8>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<4000000000000000000xi8>
    %z = lane.alloc "z" plain <pool> : !lane.buffer<4000000000000000000xi8>
  }
}

// -----

// expected-error @+1 {{'lane.program' op the bytes of 'scratch' overflow int64}}
lane.program @scratch context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    lane.launch "a" ins() scratch [#lane.scratch<tag = 0, bytes = 9223372036854775552, pool>]
  }
}

// -----

// The largest sum: 1024 of the loop and an arena up to 2^63 - 1.

lane.program @most context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(9223372036854774783) {
  }
}

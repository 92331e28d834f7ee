// RUN: lane-opt %s --split-input-file --verify-diagnostics

// Plans and placements that do not match the program.

// expected-error @+1 {{'lane.program' op 'p' orders @w, which is not a matrix of the program}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 0, order = [@w]> {
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op 'p' orders @v, which is not a matrix of the program}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 0, order = [@v]> {
  lane.values @v : !lane.buffer<32xf32>
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op 'p' orders @w twice}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 0, order = [@w, @w]> {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op 'p' has a placement but no plan}}
lane.program @p context(16) numerics(one_pass)
    placement <budget = 0, moved = 0, device_bytes = 0, host_bytes = 0> {
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op 'p' moves 2 of 1 uploads}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 0, order = [@w]>
    placement <budget = 2048, moved = 2, device_bytes = 1024, host_bytes = 512> {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op 'p' moves -1 of 1 uploads}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 0, order = [@w]>
    placement <budget = 2048, moved = -1, device_bytes = 1024, host_bytes = 512> {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op 'p' places 1536 bytes on the device and 0 on the host, but the budget is 1535}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 0, order = [@w]>
    placement <budget = 1535, moved = 0, device_bytes = 1536, host_bytes = 0> {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op 'p' places 1536 bytes on the device and -512 on the host, but the budget is 2048}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 0, order = [@w]>
    placement <budget = 2048, moved = 0, device_bytes = 1536, host_bytes = -512> {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op 'p' places -512 bytes on the device and 0 on the host, but the budget is 2048}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 0, order = [@w]>
    placement <budget = 2048, moved = 0, device_bytes = -512, host_bytes = 0> {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op 'p' places 1024 bytes on the device and 12288 of page tables, but the budget is 13311}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 0, order = [@w]>
    placement <budget = 13311, moved = 1, device_bytes = 1024, host_bytes = 512, page_table_bytes = 12288> {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op 'p' places 1024 bytes on the device and -4096 of page tables, but the budget is 2048}}
lane.program @p context(16) numerics(one_pass)
    plan <arena = 0, fixed = 1024, spare = 0, order = [@w]>
    placement <budget = 2048, moved = 1, device_bytes = 1024, host_bytes = 512, page_table_bytes = -4096> {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// A matrix that shares an upload.

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  // expected-error @+1 {{'lane.matrix' op has a residence and shares @w}}
  lane.matrix @u : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = other, last_read = 0, rank = 0, bytes = 512> shares @w
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op shares @missing, which is not a matrix of the program}}
  lane.matrix @u : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] shares @missing
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.values @v : !lane.buffer<32xf32>
  // expected-error @+1 {{'lane.matrix' op shares @v, which is not a matrix of the program}}
  lane.matrix @u : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] shares @v
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.matrix @u : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] shares @w
  // expected-error @+1 {{'lane.matrix' op shares @u, which itself shares @w}}
  lane.matrix @t : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] shares @u
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op shares @u, which itself shares @u}}
  lane.matrix @u : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] shares @u
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{expected #lane.residence, got 4 : i64}}
  "lane.matrix"() <{sym_name = "u", type = !lane.matrix<4x32xq8_0>, rows = [#lane.rows<file = 0, offset = 0, count = 4>], residence = [4]}> : () -> ()
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+2 {{'dense' is not a class of uploads}}
  // expected-error @+1 {{invalid value for property residence}}
  lane.matrix @u : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>] residence <class = dense, last_read = 0, rank = 0, bytes = 512>
  lane.form @decode decode rows(1) {
  }
}

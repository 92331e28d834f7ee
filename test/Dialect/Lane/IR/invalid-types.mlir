// RUN: lane-opt %s --split-input-file --verify-diagnostics

// Types and attributes that are out of range.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{a matrix must have at least two dimensions, got 1}}
  lane.matrix @w : !lane.matrix<32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{a matrix must have at least two dimensions, got 0}}
  lane.matrix @w : !lane.matrix<q8_0> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{dimension 0 is not positive}}
  lane.matrix @w : !lane.matrix<0x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{dimension 0 is not positive}}
  lane.matrix @w : !lane.matrix<4x0xf32> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// Rows of a K-quant must be a multiple of the block of 256.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{rows of 2880 elements are not a multiple of the q4_K block of 256}}
  lane.matrix @w : !lane.matrix<4x2880xq4_K> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{rows of 48 elements are not a multiple of the q8_0 block of 32}}
  lane.matrix @w : !lane.matrix<4x48xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'q4_2' is not a number format}}
  lane.matrix @w : !lane.matrix<4x32xq4_2> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'Q8_0' is not a number format}}
  lane.matrix @w : !lane.matrix<4x32xQ8_0> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{expected static shape}}
  lane.matrix @w : !lane.matrix<4x?xf32> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// The number of rows overflows int64.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{the bytes of the matrix overflow int64}}
  lane.matrix @w : !lane.matrix<4294967296x4294967296x1xi8> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// The number of elements overflows int64, but its bits would not.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{the bytes of the matrix overflow int64}}
  lane.matrix @w : !lane.matrix<2305843009213693952x128xq1_0> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// The bytes of the rows overflow int64, but the number of elements does not.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{the bytes of the matrix overflow int64}}
  lane.matrix @w : !lane.matrix<1152921504606846976x1xf64> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// The bytes are 2^63 - 1, and the 32 bytes of a staged read exceed that.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{the bytes of the matrix overflow int64}}
  lane.matrix @w : !lane.matrix<9223372036854775807x1xi8> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// The bytes of quants and scales in a pool overflow int64.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{the bytes of the matrix overflow int64}}
  lane.matrix @w : !lane.matrix<270000000000000000x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{a buffer must have at least one dimension}}
  lane.state @s : !lane.buffer<f32>
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{element type 'i4' is not an integer or a float of whole bytes}}
  lane.state @s : !lane.buffer<4xi4>
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{element type 'i1' is not an integer or a float of whole bytes}}
  lane.state @s : !lane.buffer<4xi1>
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{element type 'index' is not an integer or a float of whole bytes}}
  lane.state @s : !lane.buffer<4xindex>
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{expected static shape}}
  lane.state @s : !lane.buffer<4x?xf32>
  lane.form @decode decode rows(1) {
  }
}

// -----

// The number of elements overflows int64.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{the bytes of the buffer overflow int64}}
  lane.state @s : !lane.buffer<4294967296x4294967296xf32>
  lane.form @decode decode rows(1) {
  }
}

// -----

// The bytes overflow int64, but the number of elements does not.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{the bytes of the buffer overflow int64}}
  lane.state @s : !lane.buffer<2305843009213693952xf32>
  lane.form @decode decode rows(1) {
  }
}

// -----

// The bytes overflow int64 after alignment to the pool.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{the bytes of the buffer overflow int64}}
  lane.state @s : !lane.buffer<9223372036854775807xi8>
  lane.form @decode decode rows(1) {
  }
}

// -----

// The bytes of two planes of quants and their scales overflow int64.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{the bytes of the buffer overflow int64}}
  lane.state @s : !lane.buffer<4611686018427387904xi8>
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{file number -1 is negative}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.rows<file = -1, offset = 0, count = 1>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{offset -4 is negative}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.rows<file = 0, offset = -4, count = 1>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{count of rows 0 is not positive}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.rows<file = 0, offset = 0, count = 0>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{count of rows -2 is not positive}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.rows<file = 0, offset = 0, count = -2>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{expected 'pool' or 'arena', got 'heap'}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.storage<heap>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{arena offset 128 is not a multiple of 256}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.storage<arena[128]>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{arena offset -256 is not a multiple of 256}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.storage<arena[-256]>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{expected '>'}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.storage<pool[0]>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{-1 bytes of scratch are out of range}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.scratch<tag = 0, bytes = -1, pool>}
  lane.form @decode decode rows(1) {
  }
}

// -----

// The bytes are 2^63 - 1, and overflow int64 after alignment.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{9223372036854775807 bytes of scratch are out of range}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.scratch<tag = 0, bytes = 9223372036854775807, pool>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{expected 'pool' or 'arena', got 'heap'}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.scratch<tag = 0, bytes = 4, heap>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'sparse' is not an access kind}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.access<sparse>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{has 9 active experts of 8}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.access<expert 9 of 8>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{has 0 active experts of 8}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.access<expert 0 of 8>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{expected '>'}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.access<gather 1 of 8>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'dense' is not a class of uploads}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.residence<class = dense, last_read = 0, rank = 0, bytes = 0>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{arena, fixed and spare must not be negative, got -1, 0 and 0}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.plan<arena = -1, fixed = 0, spare = 0, order = []>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{arena, fixed and spare must not be negative, got 0, -1 and 0}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.plan<arena = 0, fixed = -1, spare = 0, order = []>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{arena, fixed and spare must not be negative, got 0, 0 and -1}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.plan<arena = 0, fixed = 0, spare = -1, order = []>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{the order of a plan must be an array of symbols}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.plan<arena = 0, fixed = 0, spare = 0, order = ["w"]>}
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{the order of a plan must be an array of symbols}}
  lane.state @s : !lane.buffer<4xf32> {value = #lane.plan<arena = 0, fixed = 0, spare = 0, order = [@p::@w]>}
  lane.form @decode decode rows(1) {
  }
}

// RUN: lane-opt %s --split-input-file --verify-diagnostics

// Programs, their constants and their forms.

// expected-error @+1 {{attribute 'context_length' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
lane.program @p context(0) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op 'p' has 0 decode forms instead of one}}
lane.program @p context(16) numerics(one_pass) {
  lane.form @prefill prefill rows(8) {
  }
}

// -----

// expected-error @+1 {{'lane.program' op 'p' has 2 decode forms instead of one}}
lane.program @p context(16) numerics(one_pass) {
  // expected-note @+1 {{a decode form is here}}
  lane.form @a decode rows(1) {
  }
  // expected-note @+1 {{a decode form is here}}
  lane.form @b decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'builtin.module' op is not a matrix, values, state or a form}}
  builtin.module {
  }
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-note @+1 {{see existing symbol definition here}}
  lane.values @w : !lane.buffer<4xf32>
  // expected-error @+1 {{redefinition of symbol named 'w'}}
  lane.state @w : !lane.buffer<4xf32>
  lane.form @decode decode rows(1) {
  }
}

// -----

// expected-error @+1 {{'lane.matrix' op expects parent op 'lane.program'}}
lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]

// -----

// expected-error @+1 {{'lane.values' op expects parent op 'lane.program'}}
lane.values @v : !lane.buffer<4xf32>

// -----

// expected-error @+1 {{'lane.state' op expects parent op 'lane.program'}}
lane.state @s : !lane.buffer<4xf32>

// -----

// expected-error @+1 {{'lane.form' op expects parent op 'lane.program'}}
lane.form @f decode rows(1) {
}

// -----

// Runs of rows that cover too few, none, and too many.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op rows cover 4 of 6}}
  lane.matrix @w : !lane.matrix<6x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op rows cover 0 of 6}}
  lane.matrix @w : !lane.matrix<6x32xq8_0> rows []
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op rows cover 8 of 6}}
  lane.matrix @w : !lane.matrix<6x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>, #lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// A stack covers the rows of all its matrices.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op rows cover 4 of 8}}
  lane.matrix @w : !lane.matrix<2x4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) files(["a.gguf", "b.gguf"]) {
  // expected-error @+1 {{'lane.matrix' op rows are in file 2, but the program has 2 files}}
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 2, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// The bytes of a run overflow int64.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op 9223372036854775807 rows of 128 bytes at offset 0 overflow int64}}
  lane.matrix @w : !lane.matrix<4x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 9223372036854775807>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// The end of a run overflows int64.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op 4 rows of 128 bytes at offset 9223372036854775296 overflow int64}}
  lane.matrix @w : !lane.matrix<4x32xf32> rows [#lane.rows<file = 0, offset = 9223372036854775296, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

// The sum of the row counts overflows int64.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.matrix' op the number of rows overflows int64}}
  lane.matrix @w : !lane.matrix<4x1xi8> rows [#lane.rows<file = 0, offset = 0, count = 9223372036854775807>, #lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{attribute 'type' failed to satisfy constraint: type attribute of checkpoint rows in the number format of the checkpoint}}
  lane.matrix @w : !lane.buffer<4x32xf32> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.values' op values must be f32, got 'f16'}}
  lane.values @v : !lane.buffer<4xf16>
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.values' op has both rows and data}}
  lane.values @v : !lane.buffer<4xf32> rows [#lane.rows<file = 0, offset = 0, count = 1>] data dense<1.0> : tensor<4xf32>
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.values' op has 3 values of 'f32' for a buffer of 4 of f32}}
  lane.values @v : !lane.buffer<4xf32> data dense<1.0> : tensor<3xf32>
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.values' op has 4 values of 'f64' for a buffer of 4 of f32}}
  lane.values @v : !lane.buffer<4xf32> data dense<1.0> : tensor<4xf64>
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.values' op has rows of 0 values}}
  lane.values @v : !lane.buffer<0xf32> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.values' op rows cover 1 of 2}}
  lane.values @v : !lane.buffer<2x4xf32> rows [#lane.rows<file = 0, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) files(["a.gguf"]) {
  // expected-error @+1 {{'lane.values' op rows are in file 1, but the program has 1 files}}
  lane.values @v : !lane.buffer<4xf32> rows [#lane.rows<file = 1, offset = 0, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.values' op 1 rows of 16 bytes at offset 9223372036854775792 overflow int64}}
  lane.values @v : !lane.buffer<4xf32> rows [#lane.rows<file = 0, offset = 9223372036854775792, count = 1>]
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.form' op a decode form must have one row, got 2}}
  lane.form @decode decode rows(2) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{attribute 'rows' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  lane.form @prefill prefill rows(0) {
  }
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{attribute 'arena' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  lane.form @prefill prefill rows(4) arena(-256) {
  }
  lane.form @decode decode rows(1) {
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.state @s : !lane.buffer<4xf32>
  lane.form @decode decode rows(1) {
  }
  lane.form @prefill prefill rows(4) {
    // expected-error @+1 {{'lane.ref' op references the state @s, which the decode form does not reference: use 'lane.alloc carried' for state of one form}}
    %s = lane.ref @s plain <pool> : !lane.buffer<4xf32>
  }
}

// -----

// A region without a block.

// expected-error @+1 {{'lane.program' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
"lane.program"() <{context_length = 16 : i64, numerics = 0 : i32, sym_name = "p"}> ({
}) : () -> ()

// RUN: lane-opt %s --split-input-file --verify-diagnostics

// Verifier errors for launches of another dialect.

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.spmm' op writes 'w', which is a constant}}
    foreign.spmm %w, %x into %w : !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0>
  }
}

// -----

// An attached interface is verified too.

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.plain' op writes 'w', which is a constant}}
    foreign.plain %x into %w : !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.fused {
      // expected-error @+1 {{'foreign.plain' op writes 'w', which is a constant}}
      foreign.plain %x into %w : !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0>
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    foreign.block {
      // expected-error @+1 {{'foreign.plain' op writes 'w', which is a constant}}
      foreign.plain %x into %w : !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0>
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.returning' op is a launch and must have no results, got 1}}
    %i = foreign.returning %x : !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.spmm' op scratch tag 5 is used twice}}
    foreign.spmm %w, %x into %x {lane.scratch = [#lane.scratch<tag = 5, bytes = 4, pool>, #lane.scratch<tag = 5, bytes = 8, pool>]} : !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.plain' op scratch tag 5 is used twice}}
    foreign.plain %x into %x {lane.scratch = [#lane.scratch<tag = 5, bytes = 4, pool>, #lane.scratch<tag = 5, bytes = 8, pool>]} : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.spmm' op scratch 5 has arena offset 256, but 'decode' has no arena}}
    foreign.spmm %w, %x into %x {lane.scratch = [#lane.scratch<tag = 5, bytes = 4, arena[256]>]} : !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.spmm' op 'lane.scratch' must be an array of #lane.scratch}}
    foreign.spmm %w, %x into %x {lane.scratch = 4} : !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.block' op scratch 4 : i64 is not #lane.scratch}}
    foreign.block workspace [4] {
      foreign.plain %x into %x : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.block' op has 'lane.scratch', but stores its scratch elsewhere}}
    foreign.block attributes {lane.scratch = [#lane.scratch<tag = 0, bytes = 4, pool>]} {
      foreign.plain %x into %x : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.loop' op has 'lane.scratch' but is not a launch}}
    foreign.loop attributes {lane.scratch = [#lane.scratch<tag = 0, bytes = 4, pool>]} {
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.block' op has no parts}}
    foreign.block {
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.fused {
      // expected-error @+1 {{'foreign.block' op is a fused launch inside a fused launch}}
      foreign.block {
        foreign.plain %x into %x : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
      }
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.fused {
      // expected-error @+1 {{'foreign.plain' op has scratch, which belongs to the fused launch}}
      foreign.plain %x into %x {lane.scratch = [#lane.scratch<tag = 0, bytes = 4, pool>]} : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    foreign.block {
      // expected-error @+1 {{'foreign.loop' op is part of a fused launch but is not a launch}}
      foreign.loop {
      }
    }
  }
}

// -----

// A launch that is nested in a form is not visible to the planner.

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.loop' op has a region that uses a buffer, but is not a fused launch}}
    foreign.loop {
      foreign.plain %w into %x : !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'foreign.callback' op has a region that uses a buffer, but is not a fused launch}}
    foreign.callback {
      foreign.loop {
        foreign.plain %w into %x : !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>
      }
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    lane.fused {
      // expected-error @+1 {{'foreign.callback' op has a region that uses a buffer, but is not a fused launch}}
      foreign.callback {
        foreign.plain %w into %x : !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>
      }
    }
  }
}

// RUN: lane-opt %s --split-input-file --verify-diagnostics

// Writes, parts, scratch and shapes of launches.

// A matrix must not be written: directly, through views, by any kernel, by a part.

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    // expected-error @+1 {{'lane.copy' op writes 'w', which is a constant}}
    lane.copy %x into %w at %y : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32> -> !lane.matrix<4x32xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %v = lane.view "v" of %w at 32 : !lane.matrix<4x32xq8_0> to !lane.buffer<32xf32>
    %u = lane.view "u" of %v at 0 : !lane.buffer<32xf32> to !lane.buffer<32xf32>
    // expected-error @+1 {{'lane.elementwise' op writes 'w', which is a constant}}
    lane.elementwise silu ins(%x : !lane.buffer<1x32xf32>) outs(%u : !lane.buffer<32xf32>)
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    // expected-error @+1 {{'lane.launch' op writes 'w', which is a constant}}
    lane.launch "k" ins(%x : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>, %w : !lane.matrix<4x32xq8_0>)
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    lane.fused {
      // expected-error @+1 {{'lane.launch' op writes 'w', which is a constant}}
      lane.launch "k" ins(%x : !lane.buffer<1x32xf32>) outs(%w : !lane.matrix<4x32xq8_0>)
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    // expected-error @+1 {{'lane.recurrent' op writes 'w', which is a constant}}
    lane.recurrent gated_delta ins(%x : !lane.buffer<1x32xf32>) state(%w : !lane.matrix<4x32xq8_0>) outs(%y : !lane.buffer<1x32xf32>)
  }
}

// -----

// Values must not be written either.

lane.program @p context(16) numerics(one_pass) {
  lane.values @v : !lane.buffer<32xf32>
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %v = lane.ref @v plain <pool> : !lane.buffer<32xf32>
    // expected-error @+1 {{'lane.copy' op writes 'v', which is a constant}}
    lane.copy %x into %v : !lane.buffer<1x32xf32> -> !lane.buffer<32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.values @v : !lane.buffer<32xf32>
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %v = lane.ref @v plain <pool> : !lane.buffer<32xf32>
    %u = lane.view "u" of %v at 0 : !lane.buffer<32xf32> to !lane.buffer<16xf32>
    %t = lane.view "t" of %u at 0 : !lane.buffer<16xf32> to !lane.buffer<8xf32>
    // expected-error @+1 {{'lane.launch' op writes 'v', which is a constant}}
    lane.launch "k" ins(%x : !lane.buffer<1x32xf32>) outs(%t : !lane.buffer<8xf32>)
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.values @v : !lane.buffer<32xf32>
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %v = lane.ref @v plain <pool> : !lane.buffer<32xf32>
    lane.fused {
      // expected-error @+1 {{'lane.launch' op writes 'v', which is a constant}}
      lane.launch "k" ins(%v : !lane.buffer<32xf32>) outs(%v : !lane.buffer<32xf32>)
    }
  }
}

// -----

// Scratch.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'lane.launch' op scratch tag 7 is used twice}}
    lane.launch "k" ins(%x : !lane.buffer<1x32xf32>) scratch [#lane.scratch<tag = 7, bytes = 4, pool>, #lane.scratch<tag = 7, bytes = 8, counter, pool>]
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{attribute 'scratch' failed to satisfy constraint: scratch of a launch}}
    lane.launch "k" ins(%x : !lane.buffer<1x32xf32>) scratch [4]
  }
}

// -----

// Discardable attributes of the dialect that are unknown or only for launches.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'lane.launch' op has an unknown attribute 'lane.scartch' of the lane dialect}}
    lane.launch "k" ins(%x : !lane.buffer<1x32xf32>) {lane.scartch = [#lane.scratch<tag = 0, bytes = 4, pool>]}
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.alloc' op has 'lane.scratch' but is not a launch}}
    %x = lane.alloc "x" {lane.scratch = [#lane.scratch<tag = 0, bytes = 4, pool>]} : !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'lane.launch' op 'lane.scratch' must be an array of #lane.scratch}}
    lane.launch "k" ins(%x : !lane.buffer<1x32xf32>) {lane.scratch = #lane.scratch<tag = 0, bytes = 4, pool>}
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'lane.launch' op 'lane.scratch' must be an array of #lane.scratch}}
    lane.launch "k" ins(%x : !lane.buffer<1x32xf32>) {lane.scratch = [4]}
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'lane.launch' op has 'lane.scratch', but stores its scratch elsewhere}}
    lane.launch "k" ins(%x : !lane.buffer<1x32xf32>) {lane.scratch = [#lane.scratch<tag = 0, bytes = 4, pool>]}
  }
}

// -----

// Parts of a fused launch.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.fused' op has no parts}}
    lane.fused {
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    lane.fused {
      // expected-error @+1 {{'builtin.unrealized_conversion_cast' op is part of a fused launch but is not a launch}}
      %i = builtin.unrealized_conversion_cast to index
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    lane.fused {
      // expected-error @+1 {{'lane.fused' op is a fused launch inside a fused launch}}
      lane.fused {
        lane.launch "k" ins(%x : !lane.buffer<1x32xf32>)
      }
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    lane.fused {
      // expected-error @+1 {{'lane.launch' op has scratch, which belongs to the fused launch}}
      lane.launch "k" ins(%x : !lane.buffer<1x32xf32>) scratch [#lane.scratch<tag = 0, bytes = 4, pool>]
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    lane.fused {
      // expected-error @+1 {{'lane.alloc' op is part of a fused launch but is not a launch}}
      %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    }
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.fused' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
    "lane.fused"() ({
    }) : () -> ()
  }
}

// -----

// Shapes.

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    %ids = lane.param "ids" plain <pool> : !lane.buffer<2xi32>
    // expected-error @+1 {{'lane.gather' op gathers 2 rows of 32 into 32 elements}}
    lane.gather %ids of %w into %x : !lane.buffer<2xi32>, !lane.matrix<4x32xq8_0>, !lane.buffer<1x32xf32>
  }
}

// -----

// 2^40 rows of 2^32 elements: the product must not wrap to 0.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %ids = lane.param "ids" plain <pool> : !lane.buffer<1099511627776xi8>
    %t = lane.alloc "t" plain <pool> : !lane.buffer<4294967296xi8>
    %none = lane.alloc "none" plain <pool> : !lane.buffer<0xi8>
    // expected-error @+1 {{'lane.gather' op gathers 1099511627776 rows of 4294967296 into 0 elements}}
    lane.gather %ids of %t into %none : !lane.buffer<1099511627776xi8>, !lane.buffer<4294967296xi8>, !lane.buffer<0xi8>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    // expected-error @+1 {{'lane.matmul' op output has 32 elements instead of 1 rows by 4}}
    lane.matmul %x by %w into %y : !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0> -> !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x48xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x4xf32>
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    // expected-error @+1 {{'lane.matmul' op input of 48 elements is not rows of 32}}
    lane.matmul %x by %w into %y : !lane.buffer<1x48xf32>, !lane.matrix<4x32xq8_0> -> !lane.buffer<1x4xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %w = lane.alloc "w" plain <pool> : !lane.buffer<4x0xf32>
    // expected-error @+1 {{'lane.matmul' op input of 32 elements is not rows of 0}}
    lane.matmul %x by %w into %y : !lane.buffer<1x32xf32>, !lane.buffer<4x0xf32> -> !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %b = lane.alloc "b" plain <pool> : !lane.buffer<5xf32>
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    // expected-error @+1 {{'lane.matmul' op bias has 5 elements for 4 rows of the weight}}
    lane.matmul %x by %w plus %b into %y : !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0>, !lane.buffer<5xf32> -> !lane.buffer<1x32xf32>
  }
}

// -----

// 2^40 rows by 2^32: the product must not wrap to 0.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1099511627776x1xi8>
    %w = lane.alloc "w" plain <pool> : !lane.buffer<4294967296x1xi8>
    %none = lane.alloc "none" plain <pool> : !lane.buffer<0xi8>
    // expected-error @+1 {{'lane.matmul' op output has 0 elements instead of 1099511627776 rows by 4294967296}}
    lane.matmul %x by %w into %none : !lane.buffer<1099511627776x1xi8>, !lane.buffer<4294967296x1xi8> -> !lane.buffer<0xi8>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    // expected-error @+1 {{'lane.batch_matmul' op weight has 2 dimensions instead of 3}}
    lane.batch_matmul %x by %w into %y : !lane.buffer<1x32xf32>, !lane.matrix<4x32xq8_0> -> !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @s : !lane.matrix<4x64x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 256>]
  lane.form @decode decode rows(1) {
    %s = lane.ref @s : !lane.matrix<4x64x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %r = lane.alloc "r" plain <pool> : !lane.buffer<1x4xf32>
    // expected-error @+1 {{'lane.batch_matmul' op output has 4 elements instead of 1 rows by 64}}
    lane.batch_matmul %x by %s into %r : !lane.buffer<1x32xf32>, !lane.matrix<4x64x32xq8_0> -> !lane.buffer<1x4xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @s : !lane.matrix<4x64x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 256>]
  lane.form @decode decode rows(1) {
    %s = lane.ref @s : !lane.matrix<4x64x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %r = lane.alloc "r" plain <pool> : !lane.buffer<1x4xf32>
    // expected-error @+1 {{'lane.moe' op a stack of experts has 2 dimensions instead of 3}}
    lane.moe %x routed %r up %x down %s into %x active(2) : !lane.buffer<1x32xf32>, !lane.buffer<1x4xf32>, !lane.buffer<1x32xf32>, !lane.matrix<4x64x32xq8_0> -> !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @s : !lane.matrix<4x64x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 256>]
  lane.form @decode decode rows(1) {
    %s = lane.ref @s : !lane.matrix<4x64x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %r = lane.alloc "r" plain <pool> : !lane.buffer<1x4xf32>
    // expected-error @+1 {{'lane.moe' op a stack of experts has 2 dimensions instead of 3}}
    lane.moe %x routed %r up %s gate %x down %s into %x active(2) : !lane.buffer<1x32xf32>, !lane.buffer<1x4xf32>, !lane.matrix<4x64x32xq8_0>, !lane.buffer<1x32xf32>, !lane.matrix<4x64x32xq8_0> -> !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @s : !lane.matrix<4x64x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 256>]
  lane.form @decode decode rows(1) {
    %s = lane.ref @s : !lane.matrix<4x64x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %r = lane.alloc "r" plain <pool> : !lane.buffer<1x4xf32>
    %d = lane.alloc "d" plain <pool> : !lane.buffer<3x32x64xf32>
    // expected-error @+1 {{'lane.moe' op stacks have 4 and 3 experts}}
    lane.moe %x routed %r up %s down %d into %x active(2) : !lane.buffer<1x32xf32>, !lane.buffer<1x4xf32>, !lane.matrix<4x64x32xq8_0>, !lane.buffer<3x32x64xf32> -> !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @s : !lane.matrix<4x64x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 256>]
  lane.form @decode decode rows(1) {
    %s = lane.ref @s : !lane.matrix<4x64x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %r = lane.alloc "r" plain <pool> : !lane.buffer<1x4xf32>
    // expected-error @+1 {{'lane.moe' op has 5 active experts of 4}}
    lane.moe %x routed %r up %s down %s into %x active(5) : !lane.buffer<1x32xf32>, !lane.buffer<1x4xf32>, !lane.matrix<4x64x32xq8_0>, !lane.matrix<4x64x32xq8_0> -> !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @s : !lane.matrix<4x64x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 256>]
  lane.form @decode decode rows(1) {
    %s = lane.ref @s : !lane.matrix<4x64x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %r = lane.alloc "r" plain <pool> : !lane.buffer<1x4xf32>
    // expected-error @+1 {{attribute 'active' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
    lane.moe %x routed %r up %s down %s into %x active(0) : !lane.buffer<1x32xf32>, !lane.buffer<1x4xf32>, !lane.matrix<4x64x32xq8_0>, !lane.matrix<4x64x32xq8_0> -> !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @s : !lane.matrix<4x64x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 256>]
  lane.form @decode decode rows(1) {
    %s = lane.ref @s : !lane.matrix<4x64x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %r = lane.alloc "r" plain <pool> : !lane.buffer<1x4xf32>
    // expected-error @+1 {{'lane.moe' op input has 32 elements and output 4}}
    lane.moe %x routed %r up %s down %s into %r active(2) : !lane.buffer<1x32xf32>, !lane.buffer<1x4xf32>, !lane.matrix<4x64x32xq8_0>, !lane.matrix<4x64x32xq8_0> -> !lane.buffer<1x4xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @s : !lane.matrix<4x64x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 256>]
  lane.form @decode decode rows(1) {
    %s = lane.ref @s : !lane.matrix<4x64x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %r = lane.alloc "r" plain <pool> : !lane.buffer<1x4xf32>
    // expected-error @+1 {{'lane.moe' op input of 4 elements is not rows of 32}}
    lane.moe %r routed %r up %s down %s into %r active(2) : !lane.buffer<1x4xf32>, !lane.buffer<1x4xf32>, !lane.matrix<4x64x32xq8_0>, !lane.matrix<4x64x32xq8_0> -> !lane.buffer<1x4xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @s : !lane.matrix<4x64x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 256>]
  lane.form @decode decode rows(1) {
    %s = lane.ref @s : !lane.matrix<4x64x32xq8_0>
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %r = lane.alloc "r" plain <pool> : !lane.buffer<1x4xf32>
    %none = lane.alloc "none" plain <pool> : !lane.buffer<4x64x0xf32>
    // expected-error @+1 {{'lane.moe' op input of 32 elements is not rows of 0}}
    lane.moe %x routed %r up %none down %none into %x active(2) : !lane.buffer<1x32xf32>, !lane.buffer<1x4xf32>, !lane.buffer<4x64x0xf32>, !lane.buffer<4x64x0xf32> -> !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'lane.norm' op has 4 inputs instead of 1 to 3}}
    lane.norm rms ins(%x, %x, %x, %x : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>) epsilon(1.0e-6)
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %z = lane.alloc "z" plain <pool> : !lane.buffer<1x16xf32>
    // expected-error @+1 {{'lane.norm' op input has 32 elements and output 16}}
    lane.norm rms ins(%x : !lane.buffer<1x32xf32>) outs(%z : !lane.buffer<1x16xf32>) epsilon(1.0e-6)
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{attribute 'dimensions' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
    lane.rope neox %x at %y into %x dimensions(0) base(1.0e4) : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32> -> !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'lane.attention' op has 3 inputs instead of 4 to 6}}
    lane.attention ins(%x, %x, %x : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>) heads(4) kv_heads(2)
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'lane.attention' op 4 heads are not a multiple of 3 key and value heads}}
    lane.attention ins(%x, %x, %x, %x : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>) heads(4) kv_heads(3)
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'lane.attention' op is chunked without a window}}
    lane.attention ins(%x, %x, %x, %x : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>) heads(4) kv_heads(2) chunked
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'lane.elementwise' op has 4 inputs instead of 1 to 3}}
    lane.elementwise add ins(%x, %x, %x, %x : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %z = lane.alloc "z" plain <pool> : !lane.buffer<1x16xf32>
    // expected-error @+1 {{'lane.copy' op copies 32 elements into 16}}
    lane.copy %x into %z : !lane.buffer<1x32xf32> -> !lane.buffer<1x16xf32>
  }
}

// -----

// With positions, the input may have fewer elements than the output, but not more.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    %z = lane.alloc "z" plain <pool> : !lane.buffer<1x16xf32>
    // expected-error @+1 {{'lane.copy' op copies 32 elements into 16}}
    lane.copy %x into %z at %y : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32> -> !lane.buffer<1x16xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{'lane.launch' op has 1 access attributes for 2 inputs}}
    "lane.launch"(%x, %y) <{kernel = "k", access = [#lane.access<gather>], operandSegmentSizes = array<i32: 2, 0>}> : (!lane.buffer<1x32xf32>, !lane.buffer<1x32xf32>) -> ()
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x32xf32>
    %y = lane.alloc "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error @+1 {{has 9 active experts of 8}}
    lane.launch "k" ins(%x : !lane.buffer<1x32xf32> expert(9 of 8))
  }
}

// -----

// An operand that is not a buffer.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %i = builtin.unrealized_conversion_cast to index
    // expected-error @+1 {{'lane.launch' op operand #0 must be variadic of buffer or matrix, but got 'index'}}
    lane.launch "k" ins(%i : index)
  }
}

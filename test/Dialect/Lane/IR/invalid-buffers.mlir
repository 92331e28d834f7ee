// RUN: lane-opt %s --split-input-file --verify-diagnostics

// Buffers of a form, and where they lie.

// A buffer outside a form.

// expected-error @+1 {{'lane.alloc' op expects parent op 'lane.form'}}
%x = lane.alloc "x" plain <pool> : !lane.buffer<4xf32>

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.alloc' op defines 'x', which the form has already}}
    %y = lane.alloc "x" plain <pool> : !lane.buffer<4xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    // expected-error @+1 {{'lane.ref' op defines 'w', which the form has already}}
    %again = lane.ref @w : !lane.matrix<4x32xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.view' op defines 'x', which the form has already}}
    %v = lane.view "x" of %x at 0 : !lane.buffer<1x64xf32> to !lane.buffer<32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.alloc' op 'x' is carried, so it cannot lie in the arena}}
    %x = lane.alloc "x" carried plain <arena> : !lane.buffer<4xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(512) {
    // expected-error @+1 {{'lane.alloc' op 'x' is carried, so it cannot lie in the arena}}
    %x = lane.alloc "x" carried plain <pool> quantized <arena[0]> : !lane.buffer<64xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.values @v : !lane.buffer<32xf32>
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op @v is a constant, so it cannot lie in the arena}}
    %v = lane.ref @v plain <arena> : !lane.buffer<32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op @w is a constant, so it cannot lie in the arena}}
    %w = lane.ref @w plain <arena> : !lane.matrix<4x32xq8_0>
  }
}

// -----

// An unresolved symbol, one that is no buffer, and one of another type.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op @missing is no matrix, values or state of the program}}
    %w = lane.ref @missing : !lane.matrix<4x32xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op @decode is no matrix, values or state of the program}}
    %w = lane.ref @decode : !lane.matrix<4x32xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op has type '!lane.matrix<8x32xq8_0>', but @w is '!lane.matrix<4x32xq8_0>'}}
    %w = lane.ref @w : !lane.matrix<8x32xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.state @s : !lane.buffer<32xf32>
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op has type '!lane.buffer<32xf16>', but @s is '!lane.buffer<32xf32>'}}
    %s = lane.ref @s plain <pool> : !lane.buffer<32xf16>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.values @v : !lane.buffer<32xf32>
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op has type '!lane.buffer<8x4xf32>', but @v is '!lane.buffer<32xf32>'}}
    %v = lane.ref @v plain <pool> : !lane.buffer<8x4xf32>
  }
}

// -----

// A view that passes its base, by more than it says, and by less.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.view' op 'v' of 33 elements at offset 32 passes its base by 1 elements}}
    %v = lane.view "v" of %x at 32 : !lane.buffer<1x64xf32> to !lane.buffer<33xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.view' op 'v' of 64 elements at offset 32 passes its base by 32 elements, not by the stated 16}}
    %v = lane.view "v" of %x at 32 overrun 16 : !lane.buffer<1x64xf32> to !lane.buffer<64xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.view' op 'v' of 32 elements at offset 32 passes its base by 0 elements, not by the stated 16}}
    %v = lane.view "v" of %x at 32 overrun 16 : !lane.buffer<1x64xf32> to !lane.buffer<32xf32>
  }
}

// -----

// Elements of a view are counted in its own bytes: 16 of f64 are 32 of f32.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.view' op 'v' of 17 elements at offset 32 passes its base by 1 elements}}
    %v = lane.view "v" of %x at 32 : !lane.buffer<1x64xf32> to !lane.buffer<17xf64>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{attribute 'offset' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
    %v = lane.view "v" of %x at -1 : !lane.buffer<1x64xf32> to !lane.buffer<32xf32>
  }
}

// -----

// The offset alone is past any base; nothing wraps.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.view' op 'v' of 32 elements at offset 9223372036854775807 passes its base by 9223372036854775775 elements}}
    %v = lane.view "v" of %x at 9223372036854775807 : !lane.buffer<1x64xf32> to !lane.buffer<32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    // expected-error @+1 {{'lane.view' op 'v' of 33 elements at offset 96 passes its base by 1 elements}}
    %v = lane.view "v" of %w at 96 : !lane.matrix<4x32xq8_0> to !lane.buffer<33xf32>
  }
}

// -----

// Slots in an arena.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.alloc' op plain storage has arena offset 0, but 'decode' has no arena}}
    %x = lane.alloc "x" plain <arena[0]> : !lane.buffer<1x64xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(511) {
    // expected-error @+1 {{'lane.alloc' op plain storage of 256 bytes at arena offset 256 passes the arena's 511 bytes}}
    %x = lane.alloc "x" plain <arena[256]> : !lane.buffer<1x64xf32>
  }
}

// -----

// 64 levels and two scales, each padded to 256 bytes.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(256) {
    // expected-error @+1 {{'lane.alloc' op quantized storage of 512 bytes at arena offset 0 passes the arena's 256 bytes}}
    %x = lane.alloc "x" quantized <arena[0]> : !lane.buffer<1x64xf32>
  }
}

// -----

// With two passes, a second plane of levels.

lane.program @p context(16) numerics(two_pass) {
  lane.form @decode decode rows(1) arena(512) {
    // expected-error @+1 {{'lane.alloc' op quantized storage of 768 bytes at arena offset 0 passes the arena's 512 bytes}}
    %x = lane.alloc "x" quantized <arena[0]> : !lane.buffer<1x64xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) arena(256) {
    // expected-error @+1 {{'lane.ref' op quantized storage of 512 bytes at arena offset 0 passes the arena's 256 bytes}}
    %w = lane.ref @w quantized <arena[0]> : !lane.matrix<4x32xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(256) {
    // expected-error @+1 {{'lane.param' op plain storage of 4 bytes at arena offset 9223372036854775552 passes the arena's 256 bytes}}
    %x = lane.param "x" plain <arena[9223372036854775552]> : !lane.buffer<1xi32>
  }
}

// -----

// The end of the slot passes 2^63.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(9223372036854775807) {
    // expected-error @+1 {{'lane.alloc' op plain storage of 4096 bytes at arena offset 9223372036854775552 passes the arena's 9223372036854775807 bytes}}
    %x = lane.alloc "x" plain <arena[9223372036854775552]> : !lane.buffer<1024xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(512) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.launch' op scratch 3 of 300 bytes at arena offset 256 passes the arena's 512 bytes}}
    lane.launch "k" ins(%x : !lane.buffer<1x64xf32>) scratch [#lane.scratch<tag = 3, bytes = 300, arena[256]>]
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.launch' op scratch 3 has arena offset 256, but 'decode' has no arena}}
    lane.launch "k" ins(%x : !lane.buffer<1x64xf32>) scratch [#lane.scratch<tag = 3, bytes = 300, arena[256]>]
  }
}

// -----

// What uses a buffer is a launch, and what defines one says which of its storages
// are touched: nothing may be hidden from the planner.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'builtin.unrealized_conversion_cast' op uses a buffer but is no launch: it does not implement LaunchOpInterface}}
    %i = builtin.unrealized_conversion_cast %x : !lane.buffer<1x64xf32> to index
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'builtin.unrealized_conversion_cast' op defines a buffer but does not implement BufferOpInterface}}
    %w = builtin.unrealized_conversion_cast to !lane.matrix<4x32xq8_0>
    lane.launch "k" ins() outs(%w : !lane.matrix<4x32xq8_0>)
  }
}

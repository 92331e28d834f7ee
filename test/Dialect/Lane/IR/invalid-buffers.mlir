// RUN: lane-opt %s --split-input-file --verify-diagnostics

// Buffers of a form and their storage.

// A buffer outside a form.

// expected-error @+1 {{'lane.alloc' op expects parent op 'lane.form'}}
%x = lane.alloc "x" plain <pool> : !lane.buffer<4xf32>

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.alloc' op redefines 'x'}}
    %y = lane.alloc "x" plain <pool> : !lane.buffer<4xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    // expected-error @+1 {{'lane.ref' op redefines 'w'}}
    %again = lane.ref @w : !lane.matrix<4x32xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.view' op redefines 'x'}}
    %v = lane.view "x" of %x at 0 : !lane.buffer<1x64xf32> to !lane.buffer<32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.alloc' op 'x' is carried, so it cannot be in the arena}}
    %x = lane.alloc "x" carried plain <arena> : !lane.buffer<4xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(512) {
    // expected-error @+1 {{'lane.alloc' op 'x' is carried, so it cannot be in the arena}}
    %x = lane.alloc "x" carried plain <pool> quantized <arena[0]> : !lane.buffer<64xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.values @v : !lane.buffer<32xf32>
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op @v is a constant, so it cannot be in the arena}}
    %v = lane.ref @v plain <arena> : !lane.buffer<32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op @w is a constant, so it cannot be in the arena}}
    %w = lane.ref @w plain <arena> : !lane.matrix<4x32xq8_0>
  }
}

// -----

// An unresolved symbol, a symbol that is not a buffer, and one of another type.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op @missing is not a matrix, values or state of the program}}
    %w = lane.ref @missing : !lane.matrix<4x32xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op @decode is not a matrix, values or state of the program}}
    %w = lane.ref @decode : !lane.matrix<4x32xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op has type '!lane.matrix<8x32xq8_0>', but @w has type '!lane.matrix<4x32xq8_0>'}}
    %w = lane.ref @w : !lane.matrix<8x32xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.state @s : !lane.buffer<32xf32>
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op has type '!lane.buffer<32xf16>', but @s has type '!lane.buffer<32xf32>'}}
    %s = lane.ref @s plain <pool> : !lane.buffer<32xf16>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.values @v : !lane.buffer<32xf32>
  lane.form @decode decode rows(1) {
    // expected-error @+1 {{'lane.ref' op has type '!lane.buffer<8x4xf32>', but @v has type '!lane.buffer<32xf32>'}}
    %v = lane.ref @v plain <pool> : !lane.buffer<8x4xf32>
  }
}

// -----

// A view that exceeds its base: without an overrun, and with a wrong overrun.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.view' op 'v' of 33 elements at offset 32 exceeds its base by 1 elements}}
    %v = lane.view "v" of %x at 32 : !lane.buffer<1x64xf32> to !lane.buffer<33xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.view' op 'v' of 64 elements at offset 32 exceeds its base by 32 elements, but states an overrun of 16}}
    %v = lane.view "v" of %x at 32 overrun 16 : !lane.buffer<1x64xf32> to !lane.buffer<64xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.view' op 'v' of 32 elements at offset 32 exceeds its base by 0 elements, but states an overrun of 16}}
    %v = lane.view "v" of %x at 32 overrun 16 : !lane.buffer<1x64xf32> to !lane.buffer<32xf32>
  }
}

// -----

// The elements of a view have its own type: 16 of f64 are 32 of f32.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.view' op 'v' of 17 elements at offset 32 exceeds its base by 1 elements}}
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

// The offset exceeds any base. The computation does not overflow.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.view' op 'v' of 32 elements at offset 9223372036854775807 exceeds its base by 9223372036854775775 elements}}
    %v = lane.view "v" of %x at 9223372036854775807 : !lane.buffer<1x64xf32> to !lane.buffer<32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) {
    %w = lane.ref @w : !lane.matrix<4x32xq8_0>
    // expected-error @+1 {{'lane.view' op 'v' of 33 elements at offset 96 exceeds its base by 1 elements}}
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
    // expected-error @+1 {{'lane.alloc' op plain storage of 256 bytes at arena offset 256 exceeds the arena of 511 bytes}}
    %x = lane.alloc "x" plain <arena[256]> : !lane.buffer<1x64xf32>
  }
}

// -----

// 64 quants and two scales, each padded to 256 bytes.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(256) {
    // expected-error @+1 {{'lane.alloc' op quantized storage of 512 bytes at arena offset 0 exceeds the arena of 256 bytes}}
    %x = lane.alloc "x" quantized <arena[0]> : !lane.buffer<1x64xf32>
  }
}

// -----

// Two-pass numerics have a second plane of quants.

lane.program @p context(16) numerics(two_pass) {
  lane.form @decode decode rows(1) arena(512) {
    // expected-error @+1 {{'lane.alloc' op quantized storage of 768 bytes at arena offset 0 exceeds the arena of 512 bytes}}
    %x = lane.alloc "x" quantized <arena[0]> : !lane.buffer<1x64xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<4x32xq8_0> rows [#lane.rows<file = 0, offset = 0, count = 4>]
  lane.form @decode decode rows(1) arena(256) {
    // expected-error @+1 {{'lane.ref' op quantized storage of 512 bytes at arena offset 0 exceeds the arena of 256 bytes}}
    %w = lane.ref @w quantized <arena[0]> : !lane.matrix<4x32xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(256) {
    // expected-error @+1 {{'lane.param' op plain storage of 4 bytes at arena offset 9223372036854775552 exceeds the arena of 256 bytes}}
    %x = lane.param "x" plain <arena[9223372036854775552]> : !lane.buffer<1xi32>
  }
}

// -----

// The end of the slot overflows int64.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(9223372036854775807) {
    // expected-error @+1 {{'lane.alloc' op plain storage of 4096 bytes at arena offset 9223372036854775552 exceeds the arena of 9223372036854775807 bytes}}
    %x = lane.alloc "x" plain <arena[9223372036854775552]> : !lane.buffer<1024xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) arena(512) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'lane.launch' op scratch 3 of 300 bytes at arena offset 256 exceeds the arena of 512 bytes}}
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

// An operation that uses a buffer must be a launch, and one that defines a buffer
// must have its storages, so that the planner sees all of them.

lane.program @p context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <pool> : !lane.buffer<1x64xf32>
    // expected-error @+1 {{'builtin.unrealized_conversion_cast' op uses a buffer but does not implement LaunchOpInterface}}
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

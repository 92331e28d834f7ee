// RUN: lane-opt %s --split-input-file --residence-plan --verify-diagnostics

// Slots in an arena without a size cannot be counted.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.form' op 'decode' has slots in an arena without a size: run arena-plan first}}
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" plain <arena> : !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.form' op 'decode' has slots in an arena without a size: run arena-plan first}}
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" quantized <arena> : !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'lane.form' op 'decode' has slots in an arena without a size: run arena-plan first}}
  lane.form @decode decode rows(1) {
    lane.launch "a" ins() scratch [#lane.scratch<tag = 0, bytes = 4, arena>]
  }
}

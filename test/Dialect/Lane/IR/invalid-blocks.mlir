// RUN: lane-opt %s --split-input-file --verify-diagnostics

// Buffers of quantized formats have whole blocks.

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{rows of 48 elements are not a multiple of the q8_0 block of 32}}
  lane.state @cache : !lane.buffer<16x48xq8_0>
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{format f16 has no blocks}}
  lane.state @cache : !lane.buffer<16x48x!lane.block<f16>>
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{'q9_0' is not a number format}}
  lane.state @cache : !lane.buffer<16x48x!lane.block<q9_0>>
}

// -----

lane.program @p context(16) numerics(one_pass) {
  // expected-error @+1 {{the bytes of the buffer overflow int64}}
  lane.state @cache : !lane.buffer<9223372036854775807x32xq8_0>
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.state @cache : !lane.buffer<16x64xq8_0>
  lane.form @decode decode rows(1) {
    %cache = lane.ref @cache plain <pool> : !lane.buffer<16x64xq8_0>
    // expected-error @+1 {{'lane.view' op 'v' at offset 16 does not start at a block of 32}}
    %v = lane.view "v" of %cache at 16 plain <pool> : !lane.buffer<16x64xq8_0> to !lane.buffer<64xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.state @cache : !lane.buffer<16x64xq8_0>
  lane.form @decode decode rows(1) {
    %cache = lane.ref @cache plain <pool> : !lane.buffer<16x64xq8_0>
    // expected-error @+1 {{'lane.view' op 'v' of '!lane.buffer<64xf16>' views '!lane.buffer<16x64xq8_0>', whose elements differ}}
    %v = lane.view "v" of %cache at 0 plain <pool> : !lane.buffer<16x64xq8_0> to !lane.buffer<64xf16>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.state @cache : !lane.buffer<16x64xf32>
  lane.form @decode decode rows(1) {
    %cache = lane.ref @cache plain <pool> : !lane.buffer<16x64xf32>
    // expected-error @+1 {{'lane.view' op 'v' of '!lane.buffer<64xq8_0>' views '!lane.buffer<16x64xf32>', whose elements differ}}
    %v = lane.view "v" of %cache at 0 plain <pool> : !lane.buffer<16x64xf32> to !lane.buffer<64xq8_0>
  }
}

// -----

lane.program @p context(16) numerics(one_pass) {
  lane.state @cache : !lane.buffer<16x64xq8_0>
  lane.form @decode decode rows(1) {
    %cache = lane.ref @cache plain <pool> : !lane.buffer<16x64xq8_0>
    // expected-error @+1 {{'lane.view' op 'v' of 64 elements at offset 992 exceeds its base by 32 elements}}
    %v = lane.view "v" of %cache at 992 plain <pool> : !lane.buffer<16x64xq8_0> to !lane.buffer<64xq8_0>
  }
}

// RUN: lane-opt --convert-lane-to-linalg --verify-diagnostics --split-input-file %s

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error@below {{'lane.launch' op has no code for kernel "mine"}}
    lane.launch "mine" ins(%x : !lane.buffer<1x32xf32>) outs(%x : !lane.buffer<1x32xf32>)
  }
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.matrix @w : !lane.matrix<32x256xiq3_s> rows [#lane.rows<file = 0, offset = 0, count = 32>]
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<1x256xf32>
    %y = lane.param "y" plain <pool> : !lane.buffer<1x32xf32>
    %w = lane.ref @w : !lane.matrix<32x256xiq3_s>
    // expected-error@below {{'lane.matmul' op reads a matrix of format iq3_s, which kernels cannot read}}
    lane.matmul %x by %w into %y : !lane.buffer<1x256xf32>, !lane.matrix<32x256xiq3_s> -> !lane.buffer<1x32xf32>
  }
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error@below {{'lane.elementwise' op has no factor}}
    lane.elementwise scale ins(%x : !lane.buffer<1x32xf32>) outs(%x : !lane.buffer<1x32xf32>)
  }
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.alloc "x" : !lane.buffer<1x32xf32>
    %y = lane.param "y" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error@below {{'lane.elementwise' op reads operand 0, which has no storage}}
    lane.elementwise silu ins(%x : !lane.buffer<1x32xf32>) outs(%y : !lane.buffer<1x32xf32>)
  }
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<1x32xf32>
    // expected-error@below {{'lane.rope' op rotates 48 of 48 elements in 1 rows of 32 elements}}
    lane.rope neox %x at %x into %x dimensions(48) base(1.0e4) : !lane.buffer<1x32xf32>, !lane.buffer<1x32xf32> -> !lane.buffer<1x32xf32>
  }
}

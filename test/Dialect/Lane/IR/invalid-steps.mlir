// RUN: lane-opt %s --verify-diagnostics --split-input-file

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}
func.func @step() {
  // expected-error@below {{'lane.get_memref' op @tiny::@w is not a matrix, values or state of a program}}
  %w = lane.get_memref @tiny::@w : memref<64x32xf32>
  return
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<1x32xf32>
  }
}
func.func @step() {
  // expected-error@below {{'lane.get_memref' op "y" is not a buffer of a form @tiny::@decode}}
  %y = lane.get_memref @tiny::@decode["y"] : memref<1x32xf32>
  return
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<1x32xf32>
  }
}
func.func @step() {
  // expected-error@below {{'lane.get_memref' op has 'memref<1x33xf32>' of 132 bytes, but the buffer has 128}}
  %x = lane.get_memref @tiny::@decode["x"] : memref<1x33xf32>
  return
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<1x32xf32>
  }
}
func.func @step() {
  // expected-error@below {{'lane.get_memref' op has 'memref<16xindex>', whose byte size is not known, but the buffer has 128}}
  %x = lane.get_memref @tiny::@decode["x"] : memref<16xindex>
  return
}

// -----

// expected-error@below {{'func.func' op 'lane.step' must be the symbol of a form of a program, on a function}}
func.func @step() attributes {lane.step = "decode"} {
  return
}

// -----

// expected-error@below {{'lane.step' must be the symbol of a form of a program, on a function}}
module attributes {lane.step = @tiny::@decode} {
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<1x32xf32>
  }
}
func.func @step() attributes {lane.step = @tiny::@decode} {
  // expected-error@below {{'lane.get_memref' op there is no scratch 1 of launch 0 in @tiny::@decode}}
  %x = lane.get_memref @tiny::@decode scratch [0, 1] : memref<1x32xf32>
  return
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" quantized <pool> : !lane.buffer<1x32xf32>
  }
}
func.func @step() attributes {lane.step = @tiny::@decode} {
  // expected-error@below {{'lane.get_memref' op a buffer of type '!lane.buffer<1x32xf32>' has no low_quants}}
  %x = lane.get_memref @tiny::@decode["x"] low_quants : memref<1x32xi8>
  return
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" quantized <pool> : !lane.buffer<1x32xf32>
  }
}
func.func @step() attributes {lane.step = @tiny::@decode} {
  // expected-error@below {{'lane.get_memref' op has 'memref<2xf32>' of 8 bytes, but the buffer has 4}}
  %x = lane.get_memref @tiny::@decode["x"] scales : memref<2xf32>
  return
}

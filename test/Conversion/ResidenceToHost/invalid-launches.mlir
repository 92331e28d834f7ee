// What cannot run on the stream of a step.
//
// RUN: lane-opt %s --arena-plan --residence-plan --residence-to-host --verify-diagnostics --split-input-file

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<4x8xf32>
    lane.launch "fill" ins() outs(%x : !lane.buffer<4x8xf32>)
  }
}
func.func @step() attributes {lane.step = @tiny::@decode} {
  %x = lane.get_memref @tiny::@decode["x"] : memref<4x8xf32>
  %zero = arith.constant 0.0 : f32
  // expected-error@below {{'linalg.fill' op accesses memory on the host: a step that launches kernels has only launches, copies and fills}}
  linalg.fill ins(%zero : f32) outs(%x : memref<4x8xf32>)
  return
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<4x8xf32>
    lane.launch "copy" ins(%x : !lane.buffer<4x8xf32>) outs(%x : !lane.buffer<4x8xf32>)
  }
}
func.func @step() attributes {lane.step = @tiny::@decode} {
  %x = lane.get_memref @tiny::@decode["x"] : memref<4x8xf32>
  %first = memref.subview %x[0, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1]>>
  %second = memref.subview %x[1, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: 8>>
  // expected-error@below {{'memref.copy' op has a memref of type 'memref<8xf32, strided<[1], offset: 8>>', which is not contiguous from its start: make it a kernel}}
  memref.copy %first, %second : memref<8xf32, strided<[1]>> to memref<8xf32, strided<[1], offset: 8>>
  return
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<4x8xf32>
    lane.launch "fill" ins() outs(%x : !lane.buffer<4x8xf32>)
  }
}
func.func @step() attributes {lane.step = @tiny::@decode} {
  %x = lane.get_memref @tiny::@decode["x"] : memref<4x4xf64>
  %zero = arith.constant 0.0 : f64
  // expected-error@below {{'gpu.memset' op fills with elements of type 'f64', but only those of 16 and 32 bits can be filled: make it a kernel}}
  gpu.memset %x, %zero : memref<4x4xf64>, f64
  return
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
  }
}
func.func @step() attributes {lane.step = @tiny::@decode} {
  %one = arith.constant 1 : index
  // expected-error@below {{'gpu.launch' op cannot run on the stream of a step}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%lx = %one, %ly = %one, %lz = %one) {
    gpu.terminator
  }
  return
}

// -----

lane.program @tiny context(16) numerics(one_pass) {
  lane.form @decode decode rows(1) {
    %x = lane.param "x" plain <pool> : !lane.buffer<4x8xf32>
    lane.launch "kernel" ins(%x : !lane.buffer<4x8xf32>) outs(%x : !lane.buffer<4x8xf32>)
  }
}
func.func private @kernel(memref<4x8xf32>)
func.func @step() attributes {lane.step = @tiny::@decode} {
  %x = lane.get_memref @tiny::@decode["x"] : memref<4x8xf32>
  // expected-error@below {{'func.call' op accesses memory on the host: a step that launches kernels has only launches, copies and fills}}
  func.call @kernel(%x) : (memref<4x8xf32>) -> ()
  return
}

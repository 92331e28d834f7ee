// RUN: lane-opt %s --convert-linalg-to-lane --split-input-file --verify-diagnostics

// expected-error @+1 {{the module has no public function to raise}}
module {
  func.func private @hidden() {
    return
  }
}

// -----

func.func @tensors(%x: tensor<4xf32>) {
  // expected-error @+1 {{'arith.addf' op works on tensors: bufferize the module before this pass}}
  %y = arith.addf %x, %x : tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'memref<?x4xf32>', whose shape is not static}}
func.func @dynamic(%x: memref<?x4xf32>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'memref<*xf32>', whose shape is not static}}
func.func @unranked(%x: memref<*xf32>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'memref<4x4xf32, strided<[8, 1]>>', which is not row-major}}
func.func @strided(%x: memref<4x4xf32, strided<[8, 1]>>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'memref<4xindex>': element type 'index'}}
func.func @index(%x: memref<4xindex>) {
  return
}

// -----

func.func @loop(%x: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op has a region and is not a launch: a form is straight-line code}}
  scf.for %i = %zero to %one step %one {
  }
  return
}

// -----

func.func private @callee() {
  return
}
func.func @calls() {
  // expected-error @+1 {{'func.call' op calls a function: inline it before this pass}}
  call @callee() : () -> ()
  return
}

// -----

func.func @loads(%x: memref<4xf32>) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{'memref.load' op accesses memory and is not a launch}}
  %y = memref.load %x[%zero] : memref<4xf32>
  return
}

// -----

// expected-error @+1 {{'func.func' op has 2 blocks: a form is straight-line code}}
func.func @blocks() {
  cf.br ^bb1
^bb1:
  return
}

// -----

memref.global "private" constant @w : memref<4x32xf32> = uninitialized
func.func @writes(%x: memref<4x32xf32>) {
  %w = memref.get_global @w : memref<4x32xf32>
  // expected-error @+1 {{'memref.copy' op writes a weight}}
  memref.copy %x, %w : memref<4x32xf32> to memref<4x32xf32>
  return
}

// -----

func.func @unknown(%x: memref<4xf32>, %y: memref<4xf32>, %which: i1) {
  %z = arith.select %which, %x, %y : memref<4xf32>
  // expected-error @+1 {{'memref.copy' op has a memref whose storage is not known: it comes from 'arith.select'}}
  memref.copy %z, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'memref<4x32xi8>' of 128 bytes, but its lane.type '!lane.matrix<4x32xq8_0>' has 136}}
func.func @bytes(%w: memref<4x32xi8> {lane.weight = "w", lane.type = !lane.matrix<4x32xq8_0>}) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'memref<4611686018427387904x4xi8>', whose byte size overflows int64, but its lane.type '!lane.matrix<4x32xq8_0>' has 136}}
func.func @huge(%w: memref<4611686018427387904x4xi8> {lane.weight = "w", lane.type = !lane.matrix<4x32xq8_0>}) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'memref<4611686018427387904x4xf32>': the bytes of the buffer overflow int64}}
func.func @huge_buffer(%x: memref<4611686018427387904x4xf32>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op makes the byte size of all weights overflow int64}}
func.func @huge_weights(%a: memref<3458764513820540928x1xi8> {lane.weight = "a"}, %b: memref<3458764513820540928x1xi8> {lane.weight = "b"}, %c: memref<3458764513820540928x1xi8> {lane.weight = "c"}) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'memref<4x32xindex>', whose byte size is not known}}
func.func @no_bytes(%w: memref<4x32xindex> {lane.weight = "w", lane.type = !lane.matrix<4x32xq8_0>}) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'memref<0x4xf32>': dimension 0 is not positive}}
func.func @no_rows(%w: memref<0x4xf32> {lane.weight = "w"}) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'memref<4x32xi4>', whose element type is not a matrix format: give the weight a lane.type}}
func.func @format(%w: memref<4x32xi4> {lane.weight = "w"}) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has "w" of '!lane.matrix<8x32xf32>', but it is '!lane.matrix<4x32xf32>' elsewhere}}
func.func @twice(%w: memref<4x32xf32> {lane.weight = "w"}, %v: memref<8x32xf32> {lane.weight = "w"}) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has both lane.prefill_rows and lane.batch_rows}}
func.func @both() attributes {lane.prefill_rows = 4 : i64, lane.batch_rows = 2 : i64} {
  return
}

// -----

// expected-error @+1 {{'func.func' op 'lane.prefill_rows' must be a positive i64}}
func.func @rows() attributes {lane.prefill_rows = 0 : i64} {
  return
}

// -----

// expected-error @+1 {{'func.func' op 'lane.weight' must be a name}}
func.func @name(%w: memref<4x32xf32> {lane.weight}) {
  return
}

// -----

// expected-error @+1 {{'func.func' op 'lane.type' must be a matrix type}}
func.func @type(%w: memref<4x32xf32> {lane.weight = "w", lane.type = f32}) {
  return
}

// -----

// expected-error @+1 {{'memref.global' op 'lane.rows' must be an array of #lane.rows}}
memref.global "private" constant @w : memref<4x32xf32> = uninitialized {lane.rows = 3 : i64}
func.func @f() {
  return
}

// -----

// expected-error @+1 {{'func.func' op has an unknown attribute 'lane.wieght' of the lane dialect}}
func.func @unknown(%w: memref<4x32xf32> {lane.wieght = "w"}) {
  return
}

// -----

// expected-error @+1 {{'builtin.module' op 'lane.files' must be an array of names}}
module attributes {lane.files = "model.gguf"} {
  func.func @f() {
    return
  }
}

// -----

// expected-error @+1 {{'memref.global' op @total has an initial value other than zero, but state is zero at startup}}
memref.global "private" @total : memref<4xf32> = dense<1.0>
func.func @initial(%x: memref<4xf32>) {
  %0 = memref.get_global @total : memref<4xf32>
  memref.copy %0, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

// expected-warning @+1 {{the program does not keep the values of "ids": export them before this pass}}
memref.global "private" constant @ids : memref<4xi64> = dense<[0, 1, 2, 3]>
func.func @values(%x: memref<4xi64>) {
  %0 = memref.get_global @ids : memref<4xi64>
  memref.copy %0, %x : memref<4xi64> to memref<4xi64>
  return
}

// -----

func.func private @kernel(memref<4xf32>) -> f32
func.func @calls_for_a_value(%x: memref<4xf32>) {
  // expected-error @+1 {{'func.call' op calls a kernel that returns a value: kernels write their results to memrefs}}
  %0 = func.call @kernel(%x) : (memref<4xf32>) -> f32
  return
}

// -----

memref.global "private" constant @w : memref<4x32xf32> = uninitialized
func.func private @kernel(memref<4x32xf32> {bufferization.access = "write"})
func.func @calls_to_write_a_weight() {
  %w = memref.get_global @w : memref<4x32xf32>
  // expected-error @+1 {{'func.call' op writes a weight}}
  func.call @kernel(%w) : (memref<4x32xf32>) -> ()
  return
}

// -----

// expected-error @+1 {{'func.func' op 'lane.access' must be a #lane.access}}
func.func private @kernel(memref<4xf32> {lane.access = "gather"})

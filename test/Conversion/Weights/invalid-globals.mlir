// RUN: lane-opt --allow-unregistered-dialect --import-globals --split-input-file \
// RUN:   --verify-diagnostics %s

// expected-error @+1 {{'ml_program.global' op @w has 'tensor<?x8xf32>', whose shape is not static}}
ml_program.global private @w(#ml_program.extern<tensor<?x8xf32>>) : tensor<?x8xf32>

// -----

// expected-error @+1 {{'ml_program.global' op @w has 'tensor<*xf32>', which is not a ranked tensor of numbers}}
ml_program.global private mutable @w : tensor<*xf32>

// -----

// expected-error @+1 {{'ml_program.global' op @w has 'i64', which is not a ranked tensor of numbers}}
ml_program.global private @w(1 : i64) : i64

// -----

// expected-error @+1 {{'ml_program.global' op @w has 'tensor<8xf32, "sparse">', which has an encoding}}
ml_program.global private mutable @w : tensor<8xf32, "sparse">

// -----

// expected-error @+1 {{'ml_program.global' op @w has 'tensor<8x4xf32>', but its value is 'tensor<4x8xf32>'}}
ml_program.global private @w(#ml_program.extern : tensor<4x8xf32>) : tensor<8x4xf32>

// -----

// expected-error @+1 {{'ml_program.global' op @w has 'tensor<8xf32>', but its value is 'tensor<4xf32>'}}
ml_program.global private @w(dense<1.0> : tensor<4xf32>) : tensor<8xf32>

// -----

// expected-error @+1 {{'ml_program.global' op @w has the value "x", which is neither elements nor the name of a tensor}}
ml_program.global private @w("x") : tensor<8xf32>

// -----

// expected-error @+1 {{'ml_program.global' op @w is mutable, but its value is "w" of a checkpoint: state is zero at startup}}
ml_program.global private mutable @w(#ml_program.extern<tensor<8xf32>>) : tensor<8xf32>

// -----

// expected-error @+1 {{'util.global' op has no 'sym_name' or no 'type'}}
"util.global"() {sym_name = "w"} : () -> ()

// -----

// expected-error @+1 {{'util.global' op @w has no value and is not mutable}}
"util.global"() {sym_name = "w", type = tensor<8xf32>} : () -> ()

// -----

// expected-error @+1 {{'util.global' op @w has the value #flow.parameter.named<"a"::> : tensor<8xf32>, which is neither elements nor the name of a tensor}}
"util.global"() {sym_name = "w", type = tensor<8xf32>, initial_value = #flow.parameter.named<"a"::> : tensor<8xf32>} : () -> ()

// -----

"util.global"() {sym_name = "w", type = tensor<8xf32>, initial_value = #flow.parameter.named<"a"::"key"> : tensor<8xf32>} : () -> ()
// expected-error @+1 {{'util.global' op @v has "key" of scope "b", but scope "a" has that name too}}
"util.global"() {sym_name = "v", type = tensor<8xf32>, initial_value = #flow.parameter.named<"b"::"key"> : tensor<8xf32>} : () -> ()

// -----

func.func @load() -> tensor<8xf32> {
  // expected-error @+1 {{'util.global.load' op @none is not a global of the module}}
  %0 = "util.global.load"() {global = @none} : () -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

"util.global"() {sym_name = "w", type = tensor<8xf32>, initial_value = dense<1.0> : tensor<8xf32>} : () -> ()
func.func @load() -> tensor<4xf32> {
  // expected-error @+1 {{'util.global.load' op has 'tensor<4xf32>', but @w has 'tensor<8xf32>'}}
  %0 = "util.global.load"() {global = @w} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

"util.global"() {sym_name = "w", type = tensor<8xf32>, initial_value = dense<1.0> : tensor<8xf32>} : () -> ()
func.func @store(%x: tensor<8xf32>) {
  // expected-error @+1 {{'util.global.store' op stores to @w, which is not mutable}}
  "util.global.store"(%x) {global = @w} : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @indirect() {
  // expected-error @+1 {{'util.global.address' op is not an operation that import-globals takes}}
  %0 = "util.global.address"() {global = @w} : () -> i64
  return
}

// -----

// A name may have a NUL byte in IREE, but not in a checkpoint.
// expected-error @+1 {{'util.global' op @w has the value "a\00b", which no tensor of a checkpoint has as name}}
"util.global"() {sym_name = "w", type = tensor<8xf32>, initial_value = #flow.parameter.named<"a\00b"> : tensor<8xf32>} : () -> ()

// -----

// expected-error @+1 {{'memref.global' op 'lane.weight' must be a name without NUL bytes}}
memref.global "private" constant @w : memref<8xf32> = uninitialized {lane.weight = "a\00b"}

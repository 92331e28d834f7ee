// RUN: rm -rf %t && mkdir -p %t && split-file %s %t
// RUN: %python -B %test/Checkpoint/make_safetensors.py %t/a.safetensors \
// RUN:   unused=F8_E4M3:8 table=F32:8x32 scale=F32:32 stack=BF16:2x4x32
// RUN: %python -B %test/Checkpoint/make_safetensors.py %t/b.safetensors \
// RUN:   model.head=F16:8x64 odd=U8:3 'a "b"=I8:1x1x16'
// RUN: %python -B %test/Checkpoint/make_safetensors.py %t/c.safetensors other=F32:4
// RUN: %python -B %test/Checkpoint/make_safetensors.py %t/m.safetensors.index.json \
// RUN:   a.safetensors b.safetensors c.safetensors

// Each weight has the rows of the tensor with its name, and the program the files that
// are used, in the order of their first use and without their folder.

// RUN: lane-opt %t/names.mlir --convert-linalg-to-lane=checkpoint=%t/m.safetensors.index.json \
// RUN:   | FileCheck %t/names.mlir

// Bufferization keeps the locations of arguments.

// RUN: mlir-opt %t/tensors.mlir --mlir-print-debuginfo \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | lane-opt --convert-linalg-to-lane=checkpoint=%t/a.safetensors \
// RUN:   | FileCheck %t/tensors.mlir

// A weight keeps the rows that its attributes give.

// RUN: lane-opt %t/rows.mlir --convert-linalg-to-lane=checkpoint=%t/a.safetensors \
// RUN:   | FileCheck %t/rows.mlir

// A GGUF checkpoint has the dimensions in the other order, and none of 1 at the end.

// RUN: %python -B %test/Target/ImportGGUF/make_header.py llama %t/m.gguf
// RUN: lane-opt %t/gguf.mlir --convert-linalg-to-lane=checkpoint=%t/m.gguf \
// RUN:   | FileCheck %t/gguf.mlir

// RUN: lane-opt %t/invalid.mlir --convert-linalg-to-lane=checkpoint=%t/m.safetensors.index.json \
// RUN:   --split-input-file --verify-diagnostics
// RUN: not lane-opt %t/rows.mlir --convert-linalg-to-lane=checkpoint=%t/none.gguf 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE: error: convert-linalg-to-lane: {{.*}}/none.gguf: cannot be opened: no such file or directory

//--- names.mlir
// CHECK-LABEL: lane.program @step
// CHECK-SAME: files(["b.safetensors", "a.safetensors"])

// The name of the argument's attribute, and those of locations. Other arguments stay
// parameters.
// CHECK-NEXT: lane.matrix @model.head : !lane.matrix<8x64xf16> rows [#lane.rows<file = 0, offset = [[#HEAD:]], count = 8, tensor = "model.head">]
// CHECK-NEXT: lane.matrix @"a \22b\22" : !lane.matrix<1x16xi8> rows [#lane.rows<file = 0, offset = [[#HEAD + 1024 + 3]], count = 1, tensor = "a \22b\22">]

// The key of a resource, also where a second global has it, and a global's name.
// CHECK-NEXT: lane.matrix @table : !lane.matrix<8x32xf32> rows [#lane.rows<file = 1, offset = [[#TABLE:]], count = 8, tensor = "table">]
// CHECK-NEXT: lane.matrix @again : !lane.matrix<8x32xf32> rows [#lane.rows<file = 1, offset = [[#TABLE]], count = 8, tensor = "table">]
// CHECK-NEXT: lane.values @scale : !lane.buffer<32xf32> rows [#lane.rows<file = 1, offset = [[#TABLE + 1024]], count = 1, tensor = "scale">]
// CHECK-NEXT: lane.matrix @stack : !lane.matrix<2x4x32xbf16> rows [#lane.rows<file = 1, offset = [[#TABLE + 1024 + 128]], count = 8, tensor = "stack">]

// Values in the module stay there.
// CHECK-NEXT: lane.values @half : !lane.buffer<32xf32> data dense<5.000000e-01> : tensor<32xf32>
// CHECK-NEXT: lane.form @step decode rows(1) {
// CHECK-NEXT:   %model.head = lane.ref @model.head
// CHECK-NEXT:   lane.ref @"a \22b\22"
// CHECK-NEXT:   %arg2 = lane.param "arg2"
// CHECK-NEXT:   %arg3 = lane.param "arg3"
// CHECK-NEXT:   %arg4 = lane.param "arg4" position

memref.global "private" constant @__constant_8x32xf32 : memref<8x32xf32> = dense_resource<table>
memref.global "private" constant @again : memref<8x32xf32> = dense_resource<table>
memref.global "private" constant @scale : memref<32xf32> = uninitialized
memref.global "private" constant @stack : memref<2x4x32xbf16> = uninitialized
memref.global "private" constant @half : memref<32xf32> = dense<0.5>
func.func @step(%head: memref<8x64xf16> {lane.weight = "model.head"},
                %named: memref<16xi8> loc("a \22b\22"("net.py":1:1)),
                %x: memref<8x32xf32> loc("no.tensor"), %y: memref<32xf32>,
                %position: memref<1xi32> {lane.position} loc("odd")) {
  %0 = memref.get_global @__constant_8x32xf32 : memref<8x32xf32>
  memref.copy %0, %x : memref<8x32xf32> to memref<8x32xf32>
  %1 = memref.get_global @again : memref<8x32xf32>
  memref.copy %1, %x : memref<8x32xf32> to memref<8x32xf32>
  %2 = memref.get_global @scale : memref<32xf32>
  memref.copy %2, %y : memref<32xf32> to memref<32xf32>
  %3 = memref.get_global @stack : memref<2x4x32xbf16>
  %z = memref.alloc() : memref<2x4x32xbf16>
  memref.copy %3, %z : memref<2x4x32xbf16> to memref<2x4x32xbf16>
  %4 = memref.get_global @half : memref<32xf32>
  memref.copy %4, %y : memref<32xf32> to memref<32xf32>
  return
}

//--- tensors.mlir
// CHECK: lane.matrix @table : !lane.matrix<8x32xf32>
// CHECK: %arg1 = lane.param "arg1" plain <pool> : !lane.buffer<8x32xf32>
func.func @forward(%w: tensor<8x32xf32> loc("table"), %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = linalg.add ins(%w, %w : tensor<8x32xf32>, tensor<8x32xf32>) outs(%y : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

//--- rows.mlir
// CHECK: files(["a.safetensors", "other"])
// CHECK: lane.matrix @w : !lane.matrix<8x32xf32> rows [#lane.rows<file = 1, offset = 64, count = 8>]
// CHECK: lane.matrix @table : !lane.matrix<8x32xf32> rows [#lane.rows<file = 0, offset = {{[0-9]+}}, count = 8, tensor = "table">]
module attributes {lane.files = ["a.safetensors", "other"]} {
  func.func @step(%w: memref<8x32xf32> {lane.weight = "w", lane.rows = [#lane.rows<file = 1, offset = 64, count = 8>]},
                  %t: memref<8x32xf32> loc("table")) {
    return
  }
}

//--- gguf.mlir
// CHECK: files(["m.gguf"])
// CHECK-NEXT: lane.matrix @blk.0.ffn_up.weight : !lane.matrix<1x128x64xq8_0> rows [#lane.rows<file = 0, offset = {{[0-9]+}}, count = 128, tensor = "blk.0.ffn_up.weight">]
// CHECK-NEXT: lane.values @output_norm.weight : !lane.buffer<64xf32> rows [#lane.rows<file = 0, offset = {{[0-9]+}}, count = 1, tensor = "output_norm.weight">]
// CHECK-NEXT: lane.matrix @token_embd.weight : !lane.matrix<96x64xq8_0> rows [#lane.rows<file = 0, offset = {{[0-9]+}}, count = 96, tensor = "token_embd.weight">]
memref.global "private" constant @table : memref<6528xi8> = dense_resource<token_embd.weight> {lane.type = !lane.matrix<96x64xq8_0>}
func.func @step(%up: memref<1x8704xi8> {lane.type = !lane.matrix<1x128x64xq8_0>, lane.weight = "blk.0.ffn_up.weight"},
                %norm: memref<64xf32> loc("output_norm.weight"), %x: memref<6528xi8>) {
  %table = memref.get_global @table : memref<6528xi8>
  memref.copy %table, %x : memref<6528xi8> to memref<6528xi8>
  return
}

//--- invalid.mlir
// expected-error @+1 {{'func.func' op has 'table' of '!lane.matrix<32x8xf32>', but it is 8x32xF32 in}}
func.func @shape(%w: memref<32x8xf32> {lane.weight = "table"}) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'table' of '!lane.matrix<8x32xi32>', but it is 8x32xF32 in}}
func.func @format(%w: memref<8x32xi32> {lane.weight = "table"}) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has 'scale' of '!lane.buffer<64xf32>', but it is 32xF32 in}}
func.func @values(%w: memref<64xf32> {lane.weight = "scale"}) {
  return
}

// -----

// A program may have a matrix of signless bytes, but the tensor's are not signed.
// expected-error-re @+1 {{'func.func' op has 'odd' of '!lane.matrix<1x3xi8>', but it is 3xU8 in '{{.*}}m.safetensors.index.json', which is not a format of matrices}}
func.func @unknown(%w: memref<3xi8> {lane.weight = "odd"}) {
  return
}

// -----

// All that are missing are one error.
// expected-error-re @+1 {{'{{.*}}m.safetensors.index.json' has no tensor for '__constant_4x4xi32', 'f\0A', 'w'}}
memref.global "private" constant @w : memref<4x4xf32> = uninitialized
memref.global "private" constant @__constant_4x4xi32 : memref<4x4xi32> = dense<1>
func.func @missing(%table: memref<8x32xf32> loc("table"), %x: memref<4x4xf32>, %y: memref<4x4xi32>) {
  %0 = memref.get_global @w : memref<4x4xf32>
  memref.copy %0, %x : memref<4x4xf32> to memref<4x4xf32>
  %1 = memref.get_global @__constant_4x4xi32 : memref<4x4xi32>
  memref.copy %1, %y : memref<4x4xi32> to memref<4x4xi32>
  return
}
func.func @also(%f: memref<8xf16> {lane.weight = "f\n"})
    attributes {lane.prefill_rows = 2 : i64} {
  return
}

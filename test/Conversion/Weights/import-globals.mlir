// Globals of tensors, as torch-mlir and IREE print them, become memrefs that upstream
// bufferizes.
//
// RUN: rm -rf %t && mkdir -p %t && split-file %s %t
// RUN: lane-opt --allow-unregistered-dialect --import-globals %t/torch.mlir | FileCheck %t/torch.mlir
// RUN: lane-opt --allow-unregistered-dialect --import-globals %t/iree.mlir | FileCheck %t/iree.mlir
// RUN: lane-opt --import-globals %t/mutable.mlir | FileCheck %t/mutable.mlir
// RUN: lane-opt --import-globals %t/mutable.mlir \
// RUN:   | mlir-opt --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | FileCheck %t/mutable.mlir --check-prefix=BUFFERS

// Each weight has the rows of the tensor that its global names.

// RUN: %python -B %test/Checkpoint/make_safetensors.py %t/m.safetensors \
// RUN:   layers.0.weight=F32:4x8 fc.bias=F32:4 table=F32:16x8
// RUN: lane-opt --import-globals %t/torch.mlir \
// RUN:   | mlir-opt --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | lane-opt --convert-linalg-to-lane=checkpoint=%t/m.safetensors \
// RUN:   | FileCheck %t/torch.mlir --check-prefix=PROGRAM
// RUN: lane-opt --allow-unregistered-dialect --import-globals %t/iree.mlir \
// RUN:   | mlir-opt --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | lane-opt --convert-linalg-to-lane=checkpoint=%t/m.safetensors \
// RUN:   | FileCheck %t/iree.mlir --check-prefix=PROGRAM

//--- torch.mlir
// CHECK:      memref.global "private" constant @layers.0.weight : memref<4x8xf32> = uninitialized {lane.weight = "layers.0.weight"}
// CHECK-NEXT: memref.global "private" constant @renamed : memref<4xf32> = uninitialized {lane.weight = "fc.bias"}
// CHECK-NEXT: memref.global "private" constant @half : memref<4xf32> = dense<5.000000e-01> {lane.weight = "half"}
// CHECK-LABEL: func.func @forward
// CHECK-NEXT:  %[[WEIGHT:.*]] = memref.get_global @layers.0.weight : memref<4x8xf32>
// CHECK-NEXT:  %[[TENSOR:.*]] = bufferization.to_tensor %[[WEIGHT]] restrict : memref<4x8xf32> to tensor<4x8xf32>
// CHECK:       bufferization.to_tensor %{{.*}} restrict : memref<4xf32> to tensor<4xf32>
// CHECK:       bufferization.to_tensor %{{.*}} restrict : memref<4xf32> to tensor<4xf32>
// CHECK:       linalg.matvec ins(%[[TENSOR]],

// PROGRAM-DAG: lane.matrix @layers.0.weight : !lane.matrix<4x8xf32> rows [#lane.rows<file = 0, offset = {{[0-9]+}}, count = 4, tensor = "layers.0.weight">]
// PROGRAM-DAG: lane.values @fc.bias : !lane.buffer<4xf32> rows [#lane.rows<file = 0, offset = {{[0-9]+}}, count = 1, tensor = "fc.bias">]
// PROGRAM-DAG: lane.values @half : !lane.buffer<4xf32> data dense<5.000000e-01> : tensor<4xf32>
ml_program.global private @layers.0.weight(#ml_program.extern<tensor<4x8xf32>>) : tensor<4x8xf32>
ml_program.global private @renamed(#ml_program.extern<tensor<4xf32>>) : tensor<4xf32> {lane.weight = "fc.bias"}
ml_program.global private @half(dense<0.5> : tensor<4xf32>) : tensor<4xf32>
func.func @forward(%x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %w = ml_program.global_load_const @layers.0.weight : tensor<4x8xf32>
  %b = ml_program.global_load_const @renamed : tensor<4xf32>
  %h = ml_program.global_load @half : tensor<4xf32>
  %0 = linalg.matvec ins(%w, %x : tensor<4x8xf32>, tensor<8xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.add ins(%0, %h : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

//--- iree.mlir
// CHECK:      memref.global "private" constant @w : memref<4x8xf32> = uninitialized {lane.weight = "layers.0.weight"}
// CHECK-NEXT: memref.global "private" constant @b : memref<4xf32> = uninitialized {lane.weight = "fc.bias"}
// CHECK-NEXT: memref.global "private" constant @table : memref<16x8xf32> = uninitialized {lane.weight = "table"}
// CHECK-NEXT: memref.global "private" constant @two : memref<4xf32> = dense<2.000000e+00> {lane.weight = "two"}
// CHECK-NEXT: memref.global "private" @state : memref<4xf32> = uninitialized
// CHECK-NOT:  util

// PROGRAM-DAG: lane.matrix @layers.0.weight : !lane.matrix<4x8xf32> rows [#lane.rows<file = 0, offset = {{[0-9]+}}, count = 4, tensor = "layers.0.weight">]
// PROGRAM-DAG: lane.values @fc.bias : !lane.buffer<4xf32> rows [#lane.rows<file = 0, offset = {{[0-9]+}}, count = 1, tensor = "fc.bias">]
// PROGRAM-DAG: lane.values @two : !lane.buffer<4xf32> data dense<2.000000e+00> : tensor<4xf32>
// PROGRAM-DAG: lane.state @state : !lane.buffer<4xf32>
"util.global"() <{initial_value = #flow.parameter.named<"model"::"layers.0.weight"> : tensor<4x8xf32>, sym_name = "w", sym_visibility = "private", type = tensor<4x8xf32>}> : () -> ()
"util.global"() {initial_value = #stream.parameter.named<"fc.bias"> : tensor<4xf32>, sym_name = "b", type = tensor<4xf32>} : () -> ()
"util.global"() <{initial_value = #flow.parameter.named<"model"::"table", {mode = "r"}> : tensor<16x8xf32>, sym_name = "table", type = tensor<16x8xf32>}> : () -> ()
"util.global"() <{initial_value = dense<2.0> : tensor<4xf32>, sym_name = "two", type = tensor<4xf32>}> : () -> ()
"util.global"() <{initial_value = #util.uninitialized : tensor<4xf32>, is_mutable, sym_name = "state", type = tensor<4xf32>}> : () -> ()
func.func @forward(%x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %w = "util.global.load"() <{global = @w}> : () -> tensor<4x8xf32>
  %b = "util.global.load"() <{global = @b, is_immutable}> : () -> tensor<4xf32>
  %two = "util.global.load"() {global = @two} : () -> tensor<4xf32>
  %0 = linalg.matvec ins(%w, %x : tensor<4x8xf32>, tensor<8xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.mul ins(%0, %two : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  "util.global.store"(%1) <{global = @state}> : (tensor<4xf32>) -> ()
  return %1 : tensor<4xf32>
}

//--- mutable.mlir
// A load is the value at that time: it is copied if a store comes before its last use.

// CHECK: memref.global "private" @total : memref<4xf32> = dense<0.000000e+00>
ml_program.global private mutable @total(dense<0.0> : tensor<4xf32>) : tensor<4xf32>

// CHECK-LABEL: func.func @used_before(
// CHECK-NOT:   bufferization.alloc_tensor
// CHECK:       bufferization.materialize_in_destination %{{.*}} in writable %{{.*}} : (tensor<4xf32>, memref<4xf32>) -> ()
// BUFFERS-LABEL: func.func @used_before(
// BUFFERS:       %[[TOTAL:.*]] = memref.get_global @total
// BUFFERS:       linalg.add ins(%[[TOTAL]], %{{.*}}) outs(%[[SUM:.*]] :
// BUFFERS:       memref.copy %[[SUM]], %
func.func @used_before(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ml_program.global_load @total : tensor<4xf32>
  %1 = linalg.add ins(%0, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  ml_program.global_store @total = %1 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @used_after(
// CHECK:       %[[OLD:.*]] = bufferization.to_tensor
// CHECK-NEXT:  %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[OLD]]) : tensor<4xf32>
// CHECK:       bufferization.materialize_in_destination
// CHECK:       linalg.add ins(%[[COPY]], %
// BUFFERS-LABEL: func.func @used_after(
// BUFFERS:       memref.copy %{{.*}}, %[[COPY:.*]] : memref<4xf32> to memref<4xf32>
// BUFFERS:       memref.copy %arg0, %
// BUFFERS:       linalg.add ins(%[[COPY]], %arg0
func.func @used_after(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ml_program.global_load @total : tensor<4xf32>
  ml_program.global_store @total = %x : tensor<4xf32>
  %1 = linalg.add ins(%0, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A tensor that may share the load's buffer counts as the load.
// CHECK-LABEL: func.func @view_used_after(
// CHECK:       bufferization.alloc_tensor() copy
func.func @view_used_after(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %0 = ml_program.global_load @total : tensor<4xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  ml_program.global_store @total = %x : tensor<4xf32>
  return %1 : tensor<2x2xf32>
}

// A callee may store.
// CHECK-LABEL: func.func @calls(
// CHECK:       bufferization.alloc_tensor() copy
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = ml_program.global_load @total : tensor<4xf32>
  %1 = call @used_after(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.add ins(%0, %x : tensor<4xf32>, tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
